"""Code that losses and evaluations share."""
