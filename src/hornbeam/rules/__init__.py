"""A tree as rules, or rules learned from one: simplified, post-pruned, ordered, voting; as text, tables and SQL."""

from hornbeam.rules.c45 import c45rules
from hornbeam.rules.files import load_rules
from hornbeam.rules.leaves import rules_of
from hornbeam.rules.measuring import measured
from hornbeam.rules.postpruning import postpruned
from hornbeam.rules.rule import Rule, RuleSet

__all__ = ["Rule", "RuleSet", "c45rules", "load_rules", "measured", "postpruned", "rules_of"]
