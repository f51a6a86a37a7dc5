"""One source per file: each reader turns what it understands into a RawTable and decides no kinds."""
