"""A small reader of C++: classes with their member functions and fields, parameters of signatures, includes.

It splits a file into tokens without comments, strings and preprocessor lines, and follows brackets. It reads the
declarations of namespaces and classes; the bodies of functions are skipped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

SKIPPED = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"\w*\(.*?\)\w*"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*',
    re.S | re.M,
)
TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.']*|::|->|<<|<=|>=|==|&&|[^\s\w]")
CLOSING = {"(": ")", "{": "}", "[": "]"}
NOT_COUNTED = {"using", "friend", "typedef", "static_assert", "enum", "concept", "namespace"}
INCLUDE = re.compile(r'^\s*#include "([^"]+)"', re.M)


@dataclass
class Class:
    """A class or struct: its name with those of the classes around it, and how much it declares."""

    name: str
    members: int = 0
    fields: int = 0


@dataclass
class Code:
    """The declarations of one file."""

    classes: list[Class] = field(default_factory=list)
    signatures: list[tuple[str, int]] = field(default_factory=list)  # name, number of parameters


def includes(text: str) -> list[str]:
    """The project's headers that a file includes, relative to `native`."""
    return INCLUDE.findall(text)


def read(text: str) -> Code:
    """The classes and signatures of a file."""
    code = Code()
    _Reader([*TOKEN.findall(SKIPPED.sub(" ", text))], code).scope(None)
    return code


class _Reader:
    """Reads the tokens of a file from left to right."""

    def __init__(self, tokens: list[str], code: Code) -> None:
        self.tokens, self.code, self.at = tokens, code, 0

    def scope(self, inside: Class | None) -> None:
        """Read declarations up to the closing brace of the scope, or the end of the file."""
        while self.at < len(self.tokens):
            if self.tokens[self.at] == "}":
                self.at += 1
                return
            if self.tokens[self.at] in ("public", "private", "protected") and self.tokens[self.at + 1] == ":":
                self.at += 2
                continue
            self.declaration(inside)

    def declaration(self, inside: Class | None) -> None:
        """Read one declaration: a namespace, a class, a function, or fields."""
        head = self.head()
        words = without_templates(head)
        opens = self.at < len(self.tokens) and self.tokens[self.at] == "{"
        kind = next((word for word in words if word in ("namespace", "class", "struct", "union", "enum")), None)
        if opens and words[:1] in (["namespace"], ["extern"]):
            self.at += 1
            return self.scope(None)
        if opens and kind in ("class", "struct", "union") and not is_function(words):
            return self.new_class(words, inside)
        is_initializer = opens and not is_function(words)
        start = self.at
        self.body(is_initializer=is_initializer)
        words += self.tokens[start : self.at - 1] if is_initializer else []
        is_instance = head[:1] == ["template"] and head[1:2] != ["<"]
        if (
            words
            and not is_instance
            and words[0] not in ("using", "friend", "typedef", "static_assert", "enum", "concept", "namespace")
        ):
            self.record(words, inside)

    def head(self) -> list[str]:
        """The tokens up to the `;` or to the brace that opens a body, a class or an initializer."""
        start = self.at
        initializes = False  # members of a constructor: `a(1)` and `a{1}` before the body
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token == ";" or token == "}":
                break
            if token == ":" and ")" in self.tokens[start : self.at]:
                initializes = True
            if token == "{":
                is_part = initializes and self.tokens[self.at - 1] not in (")", "}", "noexcept")
                if not is_part:
                    break
            self.at = closing(self.tokens, self.at) if token in CLOSING else self.at + 1
        return self.tokens[start : self.at]

    def body(self, *, is_initializer: bool) -> None:
        """Skip what follows a head: a body, or an initializer up to its `;`."""
        if self.at < len(self.tokens) and self.tokens[self.at] == "{":
            self.at = closing(self.tokens, self.at)
            if not is_initializer and self.tokens[self.at : self.at + 1] != [";"]:
                return
        while self.at < len(self.tokens) and self.tokens[self.at] != ";":
            self.at = closing(self.tokens, self.at) if self.tokens[self.at] in CLOSING else self.at + 1
        self.at += 1

    def new_class(self, words: list[str], inside: Class | None) -> None:
        """Read a class or struct with all that it declares."""
        bases = words.index(":") if ":" in words else len(words)
        names = [
            word for word in flat(words[:bases]) if re.match(r"[A-Za-z_]", word) and word not in ("final", "alignas")
        ]
        name = names[-1] if names[-1] not in ("class", "struct", "union") else "(unnamed)"
        found = Class(f"{inside.name}::{name}" if inside else name)
        self.code.classes.append(found)
        self.at += 1
        self.scope(found)
        while self.at < len(self.tokens) and self.tokens[self.at] != ";":
            self.at += 1
        self.at += 1

    def record(self, words: list[str], inside: Class | None) -> None:
        """Count a function or the fields of one declaration."""
        if is_function(words):
            place = parameters_at(words)
            name = name_at_end(flat(words[:place]))
            inner = words[place + 1 : closing(words, place) - 1]
            self.code.signatures.append((f"{inside.name}::{name}" if inside else name, count_items(inner)))
            if inside and words[-1] not in ("default", "delete"):
                inside.members += 1
        elif inside and words[0] != "static":
            forward = words[0] in ("class", "struct", "union") and len(words) == 2
            inside.fields += 0 if forward else count_items(words)


