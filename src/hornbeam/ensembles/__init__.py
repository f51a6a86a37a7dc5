"""Many trees that answer together: forests, bagging, boosting by weights, and what the rows left out say."""
