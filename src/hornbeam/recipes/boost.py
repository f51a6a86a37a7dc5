"""`boost`: boosted trees of a table, or of files that need not fit into memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from hornbeam.ensembles.methods.boosting import Boosting
from hornbeam.ensembles.methods.boosting import boost as boost_table
from hornbeam.ensembles.progress import Progress
from hornbeam.errors import OptionError, Set
from hornbeam.recipes.inputs import files_of, table_in_memory
from hornbeam.seeds import as_seed
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest


def boost(
    table: Table | Any,
    boosting: Boosting | None = None,
    *,
    target: str | None = None,
    memory: str | int | None = None,
    work: str | Path | None = None,
    resume: str | Path | None = None,
    client: Any = None,
    seed: int = 0,
    threads: int | None = None,
    validation: Table | None = None,
    groups: Any = None,
    times: Any = None,
    progress: Progress | Callable[[str], Any] | None = None,
    continue_from: Forest | None = None,
    engine: str = "core",
    record_loss: bool = False,
    **settings: Any,
) -> Forest:
    """Boosted trees of a table or of files; `settings` are those of `Boosting`, or changes of the given one.

    `table` is a table; a data frame, or anything else that `read` accepts, with the name of the `target`; or files: a
    path, a pattern ("data/*.parquet"), a list of paths, an Arrow stream or a `hornbeam.scale.Dataset`. With `memory`
    ("2GB"), trees are boosted from files that need not fit into memory, and `memory` never changes them; `work` is a
    folder for its files, which is kept, and `progress` is called with a line of text; `resume` is a file for the trees
    so far, from which an interrupted run continues. With the `client` of a Dask cluster, its workers read the files.

    `validation` is a table of rows for early stopping, instead of `validation_fraction`. `groups` and `times` are names
    of columns, or one value per row: the validation rows are whole groups, or the latest rows. `continue_from` is a
    forest of the same settings with fewer rounds. `record_loss` stores the training loss of each round in the metadata.
    `progress(n)` is called with the number of rounds done. `engine="python"` runs the reference implementation.
    """
    if resume is not None and memory is None and client is None:
        raise OptionError("resume requires memory=.", fix=Set("memory", "2GB"), option="resume")
    in_memory = {"validation": validation, "groups": groups, "times": times, "continue_from": continue_from}
    dataset = files_of(table, target, memory=memory, work=work, resume=resume, client=client)
    if dataset is not None and (memory is not None or client is not None or dataset.format() == "dask"):
        _refuse(in_memory | {"engine": None if engine == "core" else engine})
        from hornbeam.recipes.grow_files import boosted_from_files  # a table in memory needs no files

        report = cast("Callable[[str], Any] | None", progress)
        chosen = (boosting or Boosting()).replace(**settings)
        more: dict[str, Any] = {"threads": threads, "report": report, "record_loss": record_loss, "client": client}
        more |= {"memory": memory, "work": work, "resume": resume}
        return boosted_from_files(dataset, chosen, seed=as_seed(seed), **more)
    return boost_table(
        table_in_memory(table, dataset, target, "Boosting"),
        boosting,
        seed=seed,
        threads=threads,
        progress=cast("Progress | None", progress),
        engine=engine,
        record_loss=record_loss,
        **in_memory,
        **settings,
    )


def _refuse(given: dict[str, Any]) -> None:
    """Raise an error for what requires all rows in memory."""
    for name, value in given.items():
        if value is not None:
            fix = Set("validation_fraction") if name == "validation" else Set("memory", None)
            raise OptionError(f"{name} cannot be used with memory=.", fix=fix, option=name)
