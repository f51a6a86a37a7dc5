"""Trees 100,000 deep are printed, put into rules and reported: work and text grow with the number of nodes.

At that depth anything quadratic takes hours or more memory than there is.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from tests.unit.tree.example_trees import chain

import hornbeam as hb
from hornbeam.errors import MemoryLimitError
from hornbeam.rules import leaves

DEEP = 100_000


@pytest.fixture(scope="module")
def deep() -> hb.Tree:
    return chain(DEEP)


def test_a_deep_tree_is_printed(deep):
    text = str(deep)
    assert text.count("\n") == 2 * DEEP
    assert len(text) < 100 * len(deep)
    assert len(hb.tree.summary(deep)) < 10_000


def test_a_deep_tree_gives_rules(deep):
    rules = hb.extract_rules(deep)
    assert len(rules) == DEEP + 2
    assert len(rules.text()) < 100 * len(deep)


def test_a_deep_tree_is_drawn_and_reported(deep):
    assert len(hb.draw(deep).svg) < 100 * len(deep)
    assert len(hb.report(deep).html) < 100 * len(deep)


def test_the_other_branch_may_be_the_deep_one():
    tree = mirrored(chain(20_000))
    assert len(str(tree)) < 100 * len(tree)
    assert len(hb.extract_rules(tree).text()) < 100 * len(tree)
    assert len(hb.report(tree).html) < 100 * len(tree)


def mirrored(tree: hb.Tree) -> hb.Tree:
    """The same chain with every question's branches exchanged: the path goes down the first branch."""
    from hornbeam.tree.nodes import Nodes
    from hornbeam.tree.questions import Threshold
    from hornbeam.tree.questions.table import QuestionWriter

    n = len(tree)
    depth = n // 2
    at = np.arange(n)
    # Inner node k stands at 2 k - 1 (the root at 0), its leaf right after its next inner node.
    order = np.concatenate([[0], np.where(at[1:] % 2 == 1, at[1:] + 1, at[1:] - 1)])
    old = tree.nodes
    parent, first = np.full(n, -1), np.full(n, -1)
    number = np.empty(n, dtype=np.int64)
    number[order] = at
    parent[1:] = number[old.parent[order[1:]]]
    inner = np.flatnonzero(old.first_child[order] >= 0)
    first[inner] = number[old.first_child[order[inner]] + 1]
    writer = QuestionWriter()
    for cut in range(depth):
        writer.add(Threshold(0, -float(cut)))
    arrays = {"parent": parent, "first_child": first, "n_branches": old.n_branches[order]}
    arrays |= {"question": old.question[order], "stats": old.stats[order], "weight": old.weight[order]}
    arrays |= {"rows": old.rows[order], "answer": old.answer[order]}
    return hb.Tree(tree.schema, Nodes(**arrays), writer.finished())


WITH_ROWS = """
import resource
import numpy as np
import hornbeam as hb
n = 12_000
table = hb.read({"x": np.arange(n, dtype=float), "y": np.where(np.arange(n) % 2 == 0, "a", "b")}, target="y")
tree = hb.grow(table, hb.recipe("plain").with_changes(stops=[{"name": "min_split", "rows": 2}]))
assert tree.depth == n - 1
hb.report(hb.grow(table.take(np.arange(50))), table, table)
size = next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmSize"))
resource.setrlimit(resource.RLIMIT_AS, (size + (300 << 20),) * 2)
print(len(hb.report(tree, table, table).html) > 0, len(hb.draw(tree, table).svg) > 0)
"""


def test_a_report_with_rows_takes_memory_for_the_rows_and_not_for_their_paths():
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", WITH_ROWS], capture_output=True, text=True, timeout=300)
    assert ran.stdout.split() == ["True", "True"], ran.stderr[-2000:]


def test_rules_of_paths_that_cannot_be_put_together_are_bounded(monkeypatch):
    monkeypatch.setattr(leaves, "_MAX_CONDITIONS", 100)
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 3))
    table = hb.table.table_from_arrays(X, np.where(random.random(400) < 0.5, "a", "b"))
    tree = hb.grow(table, hb.recipe("plain").with_changes(searches=["lda_plane"]))
    with pytest.raises(MemoryLimitError, match="more than 100 conditions"):
        hb.extract_rules(tree)
