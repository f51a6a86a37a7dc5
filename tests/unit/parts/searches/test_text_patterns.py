"""Regular expressions of questions: the results of `re`, without its exponential time."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.errors import OptionError
from hornbeam.parts.searches.custom_questions import CustomQuestions
from hornbeam.parts.searches.machinery.question_tables import question_of
from hornbeam.parts.searches.machinery.text_patterns import compile_pattern
from hornbeam.table.column import Column, Kind

PATTERNS = [
    "",
    "^$",
    "^[aeiou]",
    "a.c",
    "(?s)a.c",
    "\\Aab\\Z",
    "\\bab\\b",
    "\\Bb",
    "(?m)^b$",
    "(?i)K",
    "(?i)[k-m]x",
    "(?x) a b",
    "r(se)?$",
    "(a|b)*c",
    "(a|a)*$",
    "^(a+)+$",
    "(a*)*b",
    "(|a)+b",
    "a|",
    "a??b",
    "a{0}b",
    "x{2,4}y",
    "a{3}",
    "(ab){2,}",
    "[^a-c]+$",
    "\\d{2}-\\d",
    "\\w+\\s\\W",
    "(?:ab|a)(?:c|bcd)(?:d*)$",
    "[\\d\\-_]x",
    "(?P<name>a|b)c",
    "(){9999}a",
]


@pytest.mark.parametrize("expression", PATTERNS)
@settings(max_examples=40)
@given(text=st.text(alphabet="abcdkKxy12-_ \n\u017f\u212a", max_size=12))
def test_a_text_contains_a_match_exactly_if_re_finds_one(expression, text):
    assert compile_pattern(expression)(text) == (re.search(expression, text) is not None)


@pytest.mark.parametrize("expression", ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "a*a*a*a*a*a*c", "^(a?){60}a{60}$"])
def test_a_pattern_that_re_cannot_finish_ends(expression):
    assert not compile_pattern(expression)("a" * 5000 + "b")


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (r"(a+)+\1", "a reference to a group"),
        ("(?=(a+)+b)c", "an assertion about what follows"),
        ("(?<!a)b", "an assertion about what follows or precedes"),
        ("(?>a+)b", "an atomic group"),
        ("a++b", "a possessive quantifier"),
        ("(a)?(?(1)b|c)", "a condition on a group"),
        ("(?i:a)b", "flags for a part"),
        ("(a{1000}){1000}", "more than 5,000 states"),
        ("((){0,9999}){0,9999}", "more than 5,000 states"),
    ],
)
def test_an_expression_that_no_automaton_can_follow_is_refused_with_the_reason(expression, reason):
    with pytest.raises(OptionError, match=f"must be a regular expression .*{reason}"):
        CustomQuestions(questions=[{"column": "x", "matches": expression}])


def test_deep_nesting_is_an_error_and_not_a_crash():
    with pytest.raises(OptionError, match="must be a regular expression"):
        CustomQuestions(questions=[{"column": "x", "matches": "(" * 20_000 + ")" * 20_000}])


def test_shell_patterns_of_many_stars_end():
    levels = ("a" * 5000 + "b", "a" * 50 + "c")
    column = Column("x", Kind.NOMINAL, np.array([0, 1], dtype=np.int32), levels)
    question = question_of({"column": "x", "like": ["*a" * 40 + "*c"]}, [column], "Question 0")
    assert question.branch([column]).tolist() == [1, 0]
