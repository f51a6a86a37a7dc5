"""`predict`: predictions in memory, or of any number of rows into a file.

    predict(model, rows)                                             a Prediction, all rows in memory
    predict(model, "data/*.parquet", output="out.parquet")           a file, in batches; the memory stays small

The output is written completely or not at all: an error or Ctrl-C leaves the old file, or none.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, overload

from hornbeam.errors import (
    HornbeamError,
    HornbeamWarning,
    MemoryLimitError,
    OptionError,
    OutputError,
    Set,
    available,
    short_repr,
)
from hornbeam.scale.matched_rows import BatchedRows, MatchedRows, ReadAgain, ReadAtOnce, rows_counted_from
from hornbeam.scale.new_rows import read_at_once, rows_in_batches
from hornbeam.scale.outputs import FORMATS, writer_of
from hornbeam.scale.predicted_batch import PredictedBatch, check_kept
from hornbeam.tree import prediction
from hornbeam.tree.file.atomic import open_atomically, system_failures_as
from hornbeam.tree.forest import Forest
from hornbeam.tree.missing_rates import count_missing, warn_of_counts
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import Prediction

if TYPE_CHECKING:
    from hornbeam.rules.rule import RuleSet

# Called with the number of rows done so far and the number of all rows, None if it is unknown.
RowProgress = Callable[[int, int | None], Any]
_MAX_NODES = 5


@dataclasses.dataclass
class PredictionRun:
    """The state of a prediction in batches: rows done, rows with an unseen level and where, missing values."""

    model: Tree | Forest | RuleSet
    n_rows: int = 0
    n_unseen: int = 0
    first_unseen: int = -1
    nodes: dict[int, int] = dataclasses.field(default_factory=dict)
    n_missing: dict[int, int] = dataclasses.field(default_factory=dict)

    def predicted(self, batches: Iterable[MatchedRows], threads: int | None = None) -> Iterator[PredictedBatch]:
        """The batches with their predictions."""
        for rows in batches:
            with rows_counted_from(rows.first_row):
                found = self._predict(rows, threads)
            self._count_unseen(rows, found)
            self.n_rows += len(found)
            yield PredictedBatch(found, rows.first_row, rows.kept, by_node=isinstance(self.model, Tree))
        if isinstance(self.model, Tree):
            warn_of_counts(self.model, self.n_missing, self.n_rows, stacklevel=3)

    def _predict(self, rows: MatchedRows, threads: int | None) -> Prediction:
        if not isinstance(self.model, (Tree, Forest)):
            return self.model.predict(rows.columns)
        if isinstance(self.model, Tree):
            for position, count in count_missing(self.model, rows.columns).items():
                self.n_missing[position] = self.n_missing.get(position, 0) + count
        return prediction.predict(self.model, rows.columns, threads=threads, check_missing=False)

    def _count_unseen(self, rows: MatchedRows, found: Prediction) -> None:
        unseen = found.has_unseen_level.nonzero()[0]
        if not len(unseen):
            return
        self.n_unseen += len(unseen)
        if self.first_unseen < 0:
            self.first_unseen = rows.first_row + int(unseen[0])
        if isinstance(self.model, Tree):
            from hornbeam.tree.reference_walk import unseen_levels

            at_nodes = unseen_levels(self.model, [column.take(unseen) for column in rows.columns])
            for node, count in at_nodes.items():
                self.nodes[node] = self.nodes.get(node, 0) + count

    def unseen_text(self) -> str:
        """How many rows have a level without a branch, for a tree also at which nodes; empty if there are none."""
        if not self.n_unseen:
            return ""
        text = f"{self.n_unseen:,} row(s) have a level that was not seen in training"
        if not isinstance(self.model, Tree):
            return text
        places = []
        for node, count in list(self.nodes.items())[:_MAX_NODES]:
            names = ", ".join(self.model.schema.columns[at].name for at in self.model.question(node).columns)
            places.append(f"node {node} ({names}): {count:,}")
        more = f" and {len(self.nodes) - _MAX_NODES:,} more nodes" if len(self.nodes) > _MAX_NODES else ""
        return f"{text}, at {', '.join(places)}{more}; first row {self.first_unseen}"


@overload
def predict(
    model: Any, rows: Any, *, output: None = None, threads: int | None = None, check_missing: bool = True
) -> Prediction: ...


@overload
def predict(
    model: Any,
    rows: Any,
    *,
    output: str | os.PathLike[str],
    keep: Sequence[str] = (),
    format: str | None = None,
    progress: RowProgress | None = None,
    threads: int | None = None,
    check_missing: bool = True,
) -> int: ...


def predict(
    model: Any,
    rows: Any,
    *,
    output: str | os.PathLike[str] | None = None,
    keep: Sequence[str] = (),
    format: str | None = None,
    progress: RowProgress | None = None,
    threads: int | None = None,
    check_missing: bool = True,
) -> Prediction | int:
    """Predict rows: a table, anything `read` accepts (matched by name), or the columns of the model in order.

    With `output`, the predictions are written to a file (.csv, .jsonl, .parquet or .arrow, or `format`) and their
    number is returned. Then `rows` may also be a pattern ("data/*.parquet"), a list of files, an Arrow stream or an
    iterator of data frames, of any size: large sources are read in batches. `keep` names columns of the source to
    repeat in the file; `progress(done, all)` is called after each batch. The file is complete or is not written.

    `check_missing`: warn if a tree uses missingness as information and values are now missing more or less often.
    """
    if output is None:
        for name, value in (("keep", keep), ("format", format), ("progress", progress)):
            if value:
                raise OptionError(f"{name} requires output.", fix=Set("output", "predictions.parquet"), option=name)
        return prediction.predict(model, rows, threads=threads, check_missing=check_missing)
    path = os.fspath(output)
    format_name = _format(path, format)
    check_kept(model.schema, keep)
    source = rows_in_batches(rows)

    def write(run: PredictionRun, found: BatchedRows | MatchedRows) -> None:
        batches = [found] if isinstance(found, MatchedRows) else found.matched(model.schema, keep)
        n_rows = len(found) if isinstance(found, MatchedRows) else found.n_rows
        with system_failures_as(path, OutputError), open_atomically(path) as file:
            write_batches(run.predicted(batches, threads), file, format_name, run, progress, n_rows)

    with contextlib.closing(source) if source is not None else contextlib.nullcontext():
        settings = {} if source is None else {"warn": False}
        run = predict_batches(model, source, lambda: read_at_once(model.schema, rows, keep, **settings), write)
    if run.n_unseen and isinstance(model, Tree):
        warnings.warn(f"{run.unseen_text()}.", HornbeamWarning, stacklevel=2)
    return run.n_rows


def predict_batches(
    model: Tree | Forest | RuleSet,
    source: BatchedRows | None,
    at_once: Callable[[], MatchedRows],
    write: Callable[[PredictionRun, BatchedRows | MatchedRows], None],
) -> PredictionRun:
    """Predict the rows of a source in batches, or those of `at_once` if it cannot be read in batches, with `write`.

    `write` is called again if the source has to be read in another way; it then replaces what it wrote.
    """
    reason: HornbeamError | None = None
    while source is not None:
        run = PredictionRun(model)
        try:
            write(run, source)
            return run
        except ReadAgain:
            continue
        except ReadAtOnce as found:
            reason, source = found.reason, None
    try:
        rows = at_once()
    except MemoryLimitError as error:
        raise (reason or error) from None
    run = PredictionRun(model)
    write(run, rows)
    return run


def write_batches(
    batches: Iterator[PredictedBatch],
    file: BinaryIO,
    format_name: str,
    run: PredictionRun,
    progress: RowProgress | None = None,
    n_rows: int | None = None,
    *,
    for_spreadsheet: bool = False,
) -> None:
    """Write batches of predictions to an open file."""
    writer = writer_of(format_name, file, run.model.schema, for_spreadsheet=for_spreadsheet)
    try:
        for batch in batches:
            writer.append(batch)
            if progress is not None:
                progress(run.n_rows, n_rows)
    finally:
        writer.close()


def _format(path: str, given: str | None) -> str:
    name = given or FORMATS.get(os.path.splitext(path)[1].lower())
    if name not in set(FORMATS.values()):
        raise OptionError(
            f"The format of {short_repr(path, 300)} is unknown.",
            hint=f"Use one of the suffixes {', '.join(FORMATS)}. {available(sorted(set(FORMATS.values())))}",
            option="format" if given else "output",
        )
    return name
