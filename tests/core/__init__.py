"""The mathematics against independent sources: 50-digit arithmetic, exact fractions, SciPy, and its own laws."""
