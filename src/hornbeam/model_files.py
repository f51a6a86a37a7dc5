"""`save` and `load` for every model: trees, forests, boosted models, rule sets, and what fitted estimators contain."""

from __future__ import annotations

import os
from typing import Any

from hornbeam.rules.files import rules_from_bytes, rules_to_bytes
from hornbeam.rules.rule import RuleSet
from hornbeam.tree.file import container
from hornbeam.tree.file.files import MAX_BYTES, from_bytes, read_model, to_bytes, write_model
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a tree, a forest, a rule set or the model of a fitted estimator to a file, complete or not at all."""
    rules = getattr(model, "rules_", model)
    data = rules_to_bytes(rules) if isinstance(rules, RuleSet) else to_bytes(unwrapped(model, labels=False))
    write_model(os.fspath(path), data)


def load(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> Tree | Forest | RuleSet:
    """Read a tree, a forest or a rule set from a file of at most `max_bytes` bytes; the file is fully validated."""
    return read_model(os.fspath(path), _from_bytes, max_bytes)


def _from_bytes(data: bytes) -> Tree | Forest | RuleSet:
    return rules_from_bytes(data) if container.declared_kind(data) == "rules" else from_bytes(data)
