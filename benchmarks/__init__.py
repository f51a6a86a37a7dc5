"""How fast and how good is hornbeam beside every peer?  Ratios of one run; see README.md."""
