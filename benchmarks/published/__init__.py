"""The parts of `benchmarks.results`: runs, figures, page and pictures."""
