"""C99: one header without allocations."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Sequence
from typing import ClassVar

from hornbeam.errors import OptionError, short_repr
from hornbeam.exporting.code.format import CodeFormat, about, joined, level_value, levels_of
from hornbeam.exporting.code.languages import C as Target
from hornbeam.exporting.code.names import c_text, identifiers, safe_comment
from hornbeam.exporting.code.program import Program
from hornbeam.exporting.model import ExportModel
from hornbeam.options import option
from hornbeam.table.column import ColumnSpec

_HEAD = """/* {about}

   {prefix}_row has one field per column: numbers are double, NAN for a missing value; columns with levels are int, the
   code that {prefix}_COLUMN_code(text) returns, -1 for a missing value, -2 for an unseen level. Nothing is allocated.
   Compile with -std=c99 or -ffp-contract=off: fused operations would change the last digits. */
#ifndef {guard}_H
#define {guard}_H

#include <math.h>
#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
"""
_SCALE = """/* value times 2 to the power of k */
static inline double {prefix}_scale(double value, int k) {{
    union {{ unsigned long long bits; double power; }} two;
    two.bits = (unsigned long long) (k + 1023) << 52;
    return value * two.power;
}}
"""
_CLASSES = """/* The index of the predicted class in {prefix}_classes; -2 if the row is rejected. */
static inline int {prefix}_predict(const {prefix}_row *row) {{
    double x[{n}], out[{width}];
    {prefix}_inputs(row, x);
    return {prefix}_evaluate(x, out);
}}

/* Write the probability of each class; return the index of the predicted class, -2 if the row is rejected. */
static inline int {prefix}_probabilities(const {prefix}_row *row, double *out) {{
    double x[{n}];
    {prefix}_inputs(row, x);
    return {prefix}_evaluate(x, out);
}}
"""
_NUMBER = """/* The predicted number; NAN if the row is rejected. */
static inline double {prefix}_predict(const {prefix}_row *row) {{
    double x[{n}], out[1];
    {prefix}_inputs(row, x);
    return {prefix}_evaluate(x, out) < 0 ? NAN : out[0];
}}
"""
_SCORES = """/* Write the sums of the trees before the link; return -2 if the row is rejected. */
static inline int {prefix}_raw_scores(const {prefix}_row *row, double *out) {{
    double x[{n}];
    {prefix}_inputs(row, x);
    return {prefix}_scores(x, out);
}}
"""


@dataclasses.dataclass(frozen=True)
class C(CodeFormat):
    """One C99 header without allocations: PREFIX_predict(row) and PREFIX_probabilities(row, out)."""

    name: ClassVar[str] = "c"
    suffixes: ClassVar[tuple[str, ...]] = (".h", ".c")
    max_unrolled: ClassVar[int] = 20_000  # gcc needs seconds for them, and conditions predict twice as fast as tables
    prefix: str = option("model", "the start of all names in the file")

    def __post_init__(self) -> None:
        """Check the prefix."""
        super().__post_init__()
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,60}", self.prefix):
            raise OptionError(f"prefix must be an identifier, got {short_repr(self.prefix)}.", option="prefix")

    def unsupported(self, model: ExportModel) -> Sequence[str]:
        """Also texts with a NUL character, which ends a string of C."""
        found = list(super().unsupported(model))
        texts = [str(level) for spec in model.inputs for level in spec.levels] + [str(each) for each in model.classes]
        if any("\0" in text for text in texts):
            found.append("A level contains a NUL character, which ends a string in C.")
        return found

    def write(self, model: ExportModel) -> str:
        """The header."""
        program, prefix = self.program(model), self.prefix
        fields = identifiers([spec.name for spec in model.inputs])
        names = {"prefix": prefix, "n": max(1, len(fields)), "width": program.width}
        target = Target(safe_comment, f"{prefix}_", program.global_names)
        functions = [node for node in ast.parse(program.source).body if isinstance(node, ast.FunctionDef)]
        head = _HEAD.format(about=safe_comment(" ".join(about(model))), guard=prefix.upper(), **names)
        sections = [
            head,
            _row(model.inputs, fields, prefix),
            _data(model, program, prefix),
            *([_SCALE.format(**names)] if "scale(" in program.source else []),
            "\n".join(target.header(node).removesuffix(" {") + ";" for node in functions) + "\n",
            target.translate(program.source),
            (_CLASSES if model.is_class else _NUMBER).format(**names),
            *([_SCORES.format(**names)] if program.n_scores else []),
            "#endif\n",
        ]
        return "\n".join(sections)


def _row(inputs: Sequence[ColumnSpec], fields: Sequence[str], prefix: str) -> str:
    """The struct of a row, the functions from texts to codes, and the conversion to numbers."""
    lines = ["typedef struct {"]
    for spec, field in zip(inputs, fields, strict=True):
        lines.append(f"    {'int' if spec.has_levels else 'double'} {field}; /* {safe_comment(spec.name)} */")
    lines += [*(["    int unused;"] if not fields else []), f"}} {prefix}_row;", ""]
    for spec, field in zip(inputs, fields, strict=True):
        if spec.has_levels:
            lines += _codes(spec, field, prefix)
    lines += [f"static inline void {prefix}_inputs(const {prefix}_row *row, double *x) {{"]
    for index, (spec, field) in enumerate(zip(inputs, fields, strict=True)):
        value = f"row->{field} == -1 ? NAN : (double) row->{field}" if spec.has_levels else f"row->{field}"
        lines.append(f"    x[{index}] = {value};")
    return "\n".join([*lines, *(["    (void) row; (void) x;"] if not fields else []), "}", ""])


def _codes(spec: ColumnSpec, field: str, prefix: str) -> list[str]:
    texts = [c_text(_text(level)) for level in levels_of(spec)] or ['""']
    return [
        f"/* The code of a level of {safe_comment(spec.name)}; NULL is a missing value. */",
        f"static inline int {prefix}_{field}_code(const char *level) {{",
        f"    static const char *const levels[] = {{\n{joined(texts, ' ' * 8)}\n    }};",
        "    if (level == NULL) return -1;",
        f"    for (int i = 0; i < {len(spec.levels)}; i++) if (strcmp(levels[i], level) == 0) return i;",
        "    return -2;",
        "}",
        "",
    ]


def _data(model: ExportModel, program: Program, prefix: str) -> str:
    lines = []
    if model.is_class:
        texts = [c_text(_text(level_value(level))) for level in model.classes]
        lines += [f"enum {{ {prefix}_n_classes = {len(texts)} }};"]
        lines += [f"static const char *const {prefix}_classes[] = {{\n{joined(texts)}\n}};"]
    named = [*((name, index) for index, name in enumerate(program.constants)), *program.scalars.items()]
    if named:
        lines.append(f"enum {{\n{joined([f'{prefix}_{name} = {value}' for name, value in named])}\n}};")
    for name, ints in program.ints.items():
        lines.append(f"static const int {prefix}_{name}[] = {{\n{joined(list(map(str, ints)))}\n}};")
    for name, floats in program.floats.items():
        numbers = joined([repr(value).replace("inf", "INFINITY") for value in floats])
        lines.append(f"static const double {prefix}_{name}[] = {{\n{numbers}\n}};")
    return "\n".join(lines) + "\n"


def _text(level: str | int | float | bool) -> str:
    return str(level).lower() if isinstance(level, bool) else str(level)
