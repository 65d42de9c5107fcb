"""Measurements, for a quiet machine; not part of the tests. Each file runs by itself: `python -m tests.benchmarks.<name>`."""
