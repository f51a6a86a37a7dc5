"""How do classifiers of two classes tell many?  By a tree of classes (`draw_nested_dichotomy`), or by playing pairs (`games`).

problem, binary       the rows to learn from; one classifier of two groups, whatever library it comes from
class_tree, structure classes split in two again and again; which split is taken: given, by purity, by folds
purity, joining       how well one column tells two groups; the nearest groups joined, for many classes
nested                one classifier a node of the class tree
pairs, games          one classifier a pair of classes; DDAG, ADAG and max-wins over them
matching, coupling    who plays whom; shares of classes from shares of pairs
"""
