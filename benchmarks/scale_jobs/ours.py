"""hornbeam: from files, and in memory on the same bins."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.scale_jobs import BINS, BOOSTED, DEPTH
from benchmarks.scale_jobs.timing import Steps

MEMORY = 1_000_000_000


def recipe() -> Any:
    import hornbeam as hb

    plain = hb.recipe("plain")
    searches = [hb.searches.BinnedCuts(BINS) if each.name == "sorted_cuts" else each for each in plain.searches]
    return plain.with_changes(stops=[hb.stops.MaxDepth(DEPTH)], searches=searches)


def warm_up() -> None:
    """Import and run everything once on a few rows."""
    import numpy as np

    import hornbeam as hb
    from hornbeam.scale.grow import grow_binned
    from hornbeam.scale.in_memory import binned_in_memory

    random = np.random.default_rng(0)
    x = random.normal(size=3000)
    table = hb.read({"x": x, "c": random.choice(["a", "b", "c"], 3000), "y": np.where(x > 0.5, "u", "v")}, target="y")
    grow_binned(binned_in_memory(table), recipe())
    hb.grow(table, recipe(), threads=1)


def from_files(paths: list[Path]) -> dict:
    """Prepare and grow from files; boosting where this version has it."""
    import hornbeam as hb
    from hornbeam.scale.grow import grow_binned
    from hornbeam.scale.prepare import prepared
    from hornbeam.scale.rounds import LocalRounds

    warm_up()
    steps, data = Steps(), hb.scale.Dataset([str(path) for path in paths], "y")
    with tempfile.TemporaryDirectory(dir=paths[0].parent) as work, contextlib.ExitStack() as stack:
        with steps.step("prepare"):
            files = stack.enter_context(prepared(data, memory_limit=MEMORY, bins=BINS, work=work))
        disk = sum(path.stat().st_size for path in Path(work).iterdir())
        with steps.step("tree"):
            tree = grow_binned(files.data, recipe(), memory_limit=MEMORY // 2, rounds=LocalRounds(files.data.pieces))
        boosted = _boosted(files, steps)
        stack.close()
    return {"steps": steps.found, "disk": disk, "leaves": tree.n_leaves, **boosted}


def _boosted(files: Any, steps: Steps) -> dict:
    """The time of a boosted tree, or why there is none."""
    try:
        from hornbeam.scale.boost import boost_binned
    except ImportError:
        return {"boosted": "not in this version"}
    from hornbeam.ensembles.methods.boosting import Boosting

    boosting = Boosting(n_rounds=BOOSTED, max_depth=DEPTH, max_leaves=None, order="level_wise", l2=1.0)
    with steps.step("boosted tree", BOOSTED):
        boost_binned(files.data, boosting, memory_limit=MEMORY // 2, threads=1)
    return {}


def in_memory(paths: list[Path]) -> dict:
    """The same bins in memory: the rounds of growth from files, and the grower of tables."""
    import dataclasses

    import numpy as np

    import hornbeam as hb
    from hornbeam.scale.grow import grow_binned
    from hornbeam.scale.in_memory import MemoryPiece
    from hornbeam.scale.prepare import prepared
    from hornbeam.scale.rounds import LocalRounds
    from hornbeam.table.column import Column, Kind
    from hornbeam.table.table import Table

    warm_up()
    steps, dataset = Steps(), hb.scale.Dataset([str(path) for path in paths], "y")
    with prepared(dataset, memory_limit=MEMORY, bins=BINS) as files:
        data = files.data
        with steps.step("tree from files"):
            grow_binned(data, recipe(), memory_limit=MEMORY // 2, rounds=LocalRounds(data.pieces))
        pieces = [
            MemoryPiece(
                piece.n_rows,
                piece.first_row,
                tuple(np.array(piece.codes(column)) for column in range(len(data.columns))),
                np.array(piece.target),
                None,
            )
            for piece in data.pieces
        ]
        loaded = dataclasses.replace(data, pieces=pieces)
        with steps.step("tree from arrays"):
            grow_binned(loaded, recipe(), memory_limit=MEMORY // 2, rounds=LocalRounds(pieces))
    columns = []
    for at, column in enumerate(data.columns):
        codes = np.concatenate([piece.codes(at) for piece in pieces]).astype(np.int32)
        is_missing = codes == len(column.low)
        values = (
            np.append(column.low, np.nan)[codes] if column.kind is Kind.NUMERIC else np.where(is_missing, -1, codes)
        )
        columns.append(Column(column.name, column.kind, np.ascontiguousarray(values), column.levels))
    target = np.concatenate([piece.target for piece in pieces]).astype(np.int32)
    table = Table(tuple(columns), Column("y", data.target.kind, target, data.target.levels))
    del pieces, loaded
    with steps.step("table in memory, binning included"):
        hb.grow(table, recipe(), threads=1)
    return {"steps": steps.found}


JOBS = {"hornbeam": from_files, "hornbeam in memory": in_memory}
