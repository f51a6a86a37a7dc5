"""Models of several trees: forests, bagging, boosting, and estimates from out-of-bag rows."""
