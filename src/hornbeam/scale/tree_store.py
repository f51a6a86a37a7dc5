"""The trees of a growth of several trees in its checkpoint: complete ones, and states of those that still grow."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hornbeam.scale.checkpoint import Growth
from hornbeam.tree.file.files import from_bytes, to_bytes
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree

if TYPE_CHECKING:
    from hornbeam.scale.grow import TreeGrowth


class TreeStore:
    """What an interrupted growth has left; the caller appends complete trees to `complete`."""

    def __init__(self, saved: Growth | None) -> None:
        self._saved = saved
        self.complete: list[Tree] = []
        self._states: list[bytes] = []
        if saved is not None and saved.state is not None:
            found = json.loads(saved.state)
            self._states = [base64.b64decode(state) for state in found["states"]]
            if found["trees"]:
                forest = from_bytes(base64.b64decode(found["trees"]))
                assert isinstance(forest, Forest)
                self.complete = list(forest.trees)

    def restore(self, growths: Sequence[TreeGrowth]) -> None:
        """Continue the growths with the states, if as many grew together; with another memory they start again."""
        if len(self._states) == len(growths):
            for growth, state in zip(growths, self._states, strict=True):
                growth.restore(state)
        self._states = []

    def save(self, growths: Sequence[TreeGrowth]) -> None:
        """Store the complete trees and the states of those that grow."""
        if self._saved is not None:
            self._saved.save(lambda: self._stored(growths))

    def _stored(self, growths: Sequence[TreeGrowth]) -> bytes | None:
        states = [growth.core.state() for growth in growths]
        if any(state is None for state in states):
            return None
        trees = b""
        if self.complete:
            trees = to_bytes(Forest(schema=self.complete[0].schema, trees=tuple(self.complete), combine="mean"))
        stored = {"trees": base64.b64encode(trees).decode(), "states": [base64.b64encode(s).decode() for s in states]}
        return json.dumps(stored).encode()
