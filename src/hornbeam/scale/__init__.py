"""Tables that do not fit into memory: predictions in batches, and trees grown from files."""
