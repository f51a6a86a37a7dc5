"""Functions that prunings share: pruning data, walks of rows, nested prunings, `prune`; no pruning is defined here."""
