"""Statistical tests that stops share; no stop is defined here."""
