"""Growth of one tree from a table and a method, in the compiled core or by the reference implementation in Python."""
