"""What `benchmarks/results.py` and `benchmarks/seed_tables.py` are made of."""
