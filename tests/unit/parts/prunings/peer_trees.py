"""Trees that peers grew, as ours: J48's from its JSON, C4.5's likewise, scikit-learn's from its arrays."""

from __future__ import annotations

import csv

import numpy as np

from hornbeam.table.column import Kind, nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.nodes import ALL_BRANCHES, Nodes, Tree
from hornbeam.tree.questions import Multiway, Threshold
from hornbeam.tree.questions.table import QuestionWriter


def read_table(text_lines, target, classes, levels):
    """A CSV as a table: columns in `levels` are nominal with those levels, others numeric; empty or NA is missing."""
    rows = list(csv.DictReader(text_lines))
    columns = []
    for name in rows[0]:
        values = [row[name] for row in rows]
        if name == target:
            continue
        if name in levels:
            place = {level: i for i, level in enumerate(levels[name])}
            columns.append(nominal(name, [place.get(v, -1) for v in values], tuple(levels[name])))
        else:
            columns.append(numeric(name, [float(v) if v not in ("", "NA", "?") else np.nan for v in values]))
    codes = [list(classes).index(row[target]) for row in rows]
    return Table(tuple(columns), nominal(target, codes, tuple(classes)))


def from_j48(root, table, classes):
    """J48's unpruned tree: numeric splits are threshold questions, nominal ones have one branch per level."""
    schema = table.schema
    writer = QuestionWriter()
    parent, first, n_branches, question, stats = [-1], [-1], [0], [-1], [root["counts"]]
    stack = [(0, root)]
    while stack:
        node, described = stack.pop()
        if described["leaf"]:
            continue
        position = schema.position(described["attribute"])
        below = [branch["node"] for branch in described["branches"]]
        if schema.columns[position].kind is Kind.NUMERIC:
            question[node] = writer.add(Threshold(position, float(described["split_point"])))
        else:
            question[node] = writer.add(Multiway(position, tuple(range(len(below)))))
        first[node], n_branches[node] = len(parent), len(below)
        for child in below:
            parent.append(node)
            first.append(-1)
            n_branches.append(0)
            question.append(-1)
            stats.append(child["counts"])
        stack.extend((first[node] + b, child) for b, child in reversed(list(enumerate(below))))
    stats = np.array(stats, dtype=float)
    answer = np.argmax(stats, axis=1).astype(float)
    for node in range(1, len(parent)):  # a branch without rows predicts what its parent predicts
        if stats[node].sum() == 0:
            answer[node] = answer[parent[node]]
    arrays = {
        "parent": np.array(parent),
        "first_child": np.array(first),
        "n_branches": np.array(n_branches),
        "question": np.array(question),
        "missing_branch": np.full(len(parent), ALL_BRANCHES),
        "stats": stats,
        "weight": stats.sum(axis=1),
        "rows": np.ceil(stats.sum(axis=1) - 1e-6).astype(int),
        "answer": answer,
    }
    return Tree(schema, Nodes(**arrays), writer.finished())


def outline_of_j48(root):
    """The shape in preorder: (attribute or None, class counts)."""
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        found.append((None if node["leaf"] else node["attribute"], [round(float(c), 3) for c in node["counts"]]))
        if not node["leaf"]:
            stack.extend(branch["node"] for branch in reversed(node["branches"]))
    return found


def outline(tree):
    """The same of a tree of ours."""
    found, stack = [], [0]
    while stack:
        node = stack.pop()
        below = tree.nodes.children(node)
        label = tree.schema.columns[tree.question(node).columns[0]].name if below else None
        found.append((label, [round(float(c), 3) for c in tree.nodes.stats[node]]))
        stack.extend(reversed(below))
    return found


def from_sklearn(model, table):
    """A fitted scikit-learn tree."""
    inner = model.tree_
    writer = QuestionWriter()
    origin, parent, first, question = [0], [-1], [-1], [-1]
    stack = [0]
    while stack:
        node = stack.pop()
        old = origin[node]
        if inner.children_left[old] < 0:
            continue
        question[node] = writer.add(Threshold(int(inner.feature[old]), float(inner.threshold[old])))
        first[node] = len(origin)
        for child in (inner.children_left[old], inner.children_right[old]):
            origin.append(int(child))
            parent.append(node)
            first.append(-1)
            question.append(-1)
        stack += [first[node] + 1, first[node]]
    weight = inner.weighted_n_node_samples[origin]
    value, impurity = inner.value[origin][:, 0, :], inner.impurity[origin]
    if table.schema.is_class:
        stats = np.round(value * weight[:, None])
        answer = np.argmax(stats, axis=1)
    else:
        stats = np.stack([weight, value[:, 0], impurity * weight], axis=1)
        answer = value[:, 0]
    arrays = {
        "parent": np.array(parent),
        "first_child": np.array(first),
        "n_branches": np.where(np.array(first) >= 0, 2, 0),
        "question": np.array(question),
        "stats": stats,
        "weight": weight,
        "rows": inner.n_node_samples[origin],
        "answer": answer.astype(float),
        "impurity": impurity,
    }
    return Tree(table.schema, Nodes(**arrays), writer.finished())


def in_order(described, table):
    """The branches by level, or low before high; C4.5 prints leaves first."""
    levels = table[described["attribute"]].levels

    def place(branch):
        return levels.index(branch["value"]) if branch["op"] == "=" else ("<=", ">").index(branch["op"])

    return [branch["node"] for branch in sorted(described["branches"], key=place)]


def from_c45(root, table, classes):
    """C4.5's unpruned tree; it prints no class counts, so these are taken from the rows, sent down as C4.5 does."""
    from hornbeam.parts.prunings.machinery.routes import Shape, visits

    def translated(described):
        """The same tree as J48 writes it."""
        out = {}
        stack = [(described, out)]
        while stack:
            given, new = stack.pop()
            new["leaf"], new["counts"] = given["leaf"], [0.0] * len(classes)
            if given["leaf"]:
                new["counts"][list(classes).index(given["class"])] = 1.0
                continue
            new["attribute"] = given["attribute"]
            new["split_point"] = next((b["value"] for b in given["branches"] if b["op"] == "<="), None)
            new["branches"] = [{"node": {}} for _ in given["branches"]]
            stack += [(a, b["node"]) for a, b in zip(in_order(given, table), new["branches"])]
        return out

    tree = from_j48(translated(root), table, classes)
    stats = np.zeros_like(tree.nodes.stats)
    rows = np.arange(len(table))
    for visit in visits(Shape(tree), list(table.columns), rows, np.ones(len(rows)), fractions_of_rows=True):
        stats[visit.node] = np.bincount(table.target.values[visit.rows], visit.weights, minlength=len(classes))
    label = tree.nodes.answer.copy()
    inner = ~tree.nodes.is_leaf
    label[inner] = np.argmax(stats[inner], axis=1)
    arrays = {**tree.nodes.arrays(), "stats": stats, "weight": stats.sum(axis=1), "answer": label}
    return Tree(tree.schema, Nodes(**arrays), tree.questions)


def attributes(root, table):
    """The shape of C4.5's tree in preorder: attribute of an inner node, class of a leaf."""
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        found.append(node["class"] if node["leaf"] else node["attribute"])
        if not node["leaf"]:
            stack.extend(reversed(in_order(node, table)))
    return found


def attributes_of(tree):
    """The same of a tree of ours."""
    found, stack = [], [0]
    while stack:
        node = stack.pop()
        below = tree.nodes.children(node)
        label = tree.schema.columns[tree.question(node).columns[0]].name if below else tree.prediction_text(node)
        found.append(label)
        stack.extend(reversed(below))
    return found
