"""scikit-learn estimators: thin wrappers of recipes, ensembles and rules."""
