"""How are rules kept in a file?  In the same container as trees, of the kind "rules".

The description (canonical JSON) holds the schema, the rules one by one and how they answer; questions that are not
plain intervals or sets stand in a question table, as in a tree's file:

    rule       {answer, conditions, estimate, node, rows, stats, stays}
    condition  ["between", column, low, high, missing]          ["one_of", column, [code, ...], missing, unseen]
               ["answered", question, [answer, ...]]            ["routed", question, [[question, flipped], ...],
                                                                           otherwise, unseen, branch]

Reading checks everything as if anyone had written it: names, levels, questions, ranges, sums.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import ModelFileError, short_repr
from hornbeam.rules.conditions import REFUSED, Between, BranchIs, Condition, OneOf, RoutedTo
from hornbeam.rules.rule import WAYS, Rule, RuleSet
from hornbeam.table.column import Kind
from hornbeam.table.table import Schema
from hornbeam.tree import container, plain_values
from hornbeam.tree.files import LARGEST, library_version, read_model, write_model
from hornbeam.tree.nodes import STAY
from hornbeam.tree.questions import UNKNOWN, UNSEEN_LEVEL, Question, QuestionTable
from hornbeam.tree.questions.base import QuestionWriter, empty_table
from hornbeam.tree.tree_arrays import TEXT, schema_in, schema_out
from hornbeam.tree.validate import check_schema, check_text, require_all
from hornbeam.tree.validate_questions import Levels, check_questions

_KEYS = {"answers_by", "default", "facts", "method", "names", "rows", "rules", "schema", "totals"}
_RULE_KEYS = {"answer", "conditions", "estimate", "node", "rows", "stats", "stays"}


def save_rules(rules: RuleSet, path: str | os.PathLike[str]) -> None:
    """Write rules to a file, whole or not at all."""
    write_model(os.fspath(path), rules_to_bytes(rules))


def load_rules(path: str | os.PathLike[str], *, largest: int = LARGEST) -> RuleSet:
    """Read rules from a file of at most `largest` bytes."""
    return read_model(os.fspath(path), rules_from_bytes, largest)


def rules_to_bytes(rules: RuleSet) -> bytes:
    """The bytes of a file of rules: the same rules are the same bytes."""
    check_schema(rules.schema)
    writer = QuestionWriter()
    said = [_rule_out(rule, writer) for rule in rules]
    default = None if rules.default is None else _rule_out(rules.default, writer)
    questions = writer.finished()
    about = {
        "answers_by": rules.answers_by,
        "default": default,
        "facts": dict(rules.metadata),
        "method": rules.method,
        "names": list(questions.names),
        "rows": rules.rows,
        "rules": said,
        "schema": schema_out(rules.schema),
        "totals": list(rules.totals),
    }
    arrays: dict[str, npt.NDArray[Any]] = {f"questions.{name}": each for name, each in questions.arrays().items()}
    arrays[TEXT] = np.frombuffer(plain_values.canonical_json(about), dtype=np.uint8)
    return container.write_container(arrays, {"hornbeam": library_version(), "kind": "rules"})


def rules_from_bytes(data: bytes) -> RuleSet:
    """The rules of a file's bytes, checked through and through."""
    arrays, about, _ = container.read_container(bytes(data))
    kind = about.get("kind")
    if kind != "rules":
        raise ModelFileError(f"The model is a {short_repr(kind or '?')}; rules are needed.", hint="Use load for trees.")
    _check_arrays(arrays)
    said = plain_values.parse_canonical_json(arrays[TEXT].tobytes())
    if not isinstance(said, dict) or set(said) != _KEYS or not isinstance(said["names"], list):
        raise ModelFileError(f"The description does not name {', '.join(sorted(_KEYS))}.")
    for name in said["names"]:
        check_text(name, "A question's name")
    schema = schema_in(said["schema"])
    check_schema(schema)
    fields = {name.removeprefix("questions."): each for name, each in arrays.items() if name.startswith("questions.")}
    table = QuestionTable(**fields, names=tuple(said["names"]))
    check_questions(table, Levels.of(schema), require_all)
    return _built(said, schema, table.all_questions())


