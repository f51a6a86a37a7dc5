"""The choices that a tree method is made of: one folder per part type, one small frozen class per file."""
