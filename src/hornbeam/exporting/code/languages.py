"""The languages that `translate` writes: C99, Java, JavaScript and Python."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import Any

from hornbeam.exporting.code.translate import Target


def parameters(node: ast.FunctionDef) -> list[tuple[str, str]]:
    """The type and name of each parameter."""
    return [(each.annotation.id, each.arg) for each in node.args.args if isinstance(each.annotation, ast.Name)]


def returned(node: ast.FunctionDef) -> str:
    """The type that a function returns."""
    assert isinstance(node.returns, ast.Name)
    return node.returns.id


class C(Target):
    """C99: static functions with a prefix."""

    types = {"int": "int", "float": "double", "Floats": "const double *", "Out": "double *"}  # noqa: RUF012
    elements = {"Floats": "double", "Words": "uint64_t"}  # noqa: RUF012

    def header(self, node: ast.FunctionDef) -> str:
        """A static function."""
        spaces = {"Floats": "", "Out": ""}
        named = [f"{self.types[kind]}{spaces.get(kind, ' ')}{name}" for kind, name in parameters(node)]
        return f"static inline {self.types[returned(node)]} {self.name(node.name)}({', '.join(named)}) {{"

    def block(self, body: list[ast.stmt], depth: int) -> Iterator[str]:
        """A function that is one return reads no parameter `x`, of which compilers would warn."""
        if depth == 1 and isinstance(body[0], ast.Return) and isinstance(body[0].value, ast.Constant):
            yield "    (void) x;"
        yield from super().block(body, depth)

    def declaration(self, kind: str, name: str, value: ast.expr) -> str:
        """A local array has a constant length."""
        if kind in self.elements:
            assert isinstance(value, ast.Call)
            return f"{self.elements[kind]} {name}[{self.expression(value.args[0])}];"
        return super().declaration(kind, name, value)

    def number(self, value: Any) -> str:
        """Infinity by its macro."""
        return f"{'-' if value < 0 else ''}INFINITY" if _is_infinite(value) else repr(value)

    def comment_line(self, text: str) -> str:
        """A comment."""
        return f"/* {self.comment(text)} */"


class Java(Target):
    """Java: private static methods."""

    types = {"int": "int", "float": "double", "Floats": "double[]", "Out": "double[]"}  # noqa: RUF012

    def header(self, node: ast.FunctionDef) -> str:
        """A private static method."""
        named = ", ".join(f"{self.types[kind]} {name}" for kind, name in parameters(node))
        return f"private static {self.types[returned(node)]} {node.name}({named}) {{"

    def declaration(self, kind: str, name: str, value: ast.expr) -> str:
        """A local array is allocated."""
        if kind == "Floats":
            assert isinstance(value, ast.Call)
            return f"double[] {name} = new double[{self.expression(value.args[0])}];"
        return super().declaration(kind, name, value)

    def number(self, value: Any) -> str:
        """Infinity by its constant."""
        return f"Double.{'NEGATIVE' if value < 0 else 'POSITIVE'}_INFINITY" if _is_infinite(value) else repr(value)


class JavaScript(Target):
    """JavaScript: functions; every number is a double."""

    types = {"int": "let", "float": "let"}  # noqa: RUF012

    def header(self, node: ast.FunctionDef) -> str:
        """A function."""
        return f"function {node.name}({', '.join(name for _, name in parameters(node))}) {{"

    def declaration(self, kind: str, name: str, value: ast.expr) -> str:
        """A local array is a Float64Array."""
        if kind == "Floats":
            assert isinstance(value, ast.Call)
            return f"const {name} = new Float64Array({self.expression(value.args[0])});"
        return super().declaration(kind, name, value)

    def integer(self, value: str) -> str:
        """Numbers that are integers already."""
        return value

    def number(self, value: Any) -> str:
        """Infinity by its name."""
        return f"{'-' if value < 0 else ''}Infinity" if _is_infinite(value) else repr(value)


class Python(Target):
    """Python itself, without annotations of variables."""

    conjunction = ("and", "or", "not ")
    else_if = "elif"
    otherwise = "else:"

    def opening(self, keyword: str, test: str) -> str:
        """The line that opens a block."""
        return f"{keyword} {test}:"

    def end(self, depth: int) -> Iterator[str]:
        """Blocks end with their indentation; a function is followed by an empty line."""
        return iter([""] if depth == 0 else [])

    def loop(self, name: str, start: str, stop: str) -> str:
        """The line that opens a loop over integers."""
        return f"for {name} in range({stop if start == '0' else f'{start}, {stop}'}):"

    def simple(self, node: ast.stmt) -> str:
        """A statement without a semicolon."""
        return super().simple(node).removesuffix(";")

    def comment_line(self, text: str) -> str:
        """A comment."""
        return f"# {self.comment(text)}"

    def header(self, node: ast.FunctionDef) -> str:
        """A function."""
        return f"def {node.name}({', '.join(name for _, name in parameters(node))}):"

    def declaration(self, kind: str, name: str, value: ast.expr) -> str:
        """An assignment; a local array is a list."""
        if kind == "Floats":
            assert isinstance(value, ast.Call)
            return f"{name} = [0.0] * {self.expression(value.args[0])}"
        return f"{name} = {self.expression(value)}"

    def integer(self, value: str) -> str:
        """A number as an integer."""
        return f"int({value.strip('()') if value.startswith('(') else value})"

    def number(self, value: Any) -> str:
        """Infinity from its text."""
        return f"float('{value}')" if _is_infinite(value) else repr(value)

    def choice(self, test: str, yes: str, no: str) -> str:
        """A conditional expression."""
        return f"{yes} if {test} else {no}"


def _is_infinite(value: Any) -> bool:
    return isinstance(value, float) and math.isinf(value)
