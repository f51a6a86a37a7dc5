"""Models as SQL queries.

expressions   the branch of a question as an expression, NULL where it is undefined
stages        a query as a chain of common table expressions, one line per column
trees         the stages of trees: a branch column per node, then the node where a row ends, or its fractions
models        the stages of forests, rules and nested dichotomies, and the columns of the prediction
dialects      expressions in the SQL of other databases, by sqlglot
"""
