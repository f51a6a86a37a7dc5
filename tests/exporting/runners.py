"""Runs exported models in other languages: rows in, predictions out.

A runner takes models with rows (dicts by column name) and returns, per model and row, the label, the values and the raw
scores; None for a row that the model rejects. Floats are exchanged by their bits.
"""

from __future__ import annotations

import json
import math
import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import hornbeam as hb
from hornbeam.exporting.code.format import level_value
from hornbeam.exporting.code.names import c_text, identifiers
from hornbeam.exporting.conversion import export_model
from hornbeam.exporting.model import ForestModel


@dataclass(frozen=True)
class Found:
    """The prediction of one row; `label` is text, or None in a regression."""

    label: str | None
    values: tuple[float, ...]
    scores: tuple[float, ...] = ()


Case = tuple[Any, list[dict[str, Any]]]
Results = list[list[Found | None]]


def needs(program: str) -> str:
    """The path of a program; the test is skipped without it."""
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed")
    return found


def run(arguments: list[str], folder: Path) -> str:
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def has_scores(model: Any) -> bool:
    found = export_model(model)
    return isinstance(found, ForestModel) and found.combine == "sum"


def text_of(label: Any) -> str:
    """A label as all runners print it."""
    value = level_value(label)
    return json.dumps(float(value) if isinstance(value, int) and not isinstance(value, bool) else value)


def in_python(cases: list[Case], folder: Path, **settings: Any) -> Results:
    found: Results = []
    for number, (model, rows) in enumerate(cases):
        space: dict[str, Any] = {}
        exec(compile(hb.export(model, format="python", **settings), f"model_{number}.py", "exec"), space)
        found.append([_python_row(space, row) for row in rows])
    return found


def _python_row(space: dict[str, Any], row: dict[str, Any]) -> Found | None:
    try:
        label = space["predict"](row)
    except ValueError:
        return None
    scores = tuple(space["raw_scores"](row)) if "raw_scores" in space else ()
    if "CLASSES" not in space:
        return Found(None, (label,), scores)
    return Found(text_of(label), tuple(space["probabilities"](row)), scores)


def in_c(cases: list[Case], folder: Path, **settings: Any) -> Results:
    compiler = needs("gcc")
    main, calls, tokens = [_C_HEAD], [], []
    for number, (model, rows) in enumerate(cases):
        prefix, exported = f"m{number}", export_model(model)
        (folder / f"{prefix}.h").write_text(hb.export(model, format="c", prefix=prefix, **settings))
        fields = identifiers([spec.name for spec in exported.inputs])
        texts = sorted({_c_level(row[s.name]) for row in rows for s in exported.inputs if s.has_levels} - {None})
        width = len(exported.classes)
        main += [
            f'#include "{prefix}.h"',
            f'static const char *texts{number}[] = {{{", ".join(map(c_text, texts))} ""}};',
        ]
        main[-1] = main[-1].replace(' ""}', ', ""}' if texts else '""}')
        main += [
            f"static void run{number}(int n) {{ {prefix}_row row; double out[16];",
            f" while (n-- > 0) {{ long t = 0; (void) t; (void) texts{number};",
        ]
        for field, spec in zip(fields, exported.inputs, strict=True):
            code = f"{prefix}_{field}_code(t < 0 ? NULL : texts{number}[t])"
            main += [f"  t = next(); row.{field} = {code};" if spec.has_levels else f"  row.{field} = next_double();"]
        if width:
            main += [f"  int k = {prefix}_probabilities(&row, out); if (k != {prefix}_predict(&row)) k = 99;"]
            main += [f'  printf("%d", k); if (k >= 0) bits(out, {width});']
        else:
            main += [f'  out[0] = {prefix}_predict(&row); printf("0"); bits(out, 1);']
        if has_scores(model):
            main += [f'  printf(" |"); {prefix}_raw_scores(&row, out); bits(out, {len(exported.base)});']
        main += ['  printf("\\n"); } }']
        calls.append(f"run{number}({len(rows)});")
        for row in rows:
            tokens += [_c_token(row[spec.name], spec, texts) for spec in exported.inputs]
    (folder / "rows.txt").write_text("\n".join(tokens))
    (folder / "main.c").write_text("\n".join([*main, f"int main(void) {{ {' '.join(calls)} return 0; }}"]))
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
    run([compiler, *flags, "main.c", "-o", "main"], folder)
    return _parsed(run(["sh", "-c", "./main < rows.txt"], folder).splitlines(), cases)


_C_HEAD = """#include <stdio.h>
#include <stdint.h>
#include <string.h>
static long next(void) { long v = 0; if (scanf("%ld", &v) != 1) v = 0; return v; }
static double next_double(void) {
  unsigned long long b = 0; double v; if (scanf("%llx", &b) != 1) b = 0; memcpy(&v, &b, 8); return v;
}
static void bits(const double *v, int n) {
  for (int i = 0; i < n; i++) { unsigned long long b; memcpy(&b, &v[i], 8); printf(" %016llx", b); }
}"""


def _c_level(value: Any) -> str | None:
    if value is None:
        return None
    level = level_value(value)
    return str(level).lower() if isinstance(level, bool) else str(level)


def _c_token(value: Any, spec: Any, texts: list[str]) -> str:
    if spec.has_levels:
        return "-1" if value is None else str(texts.index(_c_level(value) or ""))
    return struct.pack(">d", math.nan if value is None else float(value)).hex()


