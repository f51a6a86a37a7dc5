"""Statistical tests that criteria and stops share; no criterion is defined here."""
