"""scikit-learn's own test files, run with hornbeam's estimators in place of scikit-learn's (`make peers-tests`)."""
