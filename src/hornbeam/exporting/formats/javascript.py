"""JavaScript: an ES module with types in JSDoc."""

from __future__ import annotations

import dataclasses
import json
from typing import ClassVar

from hornbeam.exporting.code.format import CodeFormat, about, joined, level_value, levels_of
from hornbeam.exporting.code.languages import JavaScript as Target
from hornbeam.exporting.code.names import js_text, safe_comment
from hornbeam.exporting.code.program import Program
from hornbeam.exporting.model import ExportModel
from hornbeam.table.column import ColumnSpec

_READ = """
/** The values of a row as numbers: NaN if missing, -2 for an unseen level. */
function inputs(row) {
    return COLUMNS.map(([name, levels]) => {
        const value = Object.prototype.hasOwnProperty.call(row, name) ? row[name] : undefined;
        if (value === undefined || value === null || Number.isNaN(value)) return NaN;
        if (levels === null) return Number(value);
        const code = levels.get(value instanceof Date ? value.toISOString() : value);
        return code === undefined ? -2 : code;
    });
}

function checked(label) {
    if (label < 0) throw new RangeError("The row has a level that the model rejects, or no rule covers it.");
    return label;
}

// value times 2 to the power of k
const BITS = new Uint32Array(2), POWER = new Float64Array(BITS.buffer);
const HIGH_WORD = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;
function scale(value, k) {
    BITS[1 - HIGH_WORD] = 0;
    BITS[HIGH_WORD] = (k + 1023) << 20;
    return value * POWER[0];
}
"""
_CLASSES = """
/**
 * The predicted class of a row.
 * @param {Row} row
 * @returns {CLASS_TYPE}
 */
export function predict(row) {
    return CLASSES[checked(evaluate(inputs(row), new Float64Array(WIDTH_OUT)))];
}

/**
 * The probability of each class, in the order of CLASSES.
 * @param {Row} row
 * @returns {number[]}
 */
export function probabilities(row) {
    const out = new Float64Array(WIDTH_OUT);
    checked(evaluate(inputs(row), out));
    return Array.from(out);
}
"""
_NUMBER = """
/**
 * The predicted number of a row.
 * @param {Row} row
 * @returns {number}
 */
export function predict(row) {
    const out = new Float64Array(1);
    checked(evaluate(inputs(row), out));
    return out[0];
}
"""
_SCORES = """
/**
 * The sums of the trees before the link.
 * @param {Row} row
 * @returns {number[]}
 */
export function rawScores(row) {
    const out = new Float64Array(N_SCORES);
    checked(scores(inputs(row), out));
    return Array.from(out);
}
"""


@dataclasses.dataclass(frozen=True)
class JavaScript(CodeFormat):
    """An ES module with types in JSDoc, for browsers and Node: predict(row) and probabilities(row)."""

    name: ClassVar[str] = "javascript"
    suffixes: ClassVar[tuple[str, ...]] = (".js", ".mjs")

    def write(self, model: ExportModel) -> str:
        """The module."""
        program = self.program(model)
        head = "".join(f"// {safe_comment(line)}\n" for line in about(model))
        api = _NUMBER
        if model.is_class:
            kinds = sorted({_type(level_value(level)) for level in model.classes})
            api = _CLASSES.replace("CLASS_TYPE", "|".join(kinds)).replace("WIDTH_OUT", str(program.width))
        if program.n_scores:
            api += _SCORES.replace("N_SCORES", str(program.n_scores))
        read = _READ if "scale(" in program.source else _READ[: _READ.index("\n// value times")] + "\n"
        body = Target(safe_comment).translate(program.source)
        return f"{head}\n{_row(model)}\n{_data(model, program)}\n{body}{read}{api}"


def _type(value: str | int | float | bool) -> str:
    return {str: "string", bool: "boolean"}.get(type(value), "number")


def _row(model: ExportModel) -> str:
    """The type of a row."""
    lines = ["/**", " * A row: values by column name; null, undefined and NaN are missing.", " * @typedef {Object} Row"]
    for spec in model.inputs:
        kind = "|".join(sorted({_type(level) for level in levels_of(spec)})) or "string"
        if spec.name.isidentifier() and spec.name.isascii():
            lines.append(f" * @property {{{kind if spec.has_levels else 'number'}|null}} [{spec.name}]")
    return "\n".join([*lines, " */"])


def _data(model: ExportModel, program: Program) -> str:
    lines = ["const COLUMNS = [", *(f"    {_column(spec)}," for spec in model.inputs), "];"]
    if model.is_class:
        texts = [_literal(level_value(level)) for level in model.classes]
        lines.append(f"export const CLASSES = [\n{joined(texts)}\n];")
    named = [*((name, index) for index, name in enumerate(program.constants)), *program.scalars.items()]
    lines += [f"const {name} = {value};" for name, value in named]
    for name, ints in program.ints.items():
        lines.append(f"const {name} = new Int32Array([\n{joined(list(map(str, ints)))}\n]);")
    for name, floats in program.floats.items():
        numbers = joined([repr(value).replace("inf", "Infinity") for value in floats])
        lines.append(f"const {name} = new Float64Array([\n{numbers}\n]);")
    return "\n".join(lines) + "\n"


def _column(spec: ColumnSpec) -> str:
    if not spec.has_levels:
        return f"[{js_text(spec.name)}, null]"
    pairs = ", ".join(f"[{_literal(level)}, {code}]" for code, level in enumerate(levels_of(spec)))
    return f"[{js_text(spec.name)}, new Map([{pairs}])]"


def _literal(value: str | int | float | bool) -> str:
    return js_text(value) if isinstance(value, str) else json.dumps(value)
