"""The queries of models: stages for the trees or rules, then the prediction and the class probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hornbeam.exporting.code.packing import possible_ends
from hornbeam.exporting.model import ExportModel, ExportTree, ForestModel, NestedModel, Route, RulesModel, TreeModel
from hornbeam.exporting.sql.expressions import double, route_sql
from hornbeam.exporting.sql.links import add_link, divided, largest_of
from hornbeam.exporting.sql.stages import Column, Stages
from hornbeam.exporting.sql.trees import Ends, add_trees, case_of
from hornbeam.rules.conditions import Between, OneOf
from hornbeam.rules.rule import RuleSet
from hornbeam.rules.sql import condition_sql
from hornbeam.rules.sql_text import ALWAYS, identifier, literal, number

_BATCH_NODES, _BATCH_TREES = 300, 50


class ModelQuery:
    """Writes a model into stages; `series` selects the exponential function, `raw_scores` adds the sums."""

    def __init__(self, stages: Stages, *, series: bool, raw_scores: bool) -> None:
        self.stages = stages
        self.series = series
        self.raw_scores = raw_scores
        self.scores: list[str] = []

    def columns(self, model: ExportModel) -> list[Column]:
        """The columns of the prediction, after all stages were added."""
        if isinstance(model, RulesModel):
            found = self._rules(model)
        elif isinstance(model, NestedModel):
            found = self._nested(model)
        else:
            label, values = self.values(model, "")
            found = [("prediction", label), *self._probabilities(model, values)]
        if self.raw_scores and isinstance(model, ForestModel):
            classes = model.classes if len(self.scores) > 1 else ()
            names = [identifier(f"raw_score_{each}") for each in classes] or ["raw_score"]
            found += list(zip(names, self.scores, strict=True))
        return found

    @staticmethod
    def _probabilities(model: ExportModel, values: Sequence[str]) -> list[Column]:
        names = [identifier(f"probability_{each}") for each in model.classes]
        return list(zip(names, values, strict=True)) if model.is_class else []

    def values(self, model: ExportModel, prefix: str) -> tuple[str, list[str]]:
        """The label (or number) and the values of a tree or forest, as expressions."""
        if isinstance(model, TreeModel):
            return self._tree(model, prefix)
        assert isinstance(model, ForestModel)
        return self._forest(model, prefix)

    def _tree(self, model: TreeModel, prefix: str) -> tuple[str, list[str]]:
        tree = model.tree
        ends = add_trees(self.stages, [tree], [prefix])[0]
        width = tree.values.shape[1]
        values = [ends.value(_values(tree, k)) for k in range(width)]
        if not model.is_class:
            return values[0], values
        labels = [literal(each) for each in model.classes]
        if ends.portions:
            values = self._mixture(ends, tree.values.tolist(), width, prefix)
            return largest_of(values, labels), values
        return case_of(ends.leaf, {node: labels[tree.labels[node]] for node in sorted(possible_ends(tree))}), values

    def _mixture(self, ends: Ends, values: list[list[float]], width: int, prefix: str) -> list[str]:
        """A stage with the mixture of a fractional tree; the names of its columns."""
        names = [self.stages.name(f"{prefix}mixture_{k}") for k in range(width)]
        columns = [
            (name, ends.value({node: values[node][k] for node in ends.portions})) for k, name in enumerate(names)
        ]
        self.stages.add("mixtures", columns)
        return names

    def _forest(self, model: ForestModel, prefix: str) -> tuple[str, list[str]]:
        sums = [double(number(value)) for value in model.base]
        for first, trees in _batches(model.trees):
            before = list(self.stages.live)
            prefixes = [f"{prefix}t{first + index}_" for index in range(len(trees))]
            ends = add_trees(self.stages, trees, prefixes)
            terms: list[list[str]] = [[] for _ in sums]
            for index, (each, name) in enumerate(zip(ends, prefixes, strict=True)):
                self._add_terms(model, first + index, each, terms, name)
            drop = [name for name in self.stages.live if name not in before]
            old = [name for name in sums if name in before]
            sums = self.stages.add_sums(f"{prefix}total", sums, terms, [*drop, *old])
        self.scores = sums
        values = add_link(self.stages, model.link, divided(self.stages, sums, model.divisor), self.series)
        if not model.is_class:
            return values[0], values
        return largest_of(values, [literal(each) for each in model.classes]), values

    def _add_terms(self, model: ForestModel, index: int, ends: Ends, terms: list[list[str]], prefix: str) -> None:
        """Append what a tree adds to each sum."""
        tree, weight = model.trees[index], model.weights[index]
        values = model.added_values(index).tolist()
        width = len(values[0])
        mixture = self._mixture(ends, values, width, prefix) if ends.portions else []
        if model.combine == "vote":
            label = ends.leaf
            groups = {k: [node for node in sorted(possible_ends(tree)) if tree.labels[node] == k] for k in range(width)}
            if mixture:
                label = self.stages.name(f"{prefix}label")
                self.stages.add("labels", [(label, largest_of(mixture, list(map(str, range(width)))))])
                groups = {k: [k] for k in range(width)}
            for k, keys in groups.items():
                if keys:
                    test = f"{label} IN ({', '.join(map(str, keys))})"
                    terms[k].append(double(f"CASE WHEN {test} THEN {number(weight)} ELSE 0e0 END"))
            return
        targets = [model.outputs[index]] if model.combine == "sum" else range(width)
        for k, target in enumerate(targets):
            if mixture:
                terms[target].append(f"{double(number(weight))} * {mixture[k]}")
            else:
                added = {node: weight * values[node][k] for node in sorted(possible_ends(tree))}
                terms[target].append(ends.value(added))

    def _nested(self, model: NestedModel) -> list[Column]:
        reached = {0: double("1e0")}
        chosen = "0"
        for index, node in enumerate(model.nodes):
            if node.first < 0:
                continue
            second = self.stages.name(f"second_{index}")
            if node.model is None:
                expression = double(number(node.only))
            else:
                expression = self.values(node.model, f"m{index}_")[1][1]
            self.stages.add("groups", [(second, expression)])
            at, to = self.stages.name("class_node"), [self.stages.name(f"reached_{each}") for each in (1, 2)]
            group = f"CASE WHEN 2e0 * {second} - 1e0 > 0e0 THEN {node.second} ELSE {node.first} END"
            move = f"CASE WHEN {chosen} = {index} THEN {group} ELSE {chosen} END"
            here = reached.pop(index)
            columns = [(to[0], f"{here} * (1e0 - {second})"), (to[1], f"{here} * {second}"), (at, move)]
            self.stages.add("groups", columns)
            reached[node.first], reached[node.second] = to
            chosen = at
        leaves = {index: node.classes[0] for index, node in enumerate(model.nodes) if node.first < 0}
        by_class = {code: reached[index] for index, code in leaves.items()}
        label = case_of(chosen, {index: literal(model.classes[code]) for index, code in leaves.items()})
        return [("prediction", label), *self._probabilities(model, [by_class[k] for k in range(len(model.classes))])]

    def _rules(self, model: RulesModel) -> list[Column]:
        rules = model.source
        assert isinstance(rules, RuleSet)
        everything = [*model.rules, *([] if model.default is None else [model.default])]
        name = self.stages.name("rule")
        clauses = self._clauses(model, rules)
        lines = [f"WHEN {clause} THEN {index}" for index, clause in enumerate(clauses)]
        tail = f"ELSE {len(model.rules)}" if model.default is not None else "ELSE NULL"
        case = "CASE\n      " + "\n      ".join([*lines, tail]) + "\n    END" if lines else tail[5:]
        labels = {k: literal(model.classes[rule.label]) for k, rule in enumerate(everything) if model.is_class}
        width = len(everything[0].values) if everything else 1
        values = [
            double(case_of(name, {index: number(rule.values[k]) for index, rule in enumerate(everything)}))
            for k in range(width)
        ]
        if model.by == "first":
            self.stages.add("matches", [(name, case)])
            label = case_of(name, labels) if model.is_class else values[0]
            return [("prediction", label), *self._probabilities(model, values)]
        return self._votes(model, clauses, name, case, values)

    def _clauses(self, model: RulesModel, rules: RuleSet) -> list[str]:
        """The condition of each rule; routes with surrogates and questions of several columns have a column each."""
        names: dict[Route, str] = {}
        clauses = []
        for rule, exported in zip(rules, model.rules, strict=True):
            tests = []
            for condition, test in zip(rule.conditions, exported.tests, strict=True):
                if isinstance(condition, (Between, OneOf)):
                    tests.append(condition_sql(condition, model.schema))
                    continue
                name = names.setdefault(test.route, f"node_{len(names)}")
                tests.append(f"{name} IN ({', '.join(map(str, test.accepted))})")
            clauses.append(" AND ".join(tests) or ALWAYS)
        if names:
            self.stages.taken.update(names.values())
            self.stages.add("branches", [(name, route_sql(route, model.schema)) for route, name in names.items()])
        return clauses

    def _votes(
        self, model: RulesModel, clauses: Sequence[str], name: str, case: str, values: Sequence[str]
    ) -> list[Column]:
        """Rules that vote: a column per rule, the sums of their votes; the first match where the sums are 0."""
        matches = [self.stages.name(f"rule_{index}") for index in range(len(model.rules))]
        columns = [(each, f"CASE WHEN {clause} THEN 1 ELSE 0 END") for each, clause in zip(matches, clauses)]
        self.stages.add("matches", [(name, case), *columns])
        width = len(model.classes) if model.is_class else 1
        terms: list[list[str]] = [[] for _ in range(width + 1)]
        for match, rule in zip(matches, model.rules, strict=True):
            vote = rule.strength if model.is_class else rule.strength * rule.values[0]
            for target, added in ((max(rule.label, 0), vote), (width, rule.strength)):
                terms[target].append(double(f"CASE WHEN {match} = 1 THEN {number(added)} ELSE 0e0 END"))
        sums = self.stages.add_sums("vote", [double("0e0")] * (width + 1), terms, matches)
        total = sums.pop()
        voted = [f"CASE WHEN {total} > 0e0 THEN {each} / {total} ELSE {value} END" for each, value in zip(sums, values)]
        if not model.is_class:
            return [("prediction", voted[0])]
        labels = [literal(each) for each in model.classes]
        everything = [*model.rules, *([] if model.default is None else [model.default])]
        first = case_of(name, {index: labels[rule.label] for index, rule in enumerate(everything)})
        label = f"CASE WHEN {total} > 0e0 THEN {largest_of(sums, labels)} ELSE {first} END"
        return [("prediction", label), *self._probabilities(model, voted)]


def _values(tree: ExportTree, k: int) -> dict[int, float]:
    return {node: float(tree.values[node, k]) for node in sorted(possible_ends(tree))}


def _batches(trees: Sequence[ExportTree]) -> Iterator[tuple[int, list[ExportTree]]]:
    """Trees in groups whose branch columns fit into one stage, with the index of the first."""
    first, nodes = 0, 0
    group: list[ExportTree] = []
    for index, tree in enumerate(trees):
        if group and (nodes + len(tree.inner) > _BATCH_NODES or len(group) >= _BATCH_TREES):
            yield first, group
            first, group, nodes = index, [], 0
        group.append(tree)
        nodes += len(tree.inner)
    if group:
        yield first, group
