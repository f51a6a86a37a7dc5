"""Grows, prunes, evaluates and saves a tree: three species of iris by four lengths."""

import tempfile
from pathlib import Path

import hornbeam as hb

table = hb.datasets.load("iris")
grown = hb.grow(table, "cart")
tree = hb.prune(grown, {"name": "cost_complexity", "alpha": 0.02})
print(tree)

predicted = hb.predict(tree, table)
species = table.target.levels
truth = [species[code] for code in table.target.values]
print()
print(hb.evaluate(truth, predicted.probabilities, classes=predicted.classes))

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "iris.tree")
    hb.save(tree, path)
    print()
    print(f"{path.name}: {path.stat().st_size} bytes; after loading it has {hb.load(path).n_leaves} leaves")
