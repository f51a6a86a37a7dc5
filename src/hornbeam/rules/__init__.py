"""Rules from a tree: one per leaf, post-pruned, or by C4.5rules; as text, tables and SQL.

rule, conditions, routing                      rules and rule sets; their conditions; the conditions of a branch
leaves, paths                                  one rule per leaf; the conditions on the path to a leaf
training, bits, generalizing                   training rows of rules; sets of rows as bits; dropping of conditions
postpruning, c45, code_length, subsets         post-pruned rules; C4.5rules and its choice by code length
matching, prediction, rule_metrics, measure    the rows that rules match; predictions; metrics on other rows
text, files, sql, sql_questions, sql_text      printed text and tables; model files; SQL
questionnaire                                  a tree as a form to print
"""

from hornbeam.rules.c45 import c45rules
from hornbeam.rules.leaves import extract_rules
from hornbeam.rules.measure import measure_rules
from hornbeam.rules.postpruning import postprune_rules
from hornbeam.rules.questionnaire import Questionnaire, questionnaire
from hornbeam.rules.rule import Rule, RuleSet

__all__ = [
    "Questionnaire",
    "Rule",
    "RuleSet",
    "c45rules",
    "extract_rules",
    "measure_rules",
    "postprune_rules",
    "questionnaire",
]
