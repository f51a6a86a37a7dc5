"""A kind of question and a stop of an installed package work everywhere that those of the library do.

The package is a module with an entry point of the group `hornbeam.parts`. Each test runs in a process of its own, so
that the registries of the other tests never contain the parts of the package.
"""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.tree.name_codes import REASONS

PLUGIN = '''
import dataclasses
from typing import ClassVar
import numpy as np
from hornbeam.parts.node import Candidate, sum_by_group
from hornbeam.parts.searches.base import Search
from hornbeam.parts.stops.base import Stop
from hornbeam.table.column import Kind
from hornbeam.tree.questions.base import UNKNOWN, Encoding, ManyColumns
from hornbeam.tree.questions.table import Row

@dataclasses.dataclass(frozen=True)
class Difference(ManyColumns):
    """The difference of two columns is at most a bound."""

    kind: ClassVar[str] = "difference"
    encoding: ClassVar[Encoding] = Encoding.PLANE
    bound: float

    def branch(self, columns):
        first, second = (columns[position].values for position in self.terms)
        step = first - second
        return np.where(np.isnan(step), UNKNOWN, np.where(step <= self.bound, 0, 1)).astype(np.int32)

    def text(self, schema, branch=0):
        first, second = (schema.columns[position].name for position in self.terms)
        return f"{first} minus {second} {'<=' if branch == 0 else '>'} {self.bound:.4g}"

    def encoded(self, table):
        return Row(self.kind, self.encoding, whole=self.terms, reals=(1.0, -1.0, self.bound))

    @classmethod
    def decoded(cls, table, row):
        return cls(tuple(table.whole_of(row).tolist()), float(table.reals_of(row)[2]))

@dataclasses.dataclass(frozen=True)
class Differences(Search):
    """The median of the difference between a column and the next one."""

    name: ClassVar[str] = "differences"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC,)

    def best(self, node, column, criterion, limits):
        other = (column + 1) % len(node.sample.columns)
        first, second = (node.sample.columns[each].take(node.rows).values for each in (column, other))
        question = Difference((column, other), float(np.median(first - second)))
        group = np.where(first - second <= question.bound, 0, 1)
        rows = np.bincount(group, minlength=2)
        weight = sum_by_group(group, node.weights, 2)
        if rows.min() == 0 or not limits.allows(rows, weight).all():
            return None
        branches = node.table(group, 2)
        parent = branches.sum(axis=0)
        score = float(criterion.score(parent, branches[None], 0.0, node.targets)[0])
        gain = float(criterion.gain(parent, branches[None], 0.0, node.targets)[0])
        return Candidate(
            column=column, question=question, score=score, gain=gain, parent=parent, branches=branches, rows=rows,
            weight=weight, missing_branch=0,
        )

@dataclasses.dataclass(frozen=True)
class OddRows(Stop):
    """A small node with an odd number of rows is a leaf."""

    name: ClassVar[str] = "odd_rows"
    reasons: ClassVar[tuple[str, ...]] = ("odd number of rows",)

    def reason(self, node, candidate):
        """'odd number of rows'."""
        return "odd number of rows" if node.n_rows < 40 and node.n_rows % 2 else None
'''

START = """
import json, sys
import numpy as np
import hornbeam as hb
iris = hb.datasets.load("iris").select(["sepal_length", "sepal_width", "petal_length", "petal_width"])
def seen(tree):
    nodes = range(len(tree))
    return {
        "text": str(tree),
        "reasons": [tree.reason(node) for node in nodes],
        "kinds": sorted({tree.question(node).kind for node in nodes if tree.nodes.first_child[node] >= 0}),
        "predictions": hb.predict(tree, iris).values.tolist(),
    }
"""

GROW = (
    START
    + """
stops = ["odd_rows", {"name": "max_depth", "depth": 4}]
recipe = hb.recipe("plain").with_changes(searches=["differences"], stops=stops)
tree = hb.grow(iris, recipe)
hb.save(tree, "own.tree")
from hornbeam.rules.files import load_rules, save_rules
from hornbeam.tree import walk
from hornbeam.tree.edit import collapse
from hornbeam.tree.forest import Forest
hb.save(Forest(tree.schema, (tree, collapse(tree, [1], reason="too large"), hb.grow(iris))), "many.tree")
rules = hb.extract_rules(tree)
save_rules(rules, "own.rules")
pruned = hb.prune(tree, "description_length")
print(json.dumps({
    **seen(tree),
    "engines": bool((walk.leaves(tree, iris.columns) == walk.leaves(tree, iris.columns, engine="python")).all()),
    "drawn": hb.draw(tree, iris).svg.count("minus"),
    "sql": hb.export(rules, format="sql"),
    "pruned": pruned.n_leaves,
    "leaves": tree.n_leaves,
    "rules": [str(rule) for rule in load_rules("own.rules")] == [str(rule) for rule in rules],
}))
"""
)