def _check_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    wanted = {f"questions.{name}": array.dtype for name, array in empty_table().arrays().items()}
    wanted[TEXT] = np.dtype(np.uint8)
    for name, dtype in wanted.items():
        if name not in arrays or arrays[name].dtype != dtype or arrays[name].ndim != 1:
            raise ModelFileError(f"The array {short_repr(name)} is not there, or is not what it must be.")
    for name in arrays:
        if name not in wanted and not name.startswith("optional."):
            raise ModelFileError(
                f"The model needs {short_repr(name)}, which is unknown here.", hint="Upgrade hornbeam."
            )


def _built(said: dict[str, Any], schema: Schema, questions: list[Question]) -> RuleSet:
    rules, totals = said["rules"], _numbers(said["totals"], schema)
    _must(isinstance(rules, list), "The rules are not a list.")
    _must(isinstance(said["facts"], dict), "The facts are not a mapping.")
    _must(said["answers_by"] in WAYS, f"answers_by must be one of {', '.join(WAYS)}.")
    _must(_is_whole(said["rows"]) and said["rows"] >= 0, "The number of rows is not a whole number.")
    check_text(said["method"], "The method")
    found = []
    for number, each in enumerate(rules):
        try:
            found.append(_rule_in(each, schema, questions))
        except ModelFileError as error:
            raise ModelFileError(f"Rule {number}: {error.message}", **error.remedy) from None
    default = None if said["default"] is None else _rule_in(said["default"], schema, questions)
    _must(default is None or not default.conditions, "The default has conditions.")
    return RuleSet(
        schema, tuple(found), default, totals, said["rows"], said["answers_by"], said["method"], said["facts"]
    )


def _rule_out(rule: Rule, writer: QuestionWriter) -> dict[str, Any]:
    return {
        "answer": rule.answer,
        "conditions": [_condition_out(condition, writer) for condition in rule.conditions],
        "estimate": rule.estimate,
        "node": rule.node,
        "rows": rule.rows,
        "stats": list(rule.stats),
        "stays": rule.stays,
    }


def _rule_in(given: Any, schema: Schema, questions: list[Question]) -> Rule:
    _must(isinstance(given, dict) and set(given) == _RULE_KEYS, f"it is not described by {', '.join(_RULE_KEYS)}.")
    answer, estimate = given["answer"], given["estimate"]
    _must(_is_number(answer), "its answer is not a number.")
    if schema.is_class:
        _must(answer == int(answer) and 0 <= answer < len(schema.classes), "its answer is no class.")
    _must(estimate is None or (_is_number(estimate) and 0 <= estimate <= 1), "its estimate is no share.")
    _must(_is_whole(given["node"]) and given["node"] >= -1, "its node is no node.")
    _must(_is_whole(given["rows"]) and given["rows"] >= 0, "its rows are no number of rows.")
    _must(isinstance(given["stays"], bool) and isinstance(given["conditions"], list), "its parts are of wrong kinds.")
    conditions = tuple(_condition_in(each, schema, questions) for each in given["conditions"])
    stats = _numbers(given["stats"], schema)
    return Rule(schema, conditions, answer, stats, given["rows"], given["node"], estimate, given["stays"])


def _condition_out(condition: Condition, writer: QuestionWriter) -> list[Any]:
    if isinstance(condition, Between):
        return ["between", condition.column, condition.low, condition.high, condition.missing]
    if isinstance(condition, OneOf):
        return ["one_of", condition.column, list(condition.codes), condition.missing, condition.unseen]
    if isinstance(condition, BranchIs):
        return ["answered", writer.add(condition.question), list(condition.answers)]
    assert isinstance(condition, RoutedTo)
    instead = [[writer.add(question), is_flipped] for question, is_flipped in condition.surrogates]
    own = writer.add(condition.question)
    return ["routed", own, instead, condition.otherwise, condition.unseen, condition.branch]


