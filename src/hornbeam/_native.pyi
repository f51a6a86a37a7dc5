"""The compiled core of hornbeam: arrays in, arrays out."""

from collections.abc import Sequence
from typing import Annotated, Any, overload

import numpy
from numpy.typing import NDArray


class Booster:
    """Trees added one after the other on a table held as bins."""

    def __init__(self, plan: dict) -> None:
        """Put the rows of a plan into bins."""

    @property
    def base(self) -> list[float]:
        """The scores before the first round, one an output."""

    def run(self, rounds: int) -> dict:
        """At most so many more rounds: arrays of their trees."""

class Game:
    """A tree as a game that its columns play."""

    def __init__(self, walker: Walker, arrays: dict[str, Any], width: int, output: int, n_columns: int, n_outputs: int) -> None: ...

    @property
    def most_players(self) -> int:
        """The columns on one path, at most."""

    @property
    def most_sets(self) -> int:
        """The sets of several columns on one path, at most."""

def explain_by_paths(games: list[Any], columns: list[Any], points: list[Any], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu')], threads: int) -> None:
    """
    Adds the contributions of every column; who has not joined goes where training rows went.
    """

def explain_by_background(games: list[Any], columns: list[Any], background: list[Any], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu')], threads: int) -> None:
    """
    Adds the contributions of every column; who has not joined is taken from background rows.
    """

def grow_forest(plan: dict, task: dict, progress: object | None = None) -> list:
    """
    Grow many trees, each on rows drawn for it: a list of what grow returns. The plan must be lean.
    """

def is_lean(plan: dict) -> bool:
    """Whether grow_forest serves a plan."""

def drawn_times(task: dict, target: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, seed: int, tree: int) -> object:
    """How often each row is drawn for a tree."""

class Prepared:
    """Columns made ready once, for many growths on the same rows."""

    def __init__(self, plan: dict) -> None:
        """The columns of a plan, ranked and coded."""

def grow(plan: dict, prepared: Prepared | None = None) -> dict:
    """Grow one tree: a plan in, arrays of nodes and questions out."""

class RowPredictor:
    """A model laid out for one row at a time."""

    @staticmethod
    def of_tree(walker: object, values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], answer: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: list, labels: object | None) -> RowPredictor: ...

    @staticmethod
    def of_forest(walker: object, base: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], divisor: float, link: int, columns: list, labels: object | None) -> RowPredictor: ...

    def answer(self, row: object | None) -> object:
        """The label or number of a row; None: look closer."""

    def shares(self, row: object | None) -> object:
        """The shares of a row; None: look closer."""

def weakest_links(first_child: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_branches: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], risk: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], own: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], lost: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], gained: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Fills each inner node's own alpha, the leaves lost and the risk gained there.
    """

def shuffled(state: Sequence[int], length: int) -> tuple[object, list[int]]:
    """0..length-1 in random order, and the stream's state afterwards."""

def leave_one_out(failing: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], kept: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], inside: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], wrong: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], errors: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Fills what a rule covers and gets wrong: whole, and without each of its kept conditions.
    """

def covered_sums(chosen: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rules: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], side: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], sums: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """Fills the weight that each rule covers of some rows."""

class Walker:
    """A tree laid out for walking."""

    def __init__(self, nodes: dict[str, Any], questions: dict[str, Any], n_levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], unseen: int) -> None: ...

    @property
    def columns(self) -> list[int]:
        """The columns that some question looks at."""

    def walk(self, columns: list[Any], nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], met_unseen: object | None, threads: int) -> int:
        """
        Fills the node of every row (~node where it is shared out); returns a refused row or -1.
        """

    @property
    def takes_rows(self) -> bool:
        """Whether rows of numbers can be walked as they lie."""

    @overload
    def walk_rows(self, rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], threads: int) -> bool: ...

    @overload
    def walk_rows(self, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], threads: int) -> bool:
        """Fills the node of every row of a matrix; False if a value is infinite."""

    def gather(self, nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], threads: int) -> None:
        """Fills the values of the nodes where rows end."""

    def mix(self, columns: list[Any], n_rows: int, rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], threads: int) -> None:
        """Fills the mixtures of rows that are shared out."""

class ForestWalker:
    """Many trees laid out for walking."""

    def __init__(self, width: int, n_levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def columns(self) -> list[int]:
        """The columns that some tree looks at."""

    def expect(self, n_nodes: int) -> None:
        """Makes room for the nodes of all trees together."""

    def add(self, nodes: dict[str, Any], questions: dict[str, Any], unseen: int, values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], answer: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], is_vote: bool, output: int, weight: float) -> None:
        """Adds a tree."""

    def finish(self) -> None:
        """Lays the trees out; nothing is added afterwards."""

    def add_up(self, columns: list[Any], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], shared: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], met_unseen: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], threads: int) -> int:
        """
        Adds what the trees say to every row; marks rows shared out or unseen; returns a refused row or -1.
        """

def linked(scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], link: int, out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], threads: int) -> None:
    """Fills the answers that sums of many trees stand for."""

def default_threads() -> int:
    """The threads used when none are asked for."""
