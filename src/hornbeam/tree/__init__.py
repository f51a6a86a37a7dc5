"""The model as data: questions, nodes, walking, editing, words and files."""