LOAD = (
    START
    + """
tree, many = hb.load("own.tree"), hb.load("many.tree")
hb.save(tree, "again.tree")
hb.save(many, "many-again.tree")
pairs = (("own.tree", "again.tree"), ("many.tree", "many-again.tree"))
same = all(open(a, "rb").read() == open(b, "rb").read() for a, b in pairs)
print(json.dumps({**seen(tree), "same": same, "members": [seen(each)["reasons"] for each in many]}))
"""
)

BROKEN = (
    START
    + """
from hornbeam.tree.file import container
from hornbeam.tree.file.files import from_bytes
def changed(place, value):
    arrays, about, _ = container.read_container(open("own.tree", "rb").read())
    arrays = {name: array.copy() for name, array in arrays.items()}
    arrays["questions.reals"][place] = value
    try:
        from_bytes(container.write_container(arrays, about))
    except hb.errors.ModelFileError as error:
        return error.message
print(json.dumps([changed(1, np.nan), changed(1, -2.0), changed(2, 0.25)]))
"""
)


@pytest.fixture
def run(tmp_path):
    """Runs a script in a new process where the package is installed, or is not; returns what the script printed."""
    (tmp_path / "site" / "differences-1.0.dist-info").mkdir(parents=True)
    (tmp_path / "site" / "differences.py").write_text(PLUGIN, encoding="utf-8")
    about = tmp_path / "site" / "differences-1.0.dist-info"
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: differences\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[hornbeam.parts]\ndifferences = differences\n", encoding="utf-8")

    def in_process(script, installed=True):
        paths = [str(tmp_path / "site")] if installed else []
        paths += [os.path.dirname(os.path.dirname(hb.__file__)), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        ran = subprocess.run(
            [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        assert ran.returncode == 0, ran.stderr[-3000:]
        return json.loads(ran.stdout)

    return in_process


def test_a_kind_and_a_stop_of_another_package_are_grown_predicted_printed_drawn_exported_and_pruned(run):
    found = run(GROW)
    assert found["kinds"] == ["difference"]
    assert "odd number of rows" in found["reasons"]
    assert "petal_length minus petal_width <=" in found["text"]
    assert found["engines"]
    assert found["drawn"] > 0
    assert "petal_length" in json.dumps(found["sql"])
    assert 1 <= found["pruned"] <= found["leaves"]
    assert found["rules"]


def test_its_model_file_is_the_same_in_another_process(run):
    grown, loaded = run(GROW), run(LOAD)
    for name in ("text", "reasons", "kinds", "predictions"):
        assert loaded[name] == grown[name]
    assert loaded["same"]
    assert loaded["members"][0] == grown["reasons"]
    assert "too large" in loaded["members"][1]
    assert set(loaded["members"][2]) <= set(REASONS)


def test_a_model_file_names_the_kind_that_is_not_installed(run):
    run(GROW)
    script = (
        "import hornbeam as hb, json\ntry:\n    hb.load('own.tree')\n"
        "except hb.errors.ModelFileError as error:\n    print(json.dumps(str(error)))"
    )
    assert "Unknown kind of question 'difference'" in run(script, installed=False)


def test_the_arrays_of_its_questions_are_checked_by_their_encoding_and_by_its_class(run):
    run(GROW)
    not_finite, not_a_difference, other_bound = run(BROKEN)
    assert "not finite" in not_finite
    assert "not those of a question of the kind difference" in not_a_difference
    assert other_bound is None


def test_a_reason_is_any_printable_text():
    tree = hb.grow(hb.datasets.load("iris"), "plain")
    small = hb.tree.collapse(tree, [0], reason="chosen in the meeting")
    assert small.reason(0) == "chosen in the meeting"
    for wrong in ("", "a\nb", "x" * 201):
        with pytest.raises(hb.errors.InputError, match="printable text"):
            hb.tree.collapse(tree, [0], reason=wrong)


def test_two_kinds_of_one_name_are_an_error():
    from hornbeam.tree.questions import Threshold

    with pytest.raises(hb.errors.OptionError, match="Two kinds of questions are called 'threshold'"):
        type("Other", (Threshold,), {"kind": "threshold"})


def test_numbers_of_names_are_stored_for_the_names_in_use_alone():
    from hornbeam.tree.file.tree_arrays import tree_to_arrays

    description, arrays = tree_to_arrays(hb.grow(hb.datasets.load("iris"), "plain"))
    assert description["kinds"] == ["threshold"]
    assert description["reasons"] == sorted(description["reasons"])
    assert set(np.unique(arrays["nodes.reason"])) == set(range(len(description["reasons"])))
