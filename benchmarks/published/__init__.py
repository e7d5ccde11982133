"""What `benchmarks.results` and `benchmarks.seed_tables` are made of."""
