"""A tree as rules, or rules learned from one: simplified, post-pruned, ordered, voting; as text, tables and SQL."""

from hornbeam.rules.c45 import c45rules
from hornbeam.rules.files import load_rules
from hornbeam.rules.leaves import extract_rules
from hornbeam.rules.measure import measure_rules
from hornbeam.rules.postpruning import postprune_rules
from hornbeam.rules.rule import Rule, RuleSet

__all__ = ["Rule", "RuleSet", "c45rules", "extract_rules", "load_rules", "measure_rules", "postprune_rules"]
