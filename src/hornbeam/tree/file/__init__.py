"""The model file: a tree or a forest as checked bytes, written atomically."""
