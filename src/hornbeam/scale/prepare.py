"""Prepares a dataset for growth: two passes over its rows, from files to bins on disk.

    pass 1   summaries of the columns, a sample of rows -> kinds, levels, bins
    pass 2   one bin file per piece, about one byte per value

Neither the size of the pieces, nor the order in which they are read, nor `memory` changes the bins.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import os
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

from hornbeam.errors import DataFileError, OptionError, Set
from hornbeam.scale.bin_files import BinFile, Layout, write_bin_file
from hornbeam.scale.binned import BinnedData
from hornbeam.scale.checkpoint import Checkpoint, Growth
from hornbeam.scale.cluster_source import ClusterSource, files_on_cluster, partitions_on_cluster, piece_mark
from hornbeam.scale.dataset import DASK, Dataset
from hornbeam.scale.first_pass import Roles, TableSummary, empty_summary, summarize_piece
from hornbeam.scale.memory_limit import batch_rows_within, check_sample_fits, memory_returned
from hornbeam.scale.plan import TablePlan, plan_table
from hornbeam.scale.rounds import Rounds
from hornbeam.scale.sources.arrow_types import check_types
from hornbeam.scale.sources.parquet import ParquetSource, parquet_source
from hornbeam.scale.stored_plan import restored, stored
from hornbeam.scale.time_left import TimeLeft
from hornbeam.scale.work_folder import WorkFolder, work_folder
from hornbeam.table.column import ColumnSpec
from hornbeam.table.notes import NoteCode
from hornbeam.table.table import Schema

BINS_SAMPLE = 200_000
MAX_HELD_OUT = 200_000
Report = Callable[[str], Any]
Source = ParquetSource | ClusterSource


@dataclasses.dataclass(frozen=True, eq=False)
class PreparedFiles:
    """A dataset as bins on disk, valid inside the `with` block of `prepared`."""

    data: BinnedData
    plan: TablePlan
    roles: Roles
    source: Source
    batch_rows: int
    notes: tuple[str, ...]
    rounds: Rounds | None = None  # on a cluster
    checkpoint: Checkpoint | None = None
    key: str = ""  # of the data and of the settings for reading them

    def saved(self, method: Any, seed: int) -> Growth | None:
        """The place for the model so far of a method; None if nothing is kept."""
        if self.checkpoint is None:
            return None
        text = repr((version("hornbeam"), self.key, method, seed))
        return self.checkpoint.growth(hashlib.sha256(text.encode()).hexdigest())

    @property
    def schema(self) -> Schema:
        """The columns and the target, as a model stores them."""
        target = self.plan.target.spec
        spec = ColumnSpec(target.name, target.kind, target.levels, text_format=target.text_format)
        return Schema(tuple(column.spec for column in self.plan.columns), spec)


@contextlib.contextmanager
def prepared(
    dataset: Dataset,
    *,
    memory_limit: int,
    bins: int = 255,
    bins_sample: int = BINS_SAMPLE,
    held_out: int | Callable[[int], int] = 0,
    complete_rows: bool = False,
    work: str | os.PathLike[str] | None = None,
    resume: str | os.PathLike[str] | None = None,
    report: Report | None = None,
    client: Any = None,
) -> Iterator[PreparedFiles]:
    """The bins of a dataset. `held_out` n keeps one of n parts of the rows, at most 200,000 rows, out of the bins;
    it may depend on the number of rows. `complete_rows` keeps rows with missing values out.

    With a Dask `client`, its workers read the pieces and keep the bins. `resume` is a checkpoint.
    """
    if bins_sample < 1000:
        raise OptionError(f"bins_sample must be at least 1000, got {bins_sample}.", option="bins_sample")
    _check_resume(dataset, resume)
    with work_folder(work, resume) as folder, memory_returned():
        source, formats, notes = opened_source(dataset, folder, memory_limit, report, client)
        parts = held_out(source.n_rows) if callable(held_out) else held_out
        roles = roles_of(dataset, source, bins=bins, bins_sample=bins_sample, held_out=parts)
        roles = dataclasses.replace(roles, complete_rows=complete_rows)
        check_sample_fits(roles, source.n_rows, memory_limit)
        batch_rows = batch_rows_within(memory_limit, len(roles.names))
        passes = _Passes(source, roles, folder, batch_rows, report, repr((formats, dataset.keep_ids)), client)
        plan, counts = passes.first(formats, dataset.keep_ids)
        all_notes = (*notes, *plan.notes, *_column_notes(plan))
        columns = tuple(column.binned for column in plan.columns)
        checkpoint = folder.checkpoint if folder.keeps_record else None
        with passes.binned(plan, counts) as (rounds, pieces):
            data = BinnedData(columns, plan.binned_target, plan.n_rows, plan.total_weight, pieces)
            yield PreparedFiles(data, plan, passes.roles, source, batch_rows, all_notes, rounds, checkpoint, passes.key)


def _check_resume(dataset: Dataset, resume: Any) -> None:
    if resume is not None and dataset.format() not in ("parquet", DASK):
        raise OptionError(
            f"resume requires Parquet files or a Dask collection, got {dataset.format()}.",
            fix=Set("work", purpose="to keep the columns and continue in a folder"),
            option="resume",
        )


def opened_source(
    dataset: Dataset, folder: WorkFolder, memory_limit: int, report: Report | None, client: Any = None
) -> tuple[Source, dict[str, Any], tuple[str, ...]]:
    """The pieces of a dataset; a source that is neither Parquet nor Dask is first written to the work folder."""
    if dataset.format() == DASK:
        return partitions_on_cluster(dataset.partitions(), client), {}, ()
    formats: dict[str, Any] = {}
    notes: tuple[str, ...] = ()
    if dataset.format() == "parquet":
        source = parquet_source(dataset.paths(), dataset.label)
    else:
        from hornbeam.scale.spool import spooled

        source, formats, notes = spooled(dataset, folder, memory_limit, report)
    if client is None:
        return source, formats, notes
    return files_on_cluster(source, client), formats, notes


def roles_of(dataset: Dataset, source: Source, *, bins: int, bins_sample: int, held_out: int) -> Roles:
    """The roles of the columns of a dataset."""
    predictors = tuple(dataset.predictors(source.names))
    assert dataset.target is not None
    used = [*predictors, dataset.target, *([dataset.weights] if dataset.weights else [])]
    types = {name: source.types[name] for name in used}
    check_types(types, source.label)
    # More than enough rows for the sample: the other rows need not be looked at.
    likely = (bins_sample + 6 * bins_sample**0.5) / source.n_rows
    return Roles(
        predictors=predictors,
        target=dataset.target,
        weights=dataset.weights,
        types={name: types[name] for name in (*predictors, dataset.target)},
        kinds={**(source.ordered if isinstance(source, ClusterSource) else {}), **dataset.kinds},
        na_values=tuple(dataset.na_values or ()),
        bins=bins,
        sample_rows=min(bins_sample, source.n_rows),
        sample_fraction=min(1.0, likely),
        held_out=min(1 / held_out, MAX_HELD_OUT / source.n_rows) if held_out else 0.0,
    )


def _column_notes(plan: TablePlan) -> tuple[str, ...]:
    return tuple(f"column {each.spec.name}: {note}" for each in (*plan.columns, plan.target) for note in each.notes)


class _Passes:
    """The two passes over a source; what a kept work folder already has is used."""

    def __init__(
        self,
        source: Source,
        roles: Roles,
        folder: WorkFolder,
        batch_rows: int,
        report: Report | None,
        settings: str,
        client: Any,
    ) -> None:
        self.source = source
        self.roles = roles
        self.folder = folder
        self.batch_rows = batch_rows
        self.report = report or (lambda text: None)
        self.client = client
        marks = [piece_mark(piece) for piece in source.pieces]
        self.key = hashlib.sha256(repr((marks, roles, settings)).encode()).hexdigest()

    def first(self, formats: dict[str, Any], keep_ids: bool) -> tuple[TablePlan, list[int]]:
        """The plan, and the number of rows of every piece that are used to grow."""
        record = self.folder.record(self.key)
        if record:
            self.report("the first pass is complete already")
            plan = restored(record["plan"])
            self._use_columns_of(plan)
            return plan, record["counts"]
        self.folder.clear()
        total, counts = self._summary()
        plan = plan_table(total, self.roles, formats, keep_ids)
        excluded = self._use_columns_of(plan)
        if self.roles.complete_rows and any(total.columns[name].n_missing for name in excluded):
            # Rows are complete if the columns that are used are.
            total, counts = self._summary()
            notes = tuple(note for note in plan.notes if getattr(note, "code", None) is NoteCode.LEFT_OUT)
            plan = plan_table(total, self.roles, formats, keep_ids)
            plan = dataclasses.replace(plan, notes=(*notes, *plan.notes))
        if self.client is None:
            self.folder.require_space(plan.row_bytes * plan.n_rows, "Growing from files")
        if self.folder.keeps_record:
            self.folder.save_record(self.key, {"plan": stored(plan), "counts": counts})
        return plan, counts

    def _use_columns_of(self, plan: TablePlan) -> list[str]:
        """Read only the columns of the plan from now on; the names of the others."""
        names = tuple(column.spec.name for column in plan.columns)
        excluded = [name for name in self.roles.predictors if name not in names]
        self.roles = dataclasses.replace(self.roles, predictors=names)
        return excluded

    def _summary(self) -> tuple[TableSummary, list[int]]:
        """The summary of all pieces, and the number of rows of each that growth uses."""
        total = empty_summary(self.roles)
        counts = [0] * len(self.source.pieces)
        timer = _Timer("pass 1", self.source.n_rows, self.report)
        for place, summary in self._summaries():
            counts[place] = summary.n_rows
            total.merge(summary)
            timer.add(self.source.pieces[place].n_rows)
        return total, counts

    def _summaries(self) -> Iterator[tuple[int, TableSummary]]:
        """The summary of every piece with its number, in any order."""
        if isinstance(self.source, ClusterSource):
            return self.source.each(summarize_piece, self.roles, self.batch_rows)
        pieces = enumerate(self.source.pieces)
        return ((place, summarize_piece(piece, self.roles, self.batch_rows)) for place, piece in pieces)

    @contextlib.contextmanager
    def binned(self, plan: TablePlan, counts: list[int]) -> Iterator[tuple[Rounds | None, list[Any]]]:
        """The binned pieces, and the rounds over them on a cluster, which are closed at the end."""
        if not isinstance(self.source, ClusterSource):
            yield None, self.second(plan, counts)
            return
        from hornbeam.scale.cluster import DaskRounds

        rounds = DaskRounds(self.source, self.roles, plan, counts, self.batch_rows)
        try:
            timer = _Timer("pass 2", self.source.n_rows, self.report)
            for n_rows in rounds.coded():
                timer.add(n_rows)
            yield rounds, rounds.pieces
        finally:
            rounds.close()

    def second(self, plan: TablePlan, counts: list[int]) -> list[Any]:
        """The bin files of all pieces."""
        assert isinstance(self.source, ParquetSource)
        files: list[Any] = []
        first_row = 0
        timer = _Timer("pass 2", self.source.n_rows, self.report)
        for number, (piece, n_rows) in enumerate(zip(self.source.pieces, counts, strict=True)):
            path = self.folder.path / f"{number:06d}.bins"
            layout = Layout.of(plan, n_rows)
            if not path.exists():
                write_bin_file(piece, self.roles, plan, path, n_rows, self.batch_rows)
            elif path.stat().st_size != layout.size:
                raise DataFileError(f"The file {path} is damaged.", hint="Remove the work folder.", path=str(path))
            if n_rows:
                files.append(BinFile(str(path), n_rows, first_row, layout))
            first_row += n_rows
            timer.add(piece.n_rows)
        return files


class _Timer:
    """Reports the rows done of a pass and the remaining time."""

    def __init__(self, name: str, n_rows: int, report: Report) -> None:
        self.name = name
        self.n_rows = n_rows
        self.report = report
        self.done = 0
        self.left = TimeLeft(n_rows)

    def add(self, n_rows: int) -> None:
        """Report that more rows are done."""
        self.done += n_rows
        self.report(f"{self.name}: {self.done:,} of {self.n_rows:,} rows, {self.left.text(self.done)}")
