"""Satisfiability, and the least cost of satisfying: what lower bounds are worked out by."""
