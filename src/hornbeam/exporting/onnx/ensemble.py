"""TreeEnsemble (ai.onnx.ml 5): the tests of all trees; each leaf has the row of a table of values as its weight.

A route whose results are needed in several places (surrogates, conjunctions) would copy the subtrees below it. It
becomes a tree of its own in a first TreeEnsemble, whose output is one more feature of the second: the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from hornbeam.exporting.model import ExportRule, ExportTree, Route
from hornbeam.exporting.onnx.columns import Columns
from hornbeam.exporting.onnx.decisions import INFINITY, LEQ, MEMBER, Decision, Decisions, Test, results

_OFFSET = 3  # results begin at -2; as features they are positive, because sets of positive integers are fastest

Place = tuple[int, int]  # the index of a test or a leaf, and 1 for a leaf


class Tests:
    """The arrays of one TreeEnsemble."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.members: list[tuple[float, ...]] = []
        self.leaf_weights: list[float] = []
        self.leaf_targets: list[int] = []
        self.roots: list[int] = []

    def leaf(self, weight: float, target: int) -> Place:
        """A new leaf: its index, and 1."""
        self.leaf_weights.append(weight)
        self.leaf_targets.append(target)
        return len(self.leaf_weights) - 1, 1

    def test(self, test: Test, true: Place, false: Place) -> Place:
        """A new test: its index, and 0."""
        self.rows.append(
            {
                "modes": test.mode,
                "featureids": test.feature,
                "splits": test.split,
                "truenodeids": true[0],
                "trueleafs": true[1],
                "falsenodeids": false[0],
                "falseleafs": false[1],
                "missing_value_tracks_true": int(test.missing_is_true),
            }
        )
        if test.mode == MEMBER:
            self.members.append(test.members)
        return len(self.rows) - 1, 0

    def placed(self, decision: Decision, ends: Callable[[int], Place]) -> Place:
        """A decision with its tests placed bottom-up; `ends` gives the place of each result."""
        waiting: list[tuple[Decision, bool]] = [(decision, False)]
        stack: list[Place] = []
        while waiting:
            here, is_ready = waiting.pop()
            if not isinstance(here, Test):
                stack.append(ends(here))
            elif is_ready:
                false, true = stack.pop(), stack.pop()
                stack.append(self.test(here, true, false))
            else:
                waiting += [(here, True), (here.false, False), (here.true, False)]
        return stack.pop()

    def root(self, place: Place) -> None:
        """Make a place the root of a tree; a leaf gets a test with this outcome for every row."""
        if place[1]:
            copy = self.leaf(self.leaf_weights[place[0]], self.leaf_targets[place[0]])
            place = self.test(Test(LEQ, 0, INFINITY, 0, 0), place, copy)
        self.roots.append(place[0])

    def attributes(self, n_features: int) -> dict[str, Any]:
        """The attributes of the operator; negative features are counted from the end of the given ones."""
        found: dict[str, Any] = {"aggregate_function": 1, "post_transform": 0, "n_targets": len(self.roots)}
        found["tree_roots"] = self.roots
        for name in self.rows[0]:
            found[f"nodes_{name}"] = [row[name] for row in self.rows]
        features = found["nodes_featureids"]
        found["nodes_featureids"] = [each if each >= 0 else n_features - 1 - each for each in features]
        found["nodes_modes"] = np.array(found["nodes_modes"], dtype=np.uint8)
        found["nodes_splits"] = np.array(found["nodes_splits"], dtype=np.float64)
        found["leaf_targetids"] = self.leaf_targets
        found["leaf_weights"] = np.array(self.leaf_weights, dtype=np.float64)
        if self.members:
            flat = [value for each in self.members for value in (*each, np.nan)]
            found["membership_values"] = np.array(flat, dtype=np.float64)
        return found


