"""Other libraries that work with hornbeam's estimators, kept working (`make clients`)."""
