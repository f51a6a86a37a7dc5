"""Benchmarks of speed and quality of hornbeam and other libraries; see README.md."""
