"""Multi-class classification from binary classifiers: nested dichotomies, or one classifier per pair of classes.

problem, binary        the training rows; one binary classifier of two groups, from any library
dichotomy, structure   a tree of class sets, each split in two; how a split is chosen: given, by purity, by folds
purity, joining        how well one column separates two groups; the two groups that clustering finds for many classes
nested                 one classifier per inner node of the dichotomy
pairs, games           one classifier per pair of classes; DDAG, ADAG and max-wins over them
matching, coupling     which classes are compared in a round; class probabilities from pair probabilities
"""
