"""Translates functions from a subset of Python to C99, Java and JavaScript, and prints them as Python.

The subset: functions of `int`, `float`, `Floats` (an array that is read) and `Out` (one that is written); variables
declared by an annotation; if, while, for over range, return; arithmetic, comparisons, and, or, conditional expressions,
calls, indexing; `int(v)`; `zeros(N)`, a local array. A text that is a statement of its own becomes a comment.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

_OPERATORS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_INDENT = "    "


class Target:
    """A language. `comment` makes the text of a comment harmless in this language."""

    types: ClassVar[dict[str, str]] = {}
    conjunction: ClassVar[tuple[str, str, str]] = ("&&", "||", "!")

    def __init__(self, comment: Callable[[str], str], prefix: str = "", global_names: frozenset[str] = frozenset()):
        self.comment = comment
        self.prefix = prefix
        self.global_names = global_names

    def translate(self, source: str) -> str:
        """Functions in the subset of Python as text of this language."""
        functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
        return "\n".join("\n".join(self.function(node)) + "\n" for node in functions)

    def function(self, node: ast.FunctionDef) -> Iterator[str]:
        """The lines of a function."""
        body = list(node.body)
        first = body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(body) > 1:
            yield self.comment_line(str(first.value.value))
            body = body[1:]
        yield self.header(node)
        yield from self.block(body, 1)
        yield from self.end(0)

    def block(self, body: list[ast.stmt], depth: int) -> Iterator[str]:
        """The lines of statements."""
        for statement in body:
            yield from self.statement(statement, depth)

    def statement(self, node: ast.stmt, depth: int) -> Iterator[str]:
        """The lines of one statement."""
        pad = _INDENT * depth
        if isinstance(node, ast.If):
            yield from self.condition(node, depth)
        elif isinstance(node, ast.While):
            yield pad + self.opening("while", self.expression(node.test))
            yield from self.block(node.body, depth + 1)
            yield from self.end(depth)
        elif isinstance(node, ast.For):
            assert isinstance(node.iter, ast.Call)
            assert isinstance(node.target, ast.Name)
            start, stop = (self.expression(each) for each in node.iter.args)
            yield pad + self.loop(node.target.id, start, stop)
            yield from self.block(node.body, depth + 1)
            yield from self.end(depth)
        else:
            yield pad + self.simple(node)

    def condition(self, node: ast.If, depth: int, keyword: str = "if") -> Iterator[str]:
        """The lines of an if statement; branches that are themselves an if become else-if."""
        pad = _INDENT * depth
        yield pad + self.opening(keyword, self.expression(node.test))
        yield from self.block(node.body, depth + 1)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            yield from self.condition(node.orelse[0], depth, self.else_if)
            return
        if node.orelse:
            yield pad + self.otherwise
            yield from self.block(node.orelse, depth + 1)
        yield from self.end(depth)

    else_if: ClassVar[str] = "} else if"
    otherwise: ClassVar[str] = "} else {"

    def opening(self, keyword: str, test: str) -> str:
        """The line that opens a block."""
        return f"{keyword} ({test}) {{"

    def end(self, depth: int) -> Iterator[str]:
        """The line that closes a block."""
        yield _INDENT * depth + "}"

    def loop(self, name: str, start: str, stop: str) -> str:
        """The line that opens a loop over integers."""
        return f"for ({self.types['int']} {name} = {start}; {name} < {stop}; {name}++) {{"

    def simple(self, node: ast.stmt) -> str:
        """A statement on one line."""
        if isinstance(node, ast.Return):
            assert node.value is not None
            return f"return {self.expression(node.value)};"
        if isinstance(node, ast.AnnAssign):
            assert isinstance(node.target, ast.Name)
            assert isinstance(node.annotation, ast.Name)
            assert node.value is not None
            return self.declaration(node.annotation.id, node.target.id, node.value)
        if isinstance(node, ast.Assign):
            return f"{self.expression(node.targets[0])} = {self.expression(node.value)};"
        if isinstance(node, ast.AugAssign):
            target, value = self.expression(node.target), self.expression(node.value)
            return f"{target} {_OPERATORS[type(node.op)]}= {value};"
        assert isinstance(node, ast.Expr)
        if isinstance(node.value, ast.Constant):
            return self.comment_line(str(node.value.value))
        return self.expression(node.value) + ";"

    def comment_line(self, text: str) -> str:
        """A comment."""
        return f"// {self.comment(text)}"

    def header(self, node: ast.FunctionDef) -> str:
        """The line that opens a function."""
        raise NotImplementedError

    def declaration(self, kind: str, name: str, value: ast.expr) -> str:
        """The declaration of a variable."""
        return f"{self.types[kind]} {name} = {self.expression(value)};"

    def integer(self, value: str) -> str:
        """A number as an integer."""
        return f"(int) {value}"

    def name(self, name: str) -> str:
        """A variable, function or array; global names have the prefix."""
        return self.prefix + name if name in self.global_names else name

    def number(self, value: Any) -> str:
        """A number."""
        return repr(value)

    def expression(self, node: ast.expr, outer: int = 0) -> str:
        """An expression; in parentheses if the surrounding one binds more tightly (`outer`)."""
        text, own = self._expression(node)
        return f"({text})" if own < outer else text

    def _expression(self, node: ast.expr) -> tuple[str, int]:
        if isinstance(node, ast.Constant):
            return self.number(node.value), 9
        if isinstance(node, ast.Name):
            return self.name(node.id), 9
        if isinstance(node, ast.Subscript):
            return f"{self.expression(node.value, 9)}[{self.expression(node.slice)}]", 9
        if isinstance(node, ast.Call):
            assert isinstance(node.func, ast.Name)
            if node.func.id == "int":
                return self.integer(self.expression(node.args[0], 8)), 8
            return f"{self.name(node.func.id)}({', '.join(map(self.expression, node.args))})", 9
        return self._operation(node)

    def _operation(self, node: ast.expr) -> tuple[str, int]:
        both, either, negation = self.conjunction
        if isinstance(node, ast.BinOp):
            own = 7 if isinstance(node.op, (ast.Mult, ast.Div)) else 6
            left, right = self.expression(node.left, own), self.expression(node.right, own + 1)
            return f"{left} {_OPERATORS[type(node.op)]} {right}", own
        if isinstance(node, ast.UnaryOp):
            sign = negation if isinstance(node.op, ast.Not) else "-"
            return f"{sign}{self.expression(node.operand, 8)}", 8
        if isinstance(node, ast.Compare):
            left, right = self.expression(node.left, 5), self.expression(node.comparators[0], 5)
            return f"{left} {_OPERATORS[type(node.ops[0])]} {right}", 4
        if isinstance(node, ast.BoolOp):
            own, sign = (3, both) if isinstance(node.op, ast.And) else (2, either)
            return f" {sign} ".join(self.expression(each, own + 1) for each in node.values), own
        assert isinstance(node, ast.IfExp)
        return self.choice(*(self.expression(each, 2) for each in (node.test, node.body, node.orelse))), 1

    def choice(self, test: str, yes: str, no: str) -> str:
        """A conditional expression."""
        return f"{test} ? {yes} : {no}"
