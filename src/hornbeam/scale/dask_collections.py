"""Recognizes Dask collections and gives the tasks of their partitions, which compute data frames or Arrow tables.

    a DataFrame                                   the columns of `Dataset` are among its columns
    X, y and weights of `fit`: frames, arrays     `DaskRows`, whose partitions are joined by position

Only the functions that need Dask import it, so `is_collection` is fast for other data.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

from hornbeam.errors import InputError, OptionError
from hornbeam.table.names import default_names


def is_collection(value: Any) -> bool:
    """Whether this is a Dask DataFrame, Series or array, or rows made of them."""
    is_dask = type(value).__module__.partition(".")[0] == "dask" and hasattr(value, "__dask_graph__")
    return isinstance(value, DaskRows) or is_dask


def found_client(client: Any) -> Any:
    """The given client, or the default client of this process."""
    if client is not None:
        return client
    try:
        from distributed import default_client

        return default_client()
    except (ImportError, ValueError):
        raise OptionError(
            "A Dask collection requires a client of a cluster.",
            hint="Create one with distributed.Client(), or pass client=; data that fit into memory can be computed.",
            option="client",
        ) from None


@dataclasses.dataclass(frozen=True, eq=False)
class DaskRows:
    """X, y and weights as Dask collections with the same rows; `target` and `weights` are the names of the columns."""

    X: Any
    y: Any
    sample_weight: Any = None
    target: str = "y"
    weights: str | None = None

    @property
    def predictors(self) -> tuple[str, ...]:
        """The names of the columns of X."""
        return _names(self.X)

    @classmethod
    def of(cls, X: Any, y: Any, sample_weight: Any = None) -> DaskRows:
        """The rows of X, y and weights; an error if one of them is not a Dask collection."""
        for name, value in (("X", X), ("y", y), ("sample_weight", sample_weight)):
            if value is None and name == "sample_weight":
                continue
            if not is_collection(value):
                raise InputError(
                    f"{name} must be a Dask collection, as the other arguments are, got a {type(value).__name__}.",
                    hint=f"Pass dask.array.from_array({name}), with the chunks of the others.",
                )
        if len(getattr(X, "shape", (0, 0))) != 2:
            raise InputError(f"X must have two dimensions, got a Dask {type(X).__name__} of one.")
        given = getattr(y, "name", None)
        target = given if isinstance(given, str) and given and hasattr(y, "npartitions") and _is_frame(y) else "y"
        used = _names(X)
        target = _unused(target, used)
        weights = None if sample_weight is None else _unused("sample_weight", (*used, target))
        return cls(X, y, sample_weight, target, weights)


@dataclasses.dataclass(frozen=True, eq=False)
class Partitions:
    """The partitions of a table: a name for messages, the names of the columns, ordered levels, and the tasks."""

    label: str
    names: tuple[str, ...]
    ordered: dict[str, list[Any]]
    tasks: tuple[Any, ...]

    @classmethod
    def of(cls, source: Any, names: Sequence[str] | None = None) -> Partitions:
        """The partitions of a collection, with some of its columns only."""
        if isinstance(source, DaskRows):
            return _joined(source)
        if not _is_frame(source) or len(getattr(source, "shape", ())) != 2:
            raise InputError(
                f"A Dask {type(source).__name__} cannot be grown from.",
                hint="Pass a Dask DataFrame, or fit an estimator to Dask arrays X and y.",
            )
        chosen = source if names is None else source[list(dict.fromkeys(names))]
        return cls("the Dask DataFrame", _names(chosen), _ordered(chosen), tuple(chosen.to_delayed()))


def _names(X: Any) -> tuple[str, ...]:
    columns = getattr(X, "columns", None)
    if columns is None:
        return tuple(default_names(X.shape[1]))
    names = list(columns)
    return tuple(names) if all(isinstance(name, str) for name in names) else tuple(default_names(len(names)))


def _unused(name: str, used: Sequence[str]) -> str:
    while name in used:
        name += "_"
    return name


def _is_frame(value: Any) -> bool:
    return hasattr(value, "to_delayed") and hasattr(value, "map_partitions") and hasattr(value, "divisions")


def _ordered(frame: Any) -> dict[str, list[Any]]:
    """The levels of ordered categories, by column."""
    found = {}
    for name, dtype in frame.dtypes.items():
        levels = getattr(dtype, "categories", None)
        if getattr(dtype, "ordered", False) and levels is not None and "__UNKNOWN_CATEGORIES__" not in list(levels):
            found[str(name)] = list(levels)
    return found


def _joined(rows: DaskRows) -> Partitions:
    from dask import delayed

    X, y, weights = _aligned(rows.X, rows.y, rows.sample_weight)
    lists = {"y": _blocks(y), **({} if weights is None else {"sample_weight": _blocks(weights)})}
    blocks = _blocks(X)
    for name, other in lists.items():
        if len(other) != len(blocks):
            raise InputError(
                f"X has {len(blocks)} partitions and {name} has {len(other)}.",
                hint="Use the same partitions: repartition or rechunk one of them.",
            )
    names = (*rows.predictors, rows.target, *([rows.weights] if rows.weights else []))
    tasks = []
    for number, parts in enumerate(zip(blocks, *lists.values(), strict=True)):
        join = delayed(functools.partial(joined_frame, names, number), pure=True)
        tasks.append(join(*parts))
    ordered = _ordered(rows.X) if _is_frame(rows.X) else {}
    return Partitions("the Dask collections", names, ordered, tuple(tasks))


def _aligned(*collections: Any) -> list[Any]:
    """The collections with arrays in whole rows, and in the same chunks where their sizes are known."""
    found = []
    rows: Any = None
    for value in collections:
        if value is None or _is_frame(value):
            found.append(value)
            continue
        whole = value.rechunk({1: -1}) if value.ndim == 2 else value
        sizes = whole.chunks[0]
        if rows is not None and not any(size != size for size in (*rows, *sizes)):
            if sum(rows) != sum(sizes):
                raise InputError(f"X and y must have the same number of rows, got {sum(rows)} and {sum(sizes)}.")
            whole = whole.rechunk({0: rows})
        rows = sizes if rows is None and not found else rows
        found.append(whole)
    return found


def _blocks(value: Any) -> list[Any]:
    """The tasks of the partitions; not optimized for frames, which may join other partitions of X than of y."""
    if _is_frame(value):
        return list(value.to_delayed(optimize_graph=False))
    return list(value.to_delayed().ravel())


def joined_frame(names: Sequence[str], number: int, X: Any, *columns: Any) -> Any:
    """One partition as an Arrow table: the columns of X, then the others, joined by position."""
    import pyarrow as pa

    n_predictors = len(names) - len(columns)
    is_frame = hasattr(X, "iloc")
    parts = [X.iloc[:, place] if is_frame else X[:, place] for place in range(n_predictors)]
    for name, column in zip(names[n_predictors:], columns, strict=True):
        if len(column) != len(X):
            raise InputError(f"Partition {number} of X has {len(X)} rows and that of {name} has {len(column)}.")
        one = column if getattr(column, "ndim", 1) == 1 else column.iloc[:, 0] if is_frame else column.ravel()
        parts.append(one)
    return pa.table([pa.array(part, from_pandas=True) for part in parts], list(names))