def _condition_in(given: Any, schema: Schema, questions: list[Question]) -> Condition:
    _must(isinstance(given, list) and len(given) > 1, "a condition is not a list.")
    kind, place, *rest = given
    limit = len(schema.columns) if kind in ("between", "one_of") else len(questions)
    _must(_is_whole(place) and 0 <= place < limit, "a condition looks at what is not there.")
    if kind == "between" and len(rest) == 3:
        return _between_in(place, rest, schema)
    if kind == "one_of" and len(rest) == 3:
        return _one_of_in(place, rest, schema)
    if kind == "answered" and len(rest) == 1:
        return BranchIs(questions[place], _answers_in(rest[0], questions[place]))
    if kind == "routed" and len(rest) == 4:
        return _routed_in(questions[place], rest, questions)
    raise ModelFileError(f"a condition of the kind {short_repr(kind)} is unknown.")


def _between_in(column: int, rest: list[Any], schema: Schema) -> Between:
    low, high, missing = rest
    _must(schema.columns[column].kind is Kind.NUMERIC, "an interval needs a numeric column.")
    _must(low is None or low == np.inf or _is_number(low), "an interval starts at no number.")
    _must(high is None or _is_number(high), "an interval ends at no number.")
    _must(isinstance(missing, bool), "missing must be true or false.")
    return Between(column, low, high, missing)


def _one_of_in(column: int, rest: list[Any], schema: Schema) -> OneOf:
    codes, missing, unseen = rest
    n_levels = len(schema.columns[column].levels)
    _must(schema.columns[column].has_levels, "a set of levels needs a column with levels.")
    is_list = isinstance(codes, list) and all(_is_whole(code) and 0 <= code < n_levels for code in codes)
    _must(is_list and codes == sorted(set(codes)), "its levels must exist, in order, each once.")
    _must(isinstance(missing, bool) and isinstance(unseen, bool), "missing and unseen must be true or false.")
    return OneOf(column, tuple(codes), n_levels, missing, unseen)


def _answers_in(given: Any, question: Question) -> tuple[int, ...]:
    low = min(UNKNOWN, UNSEEN_LEVEL)
    is_list = isinstance(given, list) and all(_is_whole(each) and low <= each < question.n_branches for each in given)
    _must(is_list and given == sorted(set(given)), "its answers must exist, in order, each once.")
    return tuple(given)


def _routed_in(question: Question, rest: list[Any], questions: list[Question]) -> RoutedTo:
    instead, otherwise, unseen, branch = rest
    pairs = isinstance(instead, list) and all(
        isinstance(each, list) and len(each) == 2 and _is_whole(each[0]) and isinstance(each[1], bool)
        for each in instead
    )
    _must(pairs and all(0 <= row < len(questions) for row, _ in instead), "its surrogates are not there.")
    most = question.n_branches  # one more than the answers: the branch of its own for missing values
    for place, least in ((otherwise, STAY), (branch, STAY), (unseen if unseen is not None else 0, REFUSED)):
        _must(_is_whole(place) and least <= place <= most, "it leads to no branch.")
    return RoutedTo(question, tuple((questions[row], flipped) for row, flipped in instead), otherwise, unseen, branch)


def _numbers(given: Any, schema: Schema) -> tuple[float, ...]:
    width = len(schema.classes) if schema.is_class else 3
    is_list = isinstance(given, list) and len(given) == width and all(_is_number(each) for each in given)
    _must(is_list, f"statistics are {width} numbers.")
    _must(all(each >= 0 for place, each in enumerate(given) if schema.is_class or place != 1), "a weight is negative.")
    return tuple(map(float, given))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _is_number(value: Any) -> bool:
    return isinstance(value, float) and bool(np.isfinite(value))


def _must(holds: bool, words: str) -> None:
    if not holds:
        raise ModelFileError(words)
