"""The model as data: questions, nodes, walk, edits, text and files."""
