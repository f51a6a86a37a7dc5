"""Readers, one format per file: each converts a source to a RawTable, without deciding kinds."""
