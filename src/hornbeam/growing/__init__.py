"""Table + Method -> Tree: the loop, its reference in plain Python, and what it tells of its choices."""
