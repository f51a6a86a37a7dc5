"""The choices a tree method is made of, one folder a sort: each part is a small frozen value in a file of its own."""
