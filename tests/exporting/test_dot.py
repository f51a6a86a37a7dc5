"""The DOT of a tree parses back to the same tree, whatever the names are (battery B77)."""

from __future__ import annotations

import html
import re
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from tests.strategies import trees_with_rows

import hornbeam as hb
from hornbeam.exporting.conversion import export_model
from hornbeam.exporting.graph import edges, node_lines
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.text import printable

TOKEN = re.compile(r'\s*("(?:[^"\\\x00]|\\["\\nGNELT])*"|->|[A-Za-z_][A-Za-z_0-9]*|[{}\[\];,=+])')
HOSTILE = [
    'a"]; b -> c [label="d',
    "<b>&lt;&amp;&#34; &nope;</b>",
    "\\N \\G \\l \\",
    "nul\x00 escape\x1b[31m bell\x07 \u202e mark",
    "{y} | */ // # ${x} {{7*7}}",
    "x" * 40_000 + '"' * 10_000 + "\U0001f333" * 10_000,
]


def tokens_of(text):
    """All tokens of DOT; anything else is an error."""
    found, at = [], 0
    while text[at:].strip():
        token = TOKEN.match(text, at)
        assert token is not None, text[at : at + 60]
        assert len(token[1].encode()) < 16_384, "Graphviz reads no longer text"
        found.append(token[1])
        at = token.end()
    return found


def parse(text):
    """The labels of nodes and of edges; statements are `name [..];`, `name -> name [..];`, `name=value;`."""
    tokens = tokens_of(text)
    assert tokens[:3] == ["digraph", "tree", "{"]
    assert tokens[-1] == "}"
    nodes, branches, statement = {}, {}, []
    for token in tokens[3:-1]:
        if token != ";":
            statement.append(token)
            continue
        if statement[0] not in ("rankdir", "node", "edge"):
            at = statement.index("[")
            assert statement[at + 1 : at + 3] == ["label", "="]
            assert statement[-1] == "]"
            label = [unquoted(each) for each in statement[at + 3 : -1] if each != "+"]
            (branches if "->" in statement else nodes)[tuple(statement[:at:2])] = "".join(label)
        statement = []
    assert not statement
    return nodes, branches


def unquoted(token):
    text = re.sub(r"\\(.)", lambda mark: "\n" if mark[1] == "n" else mark[1], token[1:-1])
    return html.unescape(text)


def expected(tree):
    source = export_model(tree).trees[0]
    shown = {(f"n{node}",): "\n".join(map(one_line, node_lines(source, node))) for node in range(len(tree))}
    return shown, {(f"n{node}", f"n{child}"): one_line(text) for node, child, text in edges(source)}


def one_line(text):
    return printable(" ".join(text.split()))


def tree_of(name):
    table = Table(
        (numeric(name, [1.0, 2.0, 3.0, 4.0]), nominal(f"{name}!", [0, 1, 0, 1], (name, "other"))),
        nominal("y", [0, 1, 1, 0], (name, "b")),
    )
    return hb.grow(table, "plain")


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_dot_of_hostile_names_parses_back_to_the_same_tree(name):
    tree = tree_of(name)
    assert parse(hb.export(tree, format="dot")) == expected(tree)


@given(case=trees_with_rows(most_rows=0))
@settings(max_examples=40)
def test_dot_of_random_trees_parses_back_to_the_same_tree(case):
    assert parse(hb.export(case[0], format="dot")) == expected(case[0])


def graphviz(tree, *command):
    if None in map(shutil.which, ("dot", command[0])):
        pytest.skip("Graphviz is not installed")
    text = hb.export(tree, format="dot").encode()
    return subprocess.run(command, input=text, check=True, capture_output=True).stdout.decode()


def test_graphviz_counts_the_nodes_and_edges_of_hostile_names():
    for name in HOSTILE:
        tree = tree_of(name)
        assert graphviz(tree, "gc").split()[:2] == [str(len(tree)), str(len(tree) - 1)], name


# Without the longest name: Graphviz has no room for a node of that width.
def test_graphviz_shows_hostile_names_as_text():
    for name in HOSTILE[:-1]:
        tree = tree_of(name)
        texts = re.findall(r"<text[^>]*>(.*?)</text>", graphviz(tree, "dot", "-Tsvg"))
        nodes, branches = expected(tree)
        lines = {line for text in (*nodes.values(), *branches.values()) for line in text.split("\n")}
        assert {" ".join(html.unescape(text).split()) for text in texts} == lines, name
