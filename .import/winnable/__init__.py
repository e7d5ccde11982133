"""Decides solitaire deals: winnable or not, in how few moves, how often."""

__version__ = "0.1.0"
