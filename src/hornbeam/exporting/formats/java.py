"""Java: one class without dependencies."""

from __future__ import annotations

import dataclasses
import re
import textwrap
from typing import ClassVar

from hornbeam.errors import OptionError, short_repr
from hornbeam.exporting.code.format import CodeFormat, about, joined, level_value, levels_of
from hornbeam.exporting.code.languages import Java as Target
from hornbeam.exporting.code.names import java_text, safe_comment
from hornbeam.exporting.code.program import Program
from hornbeam.exporting.model import ExportModel
from hornbeam.options import option

_MAX_ARRAY = 100  # longer arrays are texts: the code of a class initializer is limited to 64 kB
_MAX_TEXT = 20_000  # characters of one text constant
_READ = """
    /** The values of a row as numbers: NaN if missing, -2 for an unseen level. */
    private static double[] inputs(java.util.Map<String, ?> row) {
        double[] x = new double[NAMES.length];
        for (int i = 0; i < x.length; i++) {
            Object value = row.get(NAMES[i]);
            if (value == null || value instanceof Double && ((Double) value).isNaN()
                    || value instanceof Float && ((Float) value).isNaN()) {
                x[i] = Double.NaN;
            } else if (CODES[i] == null) {
                x[i] = ((Number) value).doubleValue();
            } else {
                Integer code = CODES[i].get(key(value));
                x[i] = code == null ? -2.0 : code;
            }
        }
        return x;
    }

    private static Object key(Object value) {
        if (value instanceof Number) return ((Number) value).doubleValue();
        return value instanceof Boolean ? value : value.toString();
    }

    private static java.util.Map<Object, Integer> codes(Object... levels) {
        java.util.Map<Object, Integer> found = new java.util.HashMap<>();
        for (int i = 0; i < levels.length; i++) found.put(key(levels[i]), i);
        return found;
    }

    private static int checked(int label) {
        if (label < 0) {
            throw new IllegalArgumentException("The row has a level that the model rejects, or no rule covers it.");
        }
        return label;
    }

    private static double[] doubles(String... texts) {
        String[] each = String.join("", texts).split(" ");
        double[] found = new double[each.length];
        for (int i = 0; i < each.length; i++) found[i] = Double.parseDouble(each[i]);
        return found;
    }

    private static int[] ints(String... texts) {
        String[] each = String.join("", texts).split(" ");
        int[] found = new int[each.length];
        for (int i = 0; i < each.length; i++) found[i] = Integer.parseInt(each[i]);
        return found;
    }

    private static double scale(double value, int k) {
        return Math.scalb(value, k);
    }
"""
_CLASSES = """
    /** The predicted class of a row: values by column name, null for a missing value. */
    public static TYPE predict(java.util.Map<String, ?> row) {
        return CLASSES[checked(evaluate(inputs(row), new double[WIDTH_OUT]))];
    }

    /** The probability of each class, in the order of CLASSES. */
    public static double[] probabilities(java.util.Map<String, ?> row) {
        double[] out = new double[WIDTH_OUT];
        checked(evaluate(inputs(row), out));
        return out;
    }
"""
_NUMBER = """
    /** The predicted number of a row: values by column name, null for a missing value. */
    public static double predict(java.util.Map<String, ?> row) {
        double[] out = new double[1];
        checked(evaluate(inputs(row), out));
        return out[0];
    }
"""
_SCORES = """
    /** The sums of the trees before the link. */
    public static double[] rawScores(java.util.Map<String, ?> row) {
        double[] out = new double[N_SCORES];
        checked(scores(inputs(row), out));
        return out;
    }
"""


@dataclasses.dataclass(frozen=True)
class Java(CodeFormat):
    """One Java class (Java 8 or later) without dependencies: predict(row) and probabilities(row), rows as maps."""

    name: ClassVar[str] = "java"
    suffixes: ClassVar[tuple[str, ...]] = (".java",)
    class_name: str = option("Model", "the name of the class; the file must have the same name")
    package: str = option("", "the package of the class")

    def __post_init__(self) -> None:
        """Check the names."""
        super().__post_init__()
        for label, value, pattern in (
            ("class_name", self.class_name, r"[A-Za-z_]\w{0,100}"),
            ("package", self.package, r"([a-z_]\w*(\.[a-z_]\w*)*)?"),
        ):
            if not re.fullmatch(pattern, value, re.ASCII):
                raise OptionError(f"{label} must be a name of Java, got {short_repr(value)}.", option=label)

    def write(self, model: ExportModel) -> str:
        """The class."""
        program = self.program(model)
        api = _NUMBER
        if model.is_class:
            api = _CLASSES.replace("TYPE", _type(model)).replace("WIDTH_OUT", str(program.width))
        if program.n_scores:
            api += _SCORES.replace("N_SCORES", str(program.n_scores))
        body = textwrap.indent(Target(safe_comment).translate(program.source), "    ")
        package = f"package {self.package};\n\n" if self.package else ""
        head = "".join(f"// {safe_comment(line)}\n" for line in about(model))
        start = f"public final class {self.class_name} {{\n    private {self.class_name}() {{}}\n"
        return f"{package}{head}{start}\n{_data(model, program)}\n{body}{_READ}{api}}}\n"


def _type(model: ExportModel) -> str:
    kinds = {type(level_value(level)) for level in model.classes}
    known = {str: "String", bool: "Boolean", int: "Long", float: "Double"}
    return known[kinds.pop()] if len(kinds) == 1 else "Object"


def _data(model: ExportModel, program: Program) -> str:
    names = joined([java_text(spec.name) for spec in model.inputs], " " * 8)
    maps = [
        f"codes({', '.join(map(_literal, levels_of(spec)))})" if spec.has_levels else "null" for spec in model.inputs
    ]
    lines = [f"    private static final String[] NAMES = {{\n{names}\n    }};"]
    lines += ['    @SuppressWarnings({"unchecked", "rawtypes"})']
    lines += [f"    private static final java.util.Map<Object, Integer>[] CODES = new java.util.Map[] {{\n"
              f"{joined(maps, ' ' * 8)}\n    }};"]  # fmt: skip
    if model.is_class:
        classes = joined([_literal(level_value(level)) for level in model.classes], " " * 8)
        lines.append(f"    public static final {_type(model)}[] CLASSES = {{\n{classes}\n    }};")
    named = [*((name, index) for index, name in enumerate(program.constants)), *program.scalars.items()]
    lines += [f"    private static final int {name} = {value};" for name, value in named]
    lines += [_array("int", name, list(map(str, array))) for name, array in program.ints.items()]
    for name, array in program.floats.items():
        lines.append(_array("double", name, [repr(value) for value in array]))
    return "\n".join(lines) + "\n"


def _array(kind: str, name: str, values: list[str]) -> str:
    start = f"    private static final {kind}[] {name} = "
    if len(values) <= _MAX_ARRAY:
        infinities = {"inf": "Double.POSITIVE_INFINITY", "-inf": "Double.NEGATIVE_INFINITY"}
        return f"{start}{{\n{joined([infinities.get(each, each) for each in values], ' ' * 8)}\n    }};"
    text = " ".join(values).replace("inf", "Infinity")
    parts = [f'"{text[at : at + _MAX_TEXT]}"' for at in range(0, len(text), _MAX_TEXT)]
    return f"{start}{kind}s(\n        " + ",\n        ".join(parts) + ");"


def _literal(value: str | int | float | bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return java_text(value) if isinstance(value, str) else f"{value}L" if isinstance(value, int) else f"{value!r}"
