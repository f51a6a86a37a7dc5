"""C99: one header without allocations."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Sequence
from typing import ClassVar

from hornbeam.errors import OptionError, short_repr
from hornbeam.exporting.code.format import STYLES, CodeFormat, about, joined, level_value, levels_of
from hornbeam.exporting.code.languages import C as Target
from hornbeam.exporting.code.names import c_text, identifiers, safe_comment
from hornbeam.exporting.code.program import Program, has_masks, program_of
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
#include <stdint.h>
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
_MASKS = """/* Set the bits of the leaves that the cuts below the values of a row exclude. */
static inline void {prefix}_exclude(const double *s, uint64_t *dead) {{
    for (int g = 0; g < {prefix}_N_GROUPS; g++) {{
        const uint64_t *earlier[{prefix}_N_SLOTS];
        int chunk[{prefix}_N_SLOTS];
        uint64_t *out = dead + g * {prefix}_GROUP_WORDS;
        for (int i = 0; i < {prefix}_N_SLOTS; i++) {{ /* the last chunk that begins below the value */
            const int *chunks = {prefix}_CHUNKS + 3 * (g * {prefix}_N_SLOTS + i);
            const double v = s[i], *bound = {prefix}_BOUNDS + chunks[1];
            int at = 0;
            for (int q = chunks[2] / 4; q > 0; q /= 4) {{
                at += q * ((v > bound[at + q]) + (v > bound[at + 2 * q]) + (v > bound[at + 3 * q]));
            }}
            at += chunks[0];
            chunk[i] = 8 * at;
            earlier[i] = {prefix}_EARLIER + (size_t) at * {prefix}_GROUP_WORDS;
        }}
        for (int w = 0; w < {prefix}_GROUP_WORDS; w += 8) {{
            uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, h = 0, k = 0;
            for (int i = 0; i < {prefix}_N_SLOTS; i++) {{
                const uint64_t *p = earlier[i] + w;
                a |= p[0]; b |= p[1]; c |= p[2]; d |= p[3]; e |= p[4]; f |= p[5]; h |= p[6]; k |= p[7];
            }}
            out[w] = a; out[w + 1] = b; out[w + 2] = c; out[w + 3] = d;
            out[w + 4] = e; out[w + 5] = f; out[w + 6] = h; out[w + 7] = k;
        }}
        for (int i = 0; i < {prefix}_N_SLOTS; i++) {{
            const double v = s[i], *cut = {prefix}_CHUNK_CUTS + chunk[i];
            const int *word = {prefix}_CHUNK_WORDS + chunk[i];
            const uint64_t *mask = {prefix}_CHUNK_MASKS + chunk[i];
            for (int j = 0; j < 8; j += 4) {{
                dead[word[j]] |= mask[j] & (0 - (uint64_t) (v > cut[j]));
                dead[word[j + 1]] |= mask[j + 1] & (0 - (uint64_t) (v > cut[j + 1]));
                dead[word[j + 2]] |= mask[j + 2] & (0 - (uint64_t) (v > cut[j + 2]));
                dead[word[j + 3]] |= mask[j + 3] & (0 - (uint64_t) (v > cut[j + 3]));
            }}
        }}
    }}
}}

/* The first leaf of a tree that is not excluded. */
static inline int {prefix}_open_leaf(int t, const uint64_t *dead) {{
    const int *place = {prefix}_PLACES + 3 * t;
    const uint64_t left = ~(dead[place[0]] >> place[1]);
    return place[2] + {prefix}_POSITIONS[((left & (0 - left)) * UINT64_C(0x022fdd63cc95386d)) >> 58];
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
    style: str = option(
        "auto",
        "nested conditions, arrays and a loop, or bit masks; auto: the fastest for models of up to 20,000 nodes",
        choices=(*STYLES, "masks"),
        kw_only=True,
    )
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
        if self.style == "masks" and not has_masks(model):
            found.append('Bit masks need a forest of small trees with cuts or sets of levels: use style="auto".')
        return found

    def program(self, model: ExportModel) -> Program:
        """Bit masks where they are the fastest."""
        is_default = self.style == "auto" and self.is_unrolled(model)
        if self.style == "masks" or (is_default and has_masks(model, only_fast=True)):
            return program_of(model, style="masks")
        return super().program(model)

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
            *([_words(program, prefix)] if program.words else []),
            *([_SCALE.format(**names)] if "scale(" in program.source else []),
            *([_MASKS.format(**names)] if program.words else []),
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


def _words(program: Program, prefix: str) -> str:
    """The bit masks, and the position of a single bit by its product with a de Bruijn sequence."""
    lines = []
    for name, words in program.words.items():
        lines.append(f"static const uint64_t {prefix}_{name}[] = {{\n{joined([f'0x{word:x}u' for word in words])}\n}};")
    positions = [0] * 64
    for bit in range(64):
        positions[(0x022FDD63CC95386D << bit & (1 << 64) - 1) >> 58] = bit
    return "\n".join(
        [*lines, f"static const int {prefix}_POSITIONS[] = {{\n{joined(list(map(str, positions)))}\n}};\n"]
    )


def _text(level: str | int | float | bool) -> str:
    return str(level).lower() if isinstance(level, bool) else str(level)