def in_javascript(cases: list[Case], folder: Path, **settings: Any) -> Results:
    node = needs("node")
    main = ["import { readFileSync } from 'node:fs';", "const rows = JSON.parse(readFileSync('rows.json', 'utf8'));"]
    main += ["const view = new DataView(new ArrayBuffer(8));", "const lines = [];"]
    main += ["const bits = (v) => { view.setFloat64(0, v); return ' ' + view.getBigUint64(0).toString(16); };"]
    for number, (model, _) in enumerate(cases):
        hb.export(model, folder / f"m{number}.mjs", **settings)
        main.insert(0, f"import * as m{number} from './m{number}.mjs';")
        main += [
            f"for (const row of rows[{number}]) {{", "  let line;", "  try {",
            f"    const label = m{number}.predict(row);",
            f"    const values = m{number}.probabilities ? m{number}.probabilities(row) : [label];",
            f"    line = (m{number}.CLASSES ? m{number}.CLASSES.indexOf(label) : 0) + values.map(bits).join('');",
            f"    if (m{number}.rawScores) line += ' |' + m{number}.rawScores(row).map(bits).join('');",
            "  } catch (error) { if (!(error instanceof RangeError)) throw error; line = '-2'; }",
            "  lines.push(line);", "}",
        ]  # fmt: skip
    rows = [[{name: _json_value(value) for name, value in row.items()} for row in rows] for _, rows in cases]
    (folder / "rows.json").write_text(json.dumps(rows))
    (folder / "main.mjs").write_text("\n".join([*main, "if (lines.length) console.log(lines.join('\\n'));"]))
    return _parsed(run([node, "main.mjs"], folder).splitlines(), cases)


def _json_value(value: Any) -> Any:
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return None if value is None else level_value(value)


def in_java(cases: list[Case], folder: Path, **settings: Any) -> Results:
    compiler, java = needs("javac"), needs("java")
    main = ["import java.util.*;", "import java.nio.file.*;", "public class Main {", "  static Iterator<String> in;"]
    main += ['  static String bits(double v) { return " " + Long.toHexString(Double.doubleToRawLongBits(v)); }']
    main += [_JAVA_ROW]
    lines: list[str] = []
    for number, (model, rows) in enumerate(cases):
        name = f"M{number}"
        hb.export(model, folder / f"{name}.java", class_name=name, **settings)
        classes = bool(export_model(model).classes)
        values = f"{name}.probabilities(row)" if classes else f"new double[] {{{name}.predict(row)}}"
        label = f"Arrays.asList({name}.CLASSES).indexOf({name}.predict(row))" if classes else "0"
        scores = f'line.append(" |"); for (double v : {name}.rawScores(row)) line.append(bits(v));'
        main += [
            f"  static void run{number}(int n) {{ for (int i = 0; i < n; i++) {{ Map<String, Object> row = row();",
            f"    StringBuilder line = new StringBuilder(); try {{ line.append({label});",
            f"    for (double v : {values}) line.append(bits(v)); {scores if has_scores(model) else ''}",
            '    } catch (IllegalArgumentException e) { line = new StringBuilder("-2"); }',
            "    System.out.println(line); } }",
        ]
        for row in rows:
            lines += [str(len(row)), *(each for name, value in row.items() for each in (_hex(name), _typed(value)))]
    calls = " ".join(f"run{number}({len(rows)});" for number, (_, rows) in enumerate(cases))
    main += ["  public static void main(String[] a) throws Exception {"]
    main += [f'    in = Files.readAllLines(Paths.get("rows.txt")).iterator(); {calls} }}', "}"]
    (folder / "rows.txt").write_text("\n".join(lines))
    (folder / "Main.java").write_text("\n".join(main))
    run([compiler, "-Xlint:all", "-Werror", "-nowarn", "Main.java"], folder)
    return _parsed(run([java, "-cp", ".", "Main"], folder).splitlines(), cases)


_JAVA_ROW = """
  static String text(String hex) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < hex.length(); i += 4) out.append((char) Integer.parseInt(hex.substring(i, i + 4), 16));
    return out.toString();
  }
  static Map<String, Object> row() {
    Map<String, Object> row = new HashMap<>();
    for (int n = Integer.parseInt(in.next()); n > 0; n--) {
      String name = text(in.next()), value = in.next();
      String rest = value.substring(1);
      if (value.charAt(0) == 'd') row.put(name, Double.longBitsToDouble(Long.parseUnsignedLong(rest, 16)));
      else if (value.charAt(0) == 'b') row.put(name, rest.equals("1"));
      else row.put(name, value.charAt(0) == 'n' ? null : text(rest));
    }
    return row;
  }"""


def _hex(text: str) -> str:
    return text.encode("utf-16-be", "surrogatepass").hex()


def _typed(value: Any) -> str:
    if value is None:
        return "n"
    level = level_value(value)
    if isinstance(level, bool):
        return f"b{int(level)}"
    return f"s{_hex(level)}" if isinstance(level, str) else "d" + struct.pack(">d", float(level)).hex()


def _parsed(lines: list[str], cases: list[Case]) -> Results:
    """Lines "index value ... | score ..." as results; floats are hexadecimal bits."""
    found, at = [], 0
    for model, rows in cases:
        found.append([_line(line, export_model(model).classes) for line in lines[at : at + len(rows)]])
        at += len(rows)
    assert at == len(lines)
    return found


def _line(line: str, classes: tuple[Any, ...]) -> Found | None:
    values, _, scores = line.partition("|")
    index, *bits = values.split()
    if int(index) < 0:
        return None
    numbers = tuple(_double(each) for each in bits)
    if not classes and math.isnan(numbers[0]):
        return None
    return Found(text_of(classes[int(index)]) if classes else None, numbers, tuple(map(_double, scores.split())))


def _double(bits: str) -> float:
    return struct.unpack(">d", int(bits, 16).to_bytes(8, "big"))[0]


__all__ = ["Case", "Found", "Results", "in_c", "in_java", "in_javascript", "in_python", "needs", "text_of"]
