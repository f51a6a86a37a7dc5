"""Functions and frames that several searches share; no search is defined here."""
