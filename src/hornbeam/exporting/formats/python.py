"""Python: a module without dependencies."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from hornbeam.exporting.code.format import CodeFormat, about, joined, level_value, levels_of
from hornbeam.exporting.code.languages import Python as Target
from hornbeam.exporting.code.names import safe_comment
from hornbeam.exporting.code.program import Program
from hornbeam.exporting.model import ExportModel

_READ = '''
def _inputs(row):
    """The values of a row by column name as numbers; NaN if missing, -2 for an unseen level."""
    return [_input(row.get(name), levels) for name, levels in COLUMNS]


def _input(value, levels):
    if value is None or value != value:
        return float("nan")
    return float(value) if levels is None else float(levels.get(_level(value), -2.0))


def _level(value):
    if isinstance(value, (str, int, float)):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _evaluate(row, function, width):
    out = [0.0] * width
    label = function(_inputs(row), out)
    if label < 0:
        raise ValueError("The row has a level that the model rejects, or no rule covers it.")
    return label, out
'''
_CLASSES = '''
def predict(row):
    """The predicted class of a row: a dict of values by column name."""
    return CLASSES[_evaluate(row, evaluate, {width})[0]]


def probabilities(row):
    """The probability of each class, in the order of CLASSES."""
    return _evaluate(row, evaluate, {width})[1]
'''
_NUMBER = '''
def predict(row):
    """The predicted number of a row: a dict of values by column name."""
    return _evaluate(row, evaluate, 1)[1][0]
'''
_SCORES = '''
def raw_scores(row):
    """The sums of the trees before the link."""
    return _evaluate(row, scores, {n})[1]
'''


@dataclasses.dataclass(frozen=True)
class Python(CodeFormat):
    """A Python module without imports of other packages: predict(row) and probabilities(row)."""

    name: ClassVar[str] = "python"
    suffixes: ClassVar[tuple[str, ...]] = (".py",)

    def write(self, model: ExportModel) -> str:
        """The module."""
        program = self.program(model)
        names = [
            "predict",
            *(["probabilities"] if model.is_class else []),
            *(["raw_scores"] if program.n_scores else []),
        ]
        head = "\n".join(safe_comment(line) for line in about(model)).replace('"', "'")
        api = _CLASSES.format(width=program.width) if model.is_class else _NUMBER
        if program.n_scores:
            api += "\n" + _SCORES.format(n=program.n_scores)
        body = Target(safe_comment).translate(program.source).rstrip("\n")
        scale = "\n\ndef scale(value, k):\n    return math.ldexp(value, k)\n" if "scale(" in program.source else ""
        imports = "\nimport math\n" if scale else ""
        return (
            f'"""{head}"""\n{imports}\n__all__ = {names!r}\n{_data(model, program)}{scale}\n\n{body}\n\n{_READ}\n{api}'
        )


def _data(model: ExportModel, program: Program) -> str:
    columns = []
    for spec in model.inputs:
        levels = {level: code for code, level in enumerate(levels_of(spec))} if spec.has_levels else None
        columns.append(f"    ({spec.name!r}, {levels!r}),")
    lines = ["COLUMNS = (", *columns, ")"]
    if model.is_class:
        lines.append(f"CLASSES = {[level_value(level) for level in model.classes]!r}")
    lines += [f"{name} = {index}" for index, name in enumerate(program.constants)]
    lines += [f"{name} = {value}" for name, value in program.scalars.items()]
    for name, ints in program.ints.items():
        lines.append(f"{name} = [\n{joined(list(map(str, ints)))}\n]")
    for name, floats in program.floats.items():
        lines.append(f"{name} = [\n{joined([_number(value) for value in floats])}\n]")
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    text = repr(value)
    return f'float("{text}")' if "inf" in text else text
