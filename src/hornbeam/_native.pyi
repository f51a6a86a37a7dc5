"""The compiled core of hornbeam: arrays in, arrays out."""

from collections.abc import Sequence
from typing import Annotated, Any, overload

import numpy
from numpy.typing import NDArray


class Booster:
    """Adds trees one after the other to a model of a binned table."""

    def __init__(self, plan: dict) -> None:
        """Bin the rows of a plan."""

    @property
    def base(self) -> list[float]:
        """The raw scores before the first round, one per output."""

    def run(self, rounds: int) -> dict:
        """
        Run at most the given number of further rounds; returns the arrays of their trees.
        """

@overload
def code_values(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cuts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], missing: int, codes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def code_values(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cuts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], missing: int, codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    The number of cuts below each value, `missing` for NaN; written to `codes`.
    """

@overload
def look_up(levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def look_up(levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def look_up(levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    The entry of `table` for each level, the last one for levels below 0; written to `codes`.
    """

@overload
def code_known(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> bool: ...

@overload
def code_known(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu')]) -> bool: ...

@overload
def code_known(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> bool:
    """
    The entry of `table` for the place of each value in `numbers`, which ascend, the last one for NaN; written to
    `codes`. False if some value is none of the numbers.
    """

def number_facts(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], max_distinct: int) -> tuple[int, float, float, bool, object]:
    """
    The number of missing values, minimum, maximum, whether all are integers, and the distinct values in order;
    None if there are more than `max_distinct`, or it is below 0.
    """

def count_codes(codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_codes: int) -> object:
    """The number of codes below 0, followed by the number of each code."""

class Game:
    """A tree as a cooperative game of its columns."""

    def __init__(self, walker: Walker, arrays: dict[str, Any], width: int, output: int, n_columns: int, n_outputs: int) -> None: ...

    @property
    def most_players(self) -> int:
        """Maximum number of columns on one path."""

    @property
    def most_sets(self) -> int:
        """Maximum number of sets of several columns on one path."""

def explain_by_paths(games: list[Any], columns: list[Any], points: list[Any], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu')], threads: int) -> None:
    """
    Adds the contributions of every column; columns outside the coalition follow the training rows.
    """

def explain_by_background(games: list[Any], columns: list[Any], background: list[Any], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu')], threads: int) -> None:
    """
    Adds the contributions of every column; columns outside the coalition have values of background rows.
    """

def grow_forest(job: dict, task: dict, progress: object | None = None) -> list:
    """
    Grow many trees, each on its own sample of rows; returns the list of what grow returns. grows_at_once(job) must be true.
    """

def grows_at_once(job: dict) -> bool:
    """
    Whether grow_forest supports a job, and is faster than growing one tree after the other.
    """

def drawn_times(task: dict, target: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, seed: int, tree: int) -> object:
    """The number of times that each row is in the sample of a tree."""

def grow(job: dict) -> dict:
    """
    Grow one tree for a job; returns the arrays of its nodes and questions.
    """

class RankedColumn:
    """A column that is ranked or coded once, when it is first needed."""

    def __init__(self, kind: int, array: object, n_levels: int) -> None:
        """A column of a job; the array must not change."""

    @property
    def n_bytes(self) -> int:
        """The number of bytes that are kept at present."""

class ChosenRows:
    """Some rows of a table, each once."""

    def __init__(self, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_table_rows: int, is_node: bool = False) -> None:
        """
        Row numbers, in any order: a table of their own, or a node of the table.
        """

class RowPredictor:
    """Predictions of a model for one row at a time."""

    @staticmethod
    def of_tree(walker: object, values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], answer: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: list, labels: object | None) -> RowPredictor: ...

    @staticmethod
    def of_forest(walker: object, base: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], divisor: float, link: int, columns: list, labels: object | None) -> RowPredictor: ...

    def answer(self, row: object | None) -> object:
        """
        The predicted label or value of a row; None if the row needs the general path.
        """

    def shares(self, row: object | None) -> object:
        """
        The class probabilities of a row; None if the row needs the general path.
        """

class PartError(ValueError):
    """An error about a part: part_type, name, key and the known names."""

class UnknownPart(PartError):
    """The core has no part of this name."""

class UnknownSetting(PartError):
    """The part has no setting of this name."""

class BadSetting(PartError):
    """A setting has another type or value."""

def parts() -> dict:
    """
    The parts of the core: by part type and name, the default of every setting.
    """

def without_kernel(parts: dict, facts: dict) -> str:
    """
    A description of the part, or of the combination, that has no kernel; empty if the core can grow the tree.
    """

def combinations_without_kernel() -> list[str]:
    """All combinations of parts without a kernel, in general terms."""

class PieceAdder:
    """What the rows of pieces add up to for a request."""

    def __init__(self, request: dict) -> None: ...

    def add(self, rows: dict) -> None:
        """
        Add the rows of a piece; `rows` are arrays by name, and `nodes` of them is updated.
        """

    def sums(self) -> dict:
        """The sums of all rows so far, as arrays by name."""

def route_piece(request: dict, rows: dict) -> None:
    """Set `nodes` of the rows of a piece to the node of every row."""

class PieceGrower:
    """Growth of a tree from sums of pieces."""

    def __init__(self, plan: dict, columns: list, facts: dict) -> None: ...

    def next(self) -> object:
        """The next request as a dict of arrays; None when the tree is complete."""

    @property
    def wants_rows(self) -> bool:
        """Whether the request is for rows, not for sums."""

    @property
    def n_nodes(self) -> int:
        """The number of nodes so far."""

    @property
    def n_open(self) -> int:
        """The number of nodes that are still to be split."""

    def answer(self, sums: dict) -> None:
        """Take the sums that answer the request."""

    def finish(self, request: dict, rows: dict) -> None:
        """Finish the nodes of the request from all their rows."""

    def state(self) -> object:
        """
        The tree so far and its open nodes as bytes; None while an answer is awaited.
        """

    def restore(self, state: bytes) -> None:
        """Continue from a state of the same data and settings."""

    def grown(self, is_class: bool) -> dict:
        """The arrays of the tree."""

class BoostedPiece:
    """
    The rows of a piece while trees are boosted; its arrays belong to Python.
    """

    def __init__(self, settings: dict, rows: dict) -> None: ...

    def set_scores(self, base: Sequence[float]) -> None:
        """Set all scores to those before the first tree."""

    def start_round(self) -> None:
        """Prepare the scores for the trees of a round."""

    def start_tree(self, units: tuple[float, float, int], output: int, round: int) -> None:
        """
        Compute the gradients of an output in these units and sample the rows of the tree.
        """

    def start_joint(self, units: tuple[float, float, int], group: Sequence[int], round: int) -> None:
        """
        Compute the gradients of a group of classes and sample the rows of the tree.
        """

    def refill(self, units: tuple[float, float, int], output: int) -> None:
        """Compute the gradients of another output for the same rows."""

    def add_sums(self, tree: dict, nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Add the sums of some nodes."""

    def apply(self, tree: dict, output: int, is_current: bool) -> None:
        """
        Add a complete tree to the scores; `is_current` if it is the one that was started last.
        """

    def largest(self, output: int) -> tuple:
        """The largest gradient and second derivative."""

    def losses(self) -> tuple:
        """Sums of losses and weights: training rows, then held-out rows."""

    def add_root(self, to: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Add the sums of all rows of the tree."""

    def add_cells(self, tree: dict, nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Add the sums per code of some nodes."""

    def add_moments(self, tree: dict, nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Add the moments of some nodes for the F test."""

class TreeFromSums:
    """Growth of boosted trees, one after the other, from sums of pieces."""

    def __init__(self, plan: dict, columns: list, is_weighted: bool, round_nodes: int, held_nodes: int) -> None: ...

    def base(self, mean: float, class_weights: Sequence[float], weight: float) -> list[float]:
        """The raw scores before the first tree."""

    def start(self, largest_g: float, largest_h: float, n_rows: int, number: int, is_joint: bool = False) -> tuple[float, float, int]:
        """Start a tree, for one class or for all; returns its units."""

    @staticmethod
    def units(largest_g: float, largest_h: float, n_rows: int) -> tuple[float, float, int]:
        """The units of gradients with these bounds."""

    def refit(self, units: tuple[float, float, int], sums: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        The values of a complete tree for other gradients, from their sums in the requested leaves.
        """

    def next(self) -> int:
        """
        What is requested next: 0 nothing, 1 the root, 2 sums of nodes, 3 moments of leaves, 4 sums of leaves.
        """

    @property
    def nodes(self) -> object:
        """The nodes of the request."""

    @property
    def columns(self) -> object:
        """The columns of the tree."""

    def coded(self) -> dict:
        """The tree so far as arrays; with `step` if it is complete."""

    @property
    def cells_per_node(self) -> int:
        """How many numbers the sums of a node are."""

    def answer_root(self, sums: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Take the sums of the root."""

    def answer_cells(self, cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Take the sums of the requested nodes."""

    def answer_moments(self, moments: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Take the moments of the requested nodes."""

    def grown(self) -> dict:
        """The arrays of the complete tree."""

def weakest_links(first_child: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_branches: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], risk: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], own: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], lost: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], gained: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Fills the alpha of each inner node, and the leaves lost and the risk gained when it collapses.
    """

def shuffled(state: Sequence[int], length: int) -> tuple[object, list[int]]:
    """
    The integers from 0 to length - 1 in random order, and the state of the stream afterwards.
    """

def hash_numbers(hashes: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], values: object) -> None:
    """Add the numbers of a column to the hashes of its rows."""

def hash_levels(hashes: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], codes: object, of_level: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
    """
    Add the levels of a column to the hashes of its rows; the last entry of `of_level` is for missing values.
    """

def chosen_rows(limit: int, key: int, first_row: int, n_rows: int) -> tuple[object, object]:
    """
    Those of consecutive rows whose hash, mix(row ^ key), is at most `limit`, and their hashes.
    """

def leave_one_out(failing: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], kept: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], inside: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], wrong: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> object:
    """
    The weights that a rule covers, and those that it misclassifies: with all kept conditions, and without each.
    """

def covered_sums(chosen: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rules: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], side: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], sums: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """Fills the weight that each rule covers among the chosen rows."""

class Walker:
    """The layout of a tree for walking."""

    def __init__(self, nodes: dict[str, Any], questions: dict[str, Any], n_levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], unseen: int) -> None: ...

    @property
    def columns(self) -> list[int]:
        """The columns that some question uses."""

    def walk(self, columns: list[Any], nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], has_unseen_level: object | None, threads: int) -> int:
        """
        Fills the node of each row (~node if it is distributed over branches); returns a rejected row or -1.
        """

    @property
    def takes_rows(self) -> bool:
        """Whether a row-major matrix can be walked in place."""

    @overload
    def walk_rows(self, rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], threads: int) -> bool: ...

    @overload
    def walk_rows(self, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], threads: int) -> bool:
        """Fills the node of each row of a matrix; False if a value is infinite."""

    def gather(self, nodes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], threads: int) -> None:
        """Fills the values of the nodes where rows end."""

    def mix(self, columns: list[Any], distributed: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], threads: int) -> None:
        """Fills the mixtures of rows that are distributed over branches."""

class ForestWalker:
    """The layout of many trees for walking."""

    def __init__(self, width: int, n_levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def columns(self) -> list[int]:
        """The columns that some tree uses."""

    def expect(self, n_nodes: int) -> None:
        """Reserves memory for the nodes of all trees together."""

    def add(self, tree: tuple[dict[str, Any], dict[str, Any], int], values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], output: int, weight: float) -> None:
        """
        Adds a tree; with labels it adds a vote for the label of the node of a row.
        """

    def finish(self) -> None:
        """Builds the layout; no tree can be added afterwards."""

    def add_up(self, columns: list[Any], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], shared: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], has_unseen_level: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], threads: int) -> int:
        """
        Adds the values of the trees; marks distributed rows and rows with unseen levels; returns a rejected row or -1.
        """

def linked(scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], link: int, out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], threads: int) -> None:
    """Converts the sums of many trees to predictions."""

def default_threads() -> int:
    """The number of threads that is used by default."""