def older_attributes(tests: Tests, n_features: int) -> dict[str, Any]:
    """The attributes of a TreeEnsembleRegressor of ai.onnx.ml 3, which has no sets; its output is float32."""
    new = tests.attributes(n_features)
    rows: list[tuple[int, ...]] = []
    leaves: list[tuple[int, ...]] = []
    splits: list[float] = []
    weights: list[float] = []
    for tree, root in enumerate(tests.roots):
        waiting: list[tuple[int, int, int]] = [(0, root, 0)]
        n_nodes = 1
        while waiting:
            number, index, is_leaf = waiting.pop()
            if is_leaf:
                rows.append((tree, number, 0, 0, 0, 0, 0))
                leaves.append((tree, number, tests.leaf_targets[index]))
                splits.append(0.0)
                weights.append(tests.leaf_weights[index])
                continue
            own = {key.removeprefix("nodes_"): new[key][index] for key in new if key.startswith("nodes_")}
            rows.append((tree, number, 1, own["featureids"], n_nodes, n_nodes + 1, own["missing_value_tracks_true"]))
            splits.append(float(own["splits"]))
            waiting.append((n_nodes, own["truenodeids"], own["trueleafs"]))
            waiting.append((n_nodes + 1, own["falsenodeids"], own["falseleafs"]))
            n_nodes += 2
    names = ("treeids", "nodeids", "modes", "featureids", "truenodeids", "falsenodeids", "missing_value_tracks_true")
    found: dict[str, Any] = {f"nodes_{name}": [row[at] for row in rows] for at, name in enumerate(names)}
    found["nodes_modes"] = ["BRANCH_LEQ" if mode else "LEAF" for mode in found["nodes_modes"]]
    found |= {f"target_{name}": [leaf[at] for leaf in leaves] for at, name in enumerate(("treeids", "nodeids", "ids"))}
    found["nodes_values_as_tensor"] = np.array(splits)
    found["target_weights_as_tensor"] = np.array(weights)
    return {**found, "n_targets": len(tests.roots), "aggregate_function": "SUM", "post_transform": "NONE"}


class Ensemble:
    """The two TreeEnsembles of a model: `routes` computes results, `trees` the rows of the table of values."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.decisions = Decisions(columns)
        self.trees, self.routes = Tests(), Tests()
        self.n_rows = 0
        self._known: dict[Route, int] = {}

    def add_tree(self, tree: ExportTree, target: int) -> None:
        """Add a tree; its nodes are the next rows of the table."""
        first = self.n_rows
        self.n_rows += len(tree)
        places: dict[int, Place] = {}
        for index in range(len(tree) - 1, -1, -1):
            route = tree.route(index)
            if route is None:
                continue
            children = tuple(tree.source.nodes.children(index))
            inner = {branch for branch, child in enumerate(children) if child in places}

            def end(result: int, children: tuple[int, ...] = children, index: int = index) -> Place:
                node = children[result] if result >= 0 else index
                return places[node] if node in places else self.trees.leaf(float(first + node), target)

            places[index] = self.trees.placed(self._decision(route, inner), end)
        self.trees.root(places[0] if 0 in places else self.trees.leaf(float(first), target))

    def add_rule(self, rule: ExportRule, target: int) -> None:
        """Add a rule as a tree with the values 1 where all of its tests are true and 0 elsewhere."""
        decision: Decision = 1
        for test in reversed(rule.tests):
            members = tuple(float(result + _OFFSET) for result in test.accepted)
            feature = self._result_feature(test.route)
            decision = Test(MEMBER, feature, 0.0, decision, 0, members=members) if members else 0
        self.trees.root(self.trees.placed(decision, lambda result: self.trees.leaf(float(result), target)))

    def _decision(self, route: Route, inner: set[int]) -> Decision:
        """The decision of a route; by its result if a result that leads to more tests appears more than once."""
        decision = self.decisions.of_route(route)
        counts = Counter(results(decision))
        if all(counts[branch] <= 1 for branch in inner):
            return decision
        feature = self._result_feature(route)
        *lower, last = sorted(counts)
        found: Decision = last
        for result in reversed(lower):
            found = Test(LEQ, feature, float(result + _OFFSET), result, found)
        return found

    def _result_feature(self, route: Route) -> int:
        """The feature of the result of a route, a negative number."""
        if route not in self._known:
            self._known[route] = len(self._known)
            number = self._known[route]
            place = self.routes.placed(
                self.decisions.of_route(route), lambda result: self.routes.leaf(float(result + _OFFSET), number)
            )
            self.routes.root(place)
        return -1 - self._known[route]
