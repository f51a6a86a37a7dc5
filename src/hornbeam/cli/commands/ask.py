"""Walk through a saved tree in the terminal: enter the values of one case and get its prediction.

Only the columns on the path are requested. The prompts accept a number, a level or its number in the list, and

  unknown, ?   the value is missing: the tree follows its rule for missing values
  back         return to the previous value
  why          print the question that needs the value, and the prediction so far
  quit         stop without a prediction

A level with one of these names is entered by its number in the list. Values can also be piped, one per line.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage, add_model
from hornbeam.cli.output import Output, one_line
from hornbeam.errors import Cancelled, nearest, short_repr

if TYPE_CHECKING:
    from hornbeam.explanation.interview import Interview
    from hornbeam.table.column import ColumnSpec

SUMMARY = "enter the values of one case and get its prediction"
DOING = "predict the case"
EXAMPLE = "hornbeam ask patients.tree"
_UNKNOWN, _BACK, _WHY, _QUIT = ("unknown", "?"), ("back", "b"), ("why", "w"), ("quit", "q")
_COMMANDS = (*_UNKNOWN, *_BACK, *_WHY, *_QUIT)
_MAX_LISTED = 20


class _NoValue(Exception):  # noqa: N818 - ends one prompt, no error of the program
    """The text is not a value of the column; the message is the reason."""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam ask`."""
    add_model(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Walk through a tree."""
    from hornbeam.explanation.interview import Interview
    from hornbeam.tree.file.files import load_tree

    interview = Interview(load_tree(args.model, member=args.tree_index))
    if not out.quiet:
        _show("Enter a value, or: unknown, back, why, quit.")
    while (column := interview.next_column()) is not None:
        _prompt(interview, column)
    found = interview.explanation()
    specs = interview.tree.schema.columns
    answers = {specs[at].name: value for at, value in interview.answers.items()}
    values = {**found.as_dict(), "answers": answers}
    del values["row"]
    out.result(str(found).replace(f"Row {found.row}: ", "Prediction: ", 1), values)
    return 0


def _prompt(interview: Interview, column: int) -> None:
    """Read one line and apply it: a value, or a command."""
    spec = interview.tree.schema.columns[column]
    text = _read(_label(spec))
    is_level = spec.has_levels and text in map(str, spec.levels)
    command = text.casefold() if not is_level else ""
    if command in _QUIT:
        raise Cancelled("The user stopped.")
    if command in _BACK:
        removed = interview.back()
        _show("This is the first value." if removed is None else "The previous value is removed.")
    elif command in _WHY:
        _show(_reason(interview))
    elif command in _UNKNOWN:
        interview.answer(column, None)
    else:
        try:
            interview.answer(column, _value(spec, text))
        except _NoValue as reason:
            _show(str(reason))


def _label(spec: ColumnSpec) -> str:
    if not spec.has_levels:
        return f"{spec.name} (number): "
    listed = "  ".join(f"{number} {level}" for number, level in enumerate(spec.levels[:_MAX_LISTED], start=1))
    more = len(spec.levels) - _MAX_LISTED
    return f"{spec.name} ({listed}{f'  and {more:,} more levels' if more > 0 else ''}): "


def _read(label: str) -> str:
    sys.stderr.write(one_line(label))
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        sys.stderr.write("\n")
        raise Usage("The input ended before the prediction.", hint="Enter one value per line, or run it in a terminal.")
    if not sys.stdin.isatty():
        sys.stderr.write(one_line(line.strip()) + "\n")
    return line.strip()


def _value(spec: ColumnSpec, text: str) -> Any:
    """The value of a column that a text means."""
    if spec.has_levels:
        return _level(spec, text)
    from hornbeam.table.dates import days_of
    from hornbeam.table.number_grammar import parse_number

    number = parse_number(text)
    if number is None and text:
        days = days_of((text,))
        number = None if days is None else float(days[0])
    if number is None or number != number:
        raise _NoValue(f"{short_repr(text)} is not a number. Enter a number such as 12.5, or unknown.")
    return number


def _level(spec: ColumnSpec, text: str) -> Any:
    exact = {str(level): level for level in spec.levels}
    if text in exact:
        return exact[text]
    if text.isdecimal() and 1 <= int(text) <= len(spec.levels):
        return spec.levels[int(text) - 1]
    folded = [level for level in spec.levels if str(level).casefold() == text.casefold()]
    if len(folded) == 1:
        return folded[0]
    close = nearest(text, [*exact, *_COMMANDS])
    hint = f"Did you mean {' or '.join(map(repr, close))}?" if close else "Enter a level of the list, or unknown."
    raise _NoValue(f"{short_repr(text)} is not a level of {spec.name}. {hint}")


def _reason(interview: Interview) -> str:
    """The question that needs the value, the path so far and the prediction there."""
    from hornbeam.tree.text import class_probabilities

    tree, node = interview.tree, interview.next_node()
    assert node is not None
    condition = tree.question(node).text(tree.schema)
    at_node = class_probabilities(tree, node) if tree.is_class else tree.prediction_text(node)
    path = []
    child = node
    while (parent := int(tree.nodes.parent[child])) >= 0:
        path.append(tree.branch_text(parent, child - int(tree.nodes.first_child[parent])))
        child = parent
    known = f" Path: {' and '.join(reversed(path))}." if path else ""
    return f"The tree tests: {condition}.{known} Prediction so far: {at_node}."


def _show(text: str) -> None:
    sys.stderr.write(one_line(text) + "\n")
