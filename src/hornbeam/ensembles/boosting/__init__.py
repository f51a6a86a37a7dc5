"""Gradient boosting below its settings: the plan for the core, the resulting trees, the reference implementation."""
