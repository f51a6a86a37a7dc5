"""Model files of rules: the same container as that of trees, with the kind "rules".

The description (canonical JSON) contains the schema, the rules and the method by which they predict; questions other
than intervals and sets are in a question table, as in a tree's file:

    rule       {answer, conditions, estimate, node, rows, stats, stays}
    condition  ["between", column, low, high, missing]          ["one_of", column, [code, ...], missing, unseen]
               ["answered", question, [answer, ...]]            ["routed", question, [[question, flipped], ...],
                                                                           otherwise, unseen, branch]

Files are untrusted: names, levels, questions, ranges and sums are validated on reading.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import ModelFileError, short_repr
from hornbeam.rules.conditions import REJECTED, Between, BranchIs, Condition, OneOf, RoutedTo
from hornbeam.rules.rule import METHODS, Rule, RuleSet
from hornbeam.table.column import Kind
from hornbeam.table.table import Schema
from hornbeam.tree.file import container, plain_values
from hornbeam.tree.file.files import MAX_BYTES, library_version, read_model, write_model
from hornbeam.tree.file.older_formats import upgrade_description
from hornbeam.tree.file.tree_arrays import TEXT, load_names, schema_in, schema_out, store_names
from hornbeam.tree.file.validate import check_schema, check_text, require_all
from hornbeam.tree.file.validate_questions import Levels, check_questions
from hornbeam.tree.nodes import STAY
from hornbeam.tree.questions import UNKNOWN, UNSEEN_LEVEL, Question, QuestionTable
from hornbeam.tree.questions.table import QuestionWriter, empty_table

_KEYS = {"predict_by", "default", "kinds", "metadata", "method", "names", "rows", "rules", "schema", "totals"}
_RULE_KEYS = {"answer", "conditions", "estimate", "node", "rows", "stats", "stays"}


def save_rules(rules: RuleSet, path: str | os.PathLike[str]) -> None:
    """Write rules to a file, whole or not at all."""
    write_model(os.fspath(path), rules_to_bytes(rules))


def load_rules(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> RuleSet:
    """Read rules from a file of at most `max_bytes` bytes."""
    return read_model(os.fspath(path), rules_from_bytes, max_bytes)


def rules_to_bytes(rules: RuleSet) -> bytes:
    """The bytes of a file of rules: the same rules are the same bytes."""
    check_schema(rules.schema)
    writer = QuestionWriter()
    described = [_rule_out(rule, writer) for rule in rules]
    default = None if rules.default is None else _rule_out(rules.default, writer)
    questions = writer.finished()
    about = {
        "predict_by": rules.predict_by,
        "default": default,
        "metadata": dict(rules.metadata),
        "method": rules.method,
        "names": list(questions.names),
        "rows": rules.rows,
        "rules": described,
        "schema": schema_out(rules.schema),
        "totals": list(rules.totals),
    }
    arrays: dict[str, npt.NDArray[Any]] = {f"questions.{name}": each for name, each in questions.arrays().items()}
    about |= store_names([arrays], kinds=[questions.kinds])
    arrays[TEXT] = np.frombuffer(plain_values.canonical_json(about), dtype=np.uint8)
    return container.write_container(arrays, {"hornbeam": library_version(), "kind": "rules"})


def rules_from_bytes(data: bytes) -> RuleSet:
    """The rules in the bytes of a file, fully validated."""
    arrays, about, _ = container.read_container(bytes(data))
    kind = about.get("kind")
    if kind != "rules":
        raise ModelFileError(
            f"The model must contain rules, got {short_repr(kind or '?')}.", hint="Use load for trees."
        )
    _check_arrays(arrays)
    description = upgrade_description(plain_values.parse_canonical_json(arrays[TEXT].tobytes()), "rules")
    if not isinstance(description, dict) or set(description) != _KEYS or not isinstance(description["names"], list):
        raise ModelFileError(f"The description must have the keys {', '.join(sorted(_KEYS))}.")
    for name in description["names"]:
        check_text(name, "A question's name")
    schema = schema_in(description["schema"])
    check_schema(schema)
    tables, arrays = load_names(description, arrays)
    fields = {name.removeprefix("questions."): each for name, each in arrays.items() if name.startswith("questions.")}
    table = QuestionTable(**fields, names=tuple(description["names"]), kinds=tables["kinds"])
    check_questions(table, Levels.of(schema), require_all)
    return _built(description, schema, table.all_questions())


def _check_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    expected = {f"questions.{name}": array.dtype for name, array in empty_table().arrays().items()}
    expected[TEXT] = np.dtype(np.uint8)
    for name, dtype in expected.items():
        if name not in arrays or arrays[name].dtype != dtype or arrays[name].ndim != 1:
            raise ModelFileError(f"The array {short_repr(name)} is missing or has another type.")
    for name in arrays:
        if name not in expected and not name.startswith("optional."):
            raise ModelFileError(
                f"The model requires {short_repr(name)}, which this version does not support.", hint="Upgrade hornbeam."
            )


def _built(description: dict[str, Any], schema: Schema, questions: list[Question]) -> RuleSet:
    rules, totals = description["rules"], _numbers(description["totals"], schema)
    _must(isinstance(rules, list), "The rules must be a list.")
    _must(isinstance(description["metadata"], dict), "The metadata must be a mapping.")
    _must(description["predict_by"] in METHODS, f"predict_by must be one of {', '.join(METHODS)}.")
    _must(_is_integer(description["rows"]) and description["rows"] >= 0, "The number of rows must be an integer.")
    check_text(description["method"], "The method")
    found = []
    for number, each in enumerate(rules):
        try:
            found.append(_rule_in(each, schema, questions))
        except ModelFileError as error:
            raise ModelFileError(f"Rule {number}: {error.message}", **error.remedy) from None
    default = None if description["default"] is None else _rule_in(description["default"], schema, questions)
    _must(default is None or not default.conditions, "The default must not have conditions.")
    return RuleSet(
        schema,
        tuple(found),
        default,
        totals,
        description["rows"],
        description["predict_by"],
        description["method"],
        description["metadata"],
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
    _must(isinstance(given, dict) and set(given) == _RULE_KEYS, f"it must have the keys {', '.join(_RULE_KEYS)}.")
    answer, estimate = given["answer"], given["estimate"]
    _must(_is_number(answer), "its prediction must be a number.")
    if schema.is_class:
        _must(answer == int(answer) and 0 <= answer < len(schema.classes), "its prediction must be a class.")
    _must(estimate is None or (_is_number(estimate) and 0 <= estimate <= 1), "its estimate must be between 0 and 1.")
    _must(_is_integer(given["node"]) and given["node"] >= -1, "its node must be an integer of at least -1.")
    _must(_is_integer(given["rows"]) and given["rows"] >= 0, "its rows must be an integer of at least 0.")
    _must(isinstance(given["stays"], bool) and isinstance(given["conditions"], list), "its values have other types.")
    conditions = tuple(_condition_in(each, schema, questions) for each in given["conditions"])
    stats = _numbers(given["stats"], schema)
    return Rule(schema, conditions, answer, stats, given["rows"], given["node"], estimate, given["stays"])


def _condition_out(condition: Condition, writer: QuestionWriter) -> list[Any]:
    if isinstance(condition, Between):
        return ["between", condition.column, condition.low, condition.high, condition.missing]
    if isinstance(condition, OneOf):
        return ["one_of", condition.column, list(condition.codes), condition.missing, condition.unseen]
    if isinstance(condition, BranchIs):
        return ["answered", writer.add(condition.question), list(condition.outcomes)]
    assert isinstance(condition, RoutedTo)
    surrogates = [[writer.add(question), is_flipped] for question, is_flipped in condition.surrogates]
    own = writer.add(condition.question)
    return ["routed", own, surrogates, condition.otherwise, condition.unseen, condition.branch]


def _condition_in(given: Any, schema: Schema, questions: list[Question]) -> Condition:
    _must(isinstance(given, list) and len(given) > 1, "a condition must be a list.")
    kind, index, *rest = given
    limit = len(schema.columns) if kind in ("between", "one_of") else len(questions)
    _must(_is_integer(index) and 0 <= index < limit, "a condition refers to a column or question that does not exist.")
    if kind == "between" and len(rest) == 3:
        return _between_in(index, rest, schema)
    if kind == "one_of" and len(rest) == 3:
        return _one_of_in(index, rest, schema)
    if kind == "answered" and len(rest) == 1:
        return BranchIs(questions[index], _outcomes_in(rest[0], questions[index]))
    if kind == "routed" and len(rest) == 4:
        return _routed_in(questions[index], rest, questions)
    raise ModelFileError(f"unknown condition {short_repr(kind)}.")


def _between_in(column: int, rest: list[Any], schema: Schema) -> Between:
    low, high, missing = rest
    _must(schema.columns[column].kind is Kind.NUMERIC, "an interval requires a numeric column.")
    _must(low is None or low == np.inf or _is_number(low), "the start of an interval must be a number.")
    _must(high is None or _is_number(high), "the end of an interval must be a number.")
    _must(isinstance(missing, bool), "missing must be true or false.")
    return Between(column, low, high, missing)


def _one_of_in(column: int, rest: list[Any], schema: Schema) -> OneOf:
    codes, missing, unseen = rest
    n_levels = len(schema.columns[column].levels)
    _must(schema.columns[column].has_levels, "a set of levels requires a column with levels.")
    is_list = isinstance(codes, list) and all(_is_integer(code) and 0 <= code < n_levels for code in codes)
    _must(is_list and codes == sorted(set(codes)), "its levels must exist, ascending, each once.")
    _must(isinstance(missing, bool) and isinstance(unseen, bool), "missing and unseen must be true or false.")
    return OneOf(column, tuple(codes), n_levels, missing, unseen)


def _outcomes_in(given: Any, question: Question) -> tuple[int, ...]:
    low = min(UNKNOWN, UNSEEN_LEVEL)
    is_list = isinstance(given, list) and all(_is_integer(each) and low <= each < question.n_branches for each in given)
    _must(is_list and given == sorted(set(given)), "its outcomes must exist, ascending, each once.")
    return tuple(given)


def _routed_in(question: Question, rest: list[Any], questions: list[Question]) -> RoutedTo:
    surrogates, otherwise, unseen, branch = rest
    pairs = isinstance(surrogates, list) and all(
        isinstance(each, list) and len(each) == 2 and _is_integer(each[0]) and isinstance(each[1], bool)
        for each in surrogates
    )
    _must(pairs and all(0 <= row < len(questions) for row, _ in surrogates), "its surrogates must exist.")
    most = question.n_branches  # one more than the outcomes: the branch of missing values
    for index, least in ((otherwise, STAY), (branch, STAY), (unseen if unseen is not None else 0, REJECTED)):
        _must(_is_integer(index) and least <= index <= most, "its branch must exist.")
    return RoutedTo(
        question, tuple((questions[row], flipped) for row, flipped in surrogates), otherwise, unseen, branch
    )


def _numbers(given: Any, schema: Schema) -> tuple[float, ...]:
    width = len(schema.classes) if schema.is_class else 3
    is_list = isinstance(given, list) and len(given) == width and all(_is_number(each) for each in given)
    _must(is_list, f"statistics must be {width} numbers.")
    _must(
        all(each >= 0 for index, each in enumerate(given) if schema.is_class or index != 1),
        "a weight must not be negative.",
    )
    return tuple(map(float, given))


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _is_number(value: Any) -> bool:
    return isinstance(value, float) and bool(np.isfinite(value))


def _must(is_valid: bool, message: str) -> None:
    if not is_valid:
        raise ModelFileError(message)
