r"""Regular expressions matched in time proportional to the text: no pattern can stall the growth of a tree.

    search = compile_pattern("^(a+)+$")      search("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab") is False, at once

Python's `re` tries one path after the other, which can take exponential time. Here all paths advance together, one
character at a time (Thompson's automaton), and every step is cached. Characters and positions (`[a-z]`, `\w`, `^`,
`\b`) are tested by `re`, one at a time. What an automaton cannot follow is rejected: references to groups, assertions
about what follows or precedes, atomic groups.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

MAX_STATES = 5_000
_MAX_CACHED = 50_000
_ACCEPT = 0
_CHARACTERS = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN)
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)
_NAMES = {
    "GROUPREF": "a reference to a group",
    "GROUPREF_EXISTS": "a condition on a group",
    "ASSERT": "an assertion about what follows or precedes",
    "ASSERT_NOT": "an assertion about what follows or precedes",
    "ATOMIC_GROUP": "an atomic group",
    "POSSESSIVE_REPEAT": "a possessive quantifier",
}

_Test = Callable[[str, int], bool]
_States = frozenset[int]


def compile_pattern(expression: str) -> Callable[[str], bool]:
    """A function that tests whether a text contains a match.

    Raises `re.error` (or the errors of `re.compile`) with the reason if the expression is not supported.
    """
    found = re.compile(expression)
    tokens = _parser.parse(expression)
    if _has_one_path(tokens):
        return lambda text: found.search(text) is not None
    automaton = _Automaton(tokens.state)
    return automaton.searcher(automaton.add(tokens, _ACCEPT))


def _has_one_path(tokens: Any) -> bool:
    """Whether there is nothing to try in more than one way: neither quantifiers nor alternatives."""
    return all(
        kind in _CHARACTERS
        or kind is _constants.AT
        or (kind is _constants.SUBPATTERN and not (value[1] or value[2]) and _has_one_path(value[3]))
        for kind, value in tokens
    )


class _Automaton:
    """States, from the end of the pattern to its start: each reads a character, tests a position, or forks."""

    def __init__(self, parser_state: Any) -> None:
        self._parser_state = parser_state
        self._reads: dict[int, tuple[_Test, int]] = {}
        self._checks: dict[int, tuple[int, int]] = {}  # the index of the test, and the next state
        self._forks: dict[int, list[int]] = {_ACCEPT: []}
        self._tests: list[_Test] = []

    def add(self, tokens: Any, after: int) -> int:
        """The first state of a sequence of tokens that continues with `after`."""
        for token in reversed(list(tokens)):
            after = self._add_token(token, after)
        return after

    def _add_token(self, token: Any, after: int) -> int:
        kind, value = token
        if kind in _CHARACTERS:
            return self._new(self._reads, (self._test(token), after))
        if kind is _constants.AT:
            self._tests.append(self._test(token))
            return self._new(self._checks, (len(self._tests) - 1, after))
        if kind is _constants.BRANCH:
            return self._new(self._forks, [self.add(each, after) for each in value[1]])
        if kind is _constants.SUBPATTERN:
            if value[1] or value[2]:
                raise re.error("it sets flags for a part of the expression")
            return self.add(value[3], after)
        if kind in _REPEATS:
            least, most, repeated = value
            return self._repeat(least, most, repeated, after)
        raise re.error(f"it has {_NAMES.get(str(kind), str(kind).lower())}, which can take exponential time")

    def _repeat(self, least: int, most: Any, tokens: Any, after: int) -> int:
        if most is _constants.MAXREPEAT:
            first = self._new(self._forks, [after])
            self._forks[first].append(self.add(tokens, first))
        else:
            first = after
            for _ in range(most - least):
                first = self._new(self._forks, [after, self.add(tokens, first)])
        for _ in range(least):
            repeated = self.add(tokens, first)
            if repeated == first:  # nothing is repeated
                break
            first = repeated
        return first

    def _new(self, kind: dict[int, Any], value: Any) -> int:
        state = len(self._reads) + len(self._checks) + len(self._forks)
        if state > MAX_STATES:
            raise re.error(f"its quantifiers need more than {MAX_STATES:,} states")
        kind[state] = value
        return state

    def _test(self, token: Any) -> _Test:
        one = _compiler.compile(_parser.SubPattern(self._parser_state, [token]), self._parser_state.flags)
        return lambda text, position: one.match(text, position) is not None

    def searcher(self, first: int) -> Callable[[str], bool]:
        """The test of a text, by steps from one set of states to the next."""
        start: _States = frozenset({first})
        steps: dict[tuple[Any, ...], _States] = {}

        def truths(text: str, position: int) -> tuple[bool, ...]:
            return tuple([test(text, position) for test in self._tests])

        def search(text: str) -> bool:
            states = self._closure(start, truths(text, 0))
            for position, character in enumerate(text):
                if _ACCEPT in states:
                    return True
                true_next = truths(text, position + 1) if self._tests else ()
                key = (states, character, true_next)
                if key not in steps:
                    if len(steps) >= _MAX_CACHED:
                        steps.clear()
                    steps[key] = self._closure(start | self._read(states, text, position), true_next)
                states = steps[key]
            return _ACCEPT in states

        return search

    def _read(self, states: _States, text: str, position: int) -> _States:
        """The states after the character at a position."""
        reads = (self._reads[state] for state in states if state in self._reads)
        return frozenset(after for test, after in reads if test(text, position))

    def _closure(self, states: _States, truths: tuple[bool, ...]) -> _States:
        """All states that can be reached without reading a character."""
        reached, waiting = set(states), list(states)
        while waiting:
            state = waiting.pop()
            following = list(self._forks.get(state, ()))
            if state in self._checks and truths[self._checks[state][0]]:
                following.append(self._checks[state][1])
            waiting += [each for each in following if each not in reached]
            reached.update(following)
        return frozenset(reached)
