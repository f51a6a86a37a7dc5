"""Trees in the formats of scikit-learn: `export_text`, `export_graphviz` and `plot_tree`, for any tree of hornbeam."""
