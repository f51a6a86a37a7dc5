"""Rejects the words of the project's former vocabulary, and "a X a Y" for "per",.

The glossary (docs/glossary.md) has the term for each concept. `repository.PLAIN` lists the folders in which the words
are rejected. Code blocks and inline code of Markdown are not
checked: they quote names and output.
"""

from __future__ import annotations

import re

import pytest
from tests.architecture.repository import EXCLUDED, PLAIN, ROOT, is_inside, is_plain, tracked

TEXT = {".py", ".pyi", ".cpp", ".hpp", ".md", ".toml", ".ts", ".css", ".html", ".sh", ".yml", ".txt"}

# A pattern, and what to write instead. Underscores count as spaces, so that names are checked too.
INSTEAD = {
    r"told|tells?": "predict, report, pass, distinguish",
    r"said|says": "predict, print, specify, return",
    r"asks|asked|asking": "test (a node), request (a user), call (a function)",
    r"speaks?|spoken|heard": "predict; handle (an interrupt)",
    r"judg(?:es?|ed|ing|e?ments?)": "score (questions), evaluate (models)",
    r"taught|teaches": "train",
    r"wish(?:es|ed)?": "parameters, settings",
    r"nobody|somebody|whoever": "name the caller, user or thread",
    r"lies|lie|lain": "is, is stored, is between",
    r"lent|lends?": "borrowed view, lazily computed",
    r"(?:stands?|standing|stood) in for": "is imputed with, replaces",
    r"side by side": "contiguous, adjacent, in parallel, compared",
    r"besides?": "next to, in addition to, compared with",
    r"so many": "n, that many",
    r"whole numbers?": "integer",
    r"heavie(?:r|st)": "majority branch, largest weight",
    r"dear(?:er|est)?": "expensive, slow",
    r"parted|parting": "partition (rows), separate (classes)",
    r"cuts? back": "prune",
    r"hand(?:s|ed)? (?:over|out)": "pass, return",
    r"never met": "unseen",
    r"kept apart|put aside|set apart": "held-out (rows), excluded (columns)",
    r"anew": "again, independently",
    r"mend(?:s|ed|ing)?": "fix, correct",
    r"reckon(?:s|ed|ing)?": "estimate",
    r"sh(?:elf|elves)": "registry",
    r"holes?": "missing value",
    r"twins?": "reference implementation, counterpart",
    r"tolls?": "penalty",
    r"crews?": "worker threads",
    r"clothes|skins?|at the door": "wrapper, validation",
    r"aslant|slanting": "oblique",
    r"for nothing": "at no extra cost",
    r"flatters?": "is optimistic",
    r"beware": "warning, limitation",
    r"seldom|now and then": "rarely; state how often",
    r"pruning and all|what there is|unawares": "including pruning; available; unnoticed",
    r"as (?:it|they) lies?|where (?:it|they) lies?|lies? ready": "in place, without a copy, contiguous",
}
_THING = r"(?:row|column|node|leaf|class|level|lane|tree|file|fold|pair|output|question|branch|worker|thread)"
_NOT_NOUN = (
    r"(?!(?:of|from|at|in|is|are|has|have|to|by|on|for|with|without|than|per|and|or|as|that|into|if|where|when) )"
)
_EACH = rf"(?:one|two|three|four|none|an?) (?:{_NOT_NOUN}\w+ )?|(?:bits|bytes|rows|nodes|steps) "
PER = re.compile(rf"\b(?!a node a leaf)(?:{_EACH})an? {_THING}\b(?! (?:has|have|is|was|can|of)\b)")
WORDS = {
    re.compile(rf"(?<![a-zA-Z])(?:{words})(?![a-zA-Z])", flags=re.IGNORECASE): use for words, use in INSTEAD.items()
}

# Uses of these words that are right: file, word and the reason.
ALLOWED = {
    ("src/hornbeam/tree/file/older_recipes.py", "toll"): "a setting of recipes in older files",
    ("src/hornbeam/tree/file/older_recipes.py", "judge"): "a setting of recipes in older files",
    ("tests/architecture/test_words.py", "*"): "lists the words",
    ("benchmarks/readme_table.py", "asked"): "labels of recorded results",
    ("tests/docs/test_benchmark_table.py", "asked"): "labels of recorded results",
}
_QUOTED = re.compile(r"^```.*?^```[ ]*$|`[^`\n]*`|\]\([^)\s]*\)", flags=re.MULTILINE | re.DOTALL)


def faults(text: str, suffix: str) -> list[str]:
    """The rejected words of a text, each with its line and what to write instead."""
    if suffix == ".md":
        text = _QUOTED.sub(lambda found: "\n" * found[0].count("\n"), text)
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        plain = line.replace("_", " ")
        for pattern, use in WORDS.items():
            found += [f"line {number}: {word!r}: use {use}" for word in pattern.findall(plain)]
        found += [f"line {number}: {each[0]!r}: use per" for each in PER.finditer(plain)]
    return found


def checked() -> list[str]:
    """The text files of the folders that are plain, without those that are allowed everything."""
    paths = [path for path in tracked() if path.suffix in TEXT and is_plain(path)]
    return [str(path) for path in paths if (str(path), "*") not in ALLOWED]


@pytest.mark.parametrize("path", checked())
def test_a_file_uses_the_terms_of_the_glossary(path):
    found = faults((ROOT / path).read_text("utf-8"), path[path.rfind(".") :])
    words = {word for name, word in ALLOWED if name == path}
    left = [each for each in found if each.split("'")[1].lower() not in words]
    assert not left, "\n".join(left)


def test_a_rejected_word_is_reported_with_its_line_and_the_term_to_use():
    assert faults("rows\nare told apart", ".py") == ["line 2: 'told': use predict, report, pass, distinguish"]
    assert faults("is_told = 1", ".py") == ["line 1: 'told': use predict, report, pass, distinguish"]
    assert faults("one number a row", ".py") == ["line 1: 'one number a row': use per"]


def test_words_in_code_of_markdown_and_inside_other_words_are_not_reported():
    assert faults("`told` and\n```\ntold\n```\n[x](told.md)", ".md") == []
    assert faults("recommended; retold; a rule that makes a node a leaf", ".py") == []


def test_every_text_file_is_tested_or_excluded():
    known = (*PLAIN, *EXCLUDED)
    assert [str(path) for path in tracked() if path.suffix in TEXT and not is_inside(path, known)] == []


def test_every_exception_is_needed():
    for name, word in ALLOWED:
        text = (ROOT / name).read_text("utf-8").lower()
        assert word == "*" or word in text, f"{name} no longer contains {word!r}"
