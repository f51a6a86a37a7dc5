"""Models as source code without dependencies.

engine       the prediction functions, written once in a small subset of Python
translate    that subset in other languages; languages: C99, Java, JavaScript, Python
packing      trees and rules as the flat arrays that the engine reads
unrolled     small trees as nested conditions, in the same subset
program      the functions and arrays that a model needs; statements: sums over trees, links
names        column names and texts as identifiers, string literals and comments
"""
