"""Functions that strategies for missing values share; no strategy is defined here."""
