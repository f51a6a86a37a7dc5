"""Code that several sources of models share."""
