"""SAT solver with proofs, acyclicity constraints and core-guided MaxSAT."""
