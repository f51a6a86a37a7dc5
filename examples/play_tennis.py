"""Grows the tree of the lecture: ID3 on fourteen days of tennis, with the gains at every node."""

import hornbeam as hb

table = hb.datasets.load("play_tennis")
tree = hb.grow(table, "id3", trace=True)

print(hb.format_trace(tree))
print()
print(tree)
