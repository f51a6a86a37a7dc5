"""The interchangeable parts of a method, one sort a folder, one part a file."""
