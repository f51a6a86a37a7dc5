"""Uses every part of the package, once it is installed."""

import hornbeam as hb

iris = hb.datasets.load("iris")
stops = [{"name": "max_depth", "depth": 3}, {"name": "min_fraction", "fraction": 0.2}]

recipe = hb.recipe("plain").with_changes(criterion={"name": "tsallis", "q": 1.2}, searches=["median_cut"], stops=stops)
tree = hb.grow(iris, recipe)
print(tree)
print(sorted({tree.reason(node) for node in range(len(tree)) if tree.nodes.is_leaf[node]}))

oblique = hb.grow(iris, recipe.with_changes(searches=["sorted_cuts", "differences"]))
print(oblique)
hb.save(oblique, "iris.tree")
print(str(hb.load("iris.tree")) == str(oblique))

forest = hb.grow(iris, recipe.with_changes(ensemble={"name": "subagging", "n_trees": 5}))
print(forest)
