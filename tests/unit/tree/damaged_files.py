"""Model files changed on purpose, with correct hashes."""

import hashlib
import json

import numpy as np
from tests.unit.tree.example_trees import mixed_tree

from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.table.table import Schema
from hornbeam.tree.file import container, files
from hornbeam.tree.nodes import Nodes, Tree
from hornbeam.tree.questions.table import empty_table


def stump(level="no"):
    arrays = {"parent": [-1], "first_child": [-1], "n_branches": [0], "question": [-1], "rows": [3]}
    arrays |= {"weight": [3], "stats": [[3.0]], "answer": [0]}
    nodes = Nodes(**{name: np.array(value) for name, value in arrays.items()})
    target = ColumnSpec("y", Kind.NOMINAL, (level,))
    return Tree(Schema((ColumnSpec("x", Kind.NUMERIC),), target), nodes, empty_table())


def rehashed(body):
    return body + hashlib.sha256(body).digest()


def repacked(data, change, about=None):
    """The file with changed arrays and a correct hash: what someone who means harm would write."""
    arrays, words, _ = container.read_container(data)
    arrays = {name: array.copy() for name, array in arrays.items()}
    change(arrays)
    return container.write_container(arrays, words if about is None else about)


def described(data, change):
    """The file with a changed description and a correct hash."""

    def edit(arrays):
        about = json.loads(arrays["description"].tobytes())
        text = change(about)
        text = json.dumps(about, sort_keys=True, separators=(",", ":")) if text is None else text
        arrays["description"] = np.frombuffer(text.encode() if isinstance(text, str) else text, dtype=np.uint8)

    return repacked(data, edit)


MIXED = files.to_bytes(mixed_tree())