def closing(tokens: list[str], at: int) -> int:
    """The place behind the bracket that closes the one at a place."""
    depth = 0
    for place in range(at, len(tokens)):
        if tokens[place] in CLOSING:
            depth += 1
        elif tokens[place] in CLOSING.values():
            depth -= 1
            if depth == 0:
                return place + 1
    return len(tokens)


def without_templates(words: list[str]) -> list[str]:
    """A declaration without `template <...>` and attributes in front of it."""
    while words[:1] == ["template"]:
        words = words[angle_end(words, 1) :]
    if words[:2] == ["[", "["]:
        words = words[closing(words, 0) :]
    return words


def angle_end(words: list[str], at: int) -> int:
    """The place behind the `>` that closes the `<` at a place; without one, the place itself."""
    depth = 0
    place = at
    while place < len(words):
        if words[place] in CLOSING:
            place = closing(words, place)
            continue
        depth += (words[place] == "<") - (words[place] == ">")
        place += 1
        if depth == 0:
            return place
    return at


def flat(words: list[str]) -> list[str]:
    """The words outside angle brackets and parentheses."""
    found, place = [], 0
    while place < len(words):
        if words[place] in CLOSING:
            place = closing(words, place)
        elif words[place] == "<" and angle_end(words, place) > place:
            place = angle_end(words, place)
        else:
            found.append(words[place])
            place += 1
    return found


def parameters_at(words: list[str]) -> int:
    """The place of the parenthesis that opens the parameters of a function; -1 if there is none."""
    place = 0
    while place < len(words):
        word = words[place]
        if word == "=" and words[place - 1] != "operator":
            return -1
        if word == "(":
            if words[place - 1] == "operator":
                place = closing(words, place)
                continue
            return -1 if words[place + 1 : place + 2] == ["*"] else place
        if word == "alignas" or word == "decltype":
            place = closing(words, place + 1)
        elif word in CLOSING:
            place = closing(words, place)
        elif word == "<" and words[place - 1] != "operator" and angle_end(words, place) > place:
            place = angle_end(words, place)
        else:
            place += 1
    return -1


def is_function(words: list[str]) -> bool:
    """Whether a declaration is one of a function."""
    return parameters_at(words) > 0


def name_at_end(words: list[str]) -> str:
    """The qualified name at the end of some tokens."""
    start = words.index("operator") if "operator" in words else len(words) - 1
    while start >= 2 and words[start - 1] == "::":
        start -= 2
    return "".join(words[start:])


def count_items(words: list[str]) -> int:
    """The number of items separated by commas outside all brackets."""
    if not words:
        return 0
    items, place = 1, 0
    while place < len(words):
        if words[place] in CLOSING:
            place = closing(words, place)
        elif words[place] == "<" and angle_end(words, place) > place:
            place = angle_end(words, place)
        else:
            items += words[place] == ","
            place += 1
    return items
