"""scikit-learn's contract as a thin skin over tables, recipes and trees."""
