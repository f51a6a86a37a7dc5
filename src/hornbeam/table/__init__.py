"""Data as columns with kinds: what was read, what it means, and why it was taken so."""
