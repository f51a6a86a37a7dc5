"""What `grow`, `boost` and `complexity_table` accept: a table, data in memory with a target, or files."""

from __future__ import annotations

import dataclasses
from typing import Any

from hornbeam.errors import InputError, OptionError, Set
from hornbeam.table.table import Table


def files_of(source: Any, target: str | None, **for_files: Any) -> Any:
    """The `Dataset` of files; None for a table or data in memory, which has none of the settings for files."""
    if not isinstance(source, Table):
        from hornbeam.scale.dataset import Dataset, is_source  # here: a table in memory needs no files

        if isinstance(source, Dataset):
            return source if target is None else dataclasses.replace(source, target=target)
        if is_source(source):
            return Dataset(source, target)
    for name, value in for_files.items():
        if value is not None:
            raise OptionError(
                f"{name} requires files, got a {type(source).__name__}.",
                hint='Pass a path such as "data.parquet"; data in memory needs no setting for files.',
                option=name,
            )
    return None


def table_in_memory(source: Any, dataset: Any, target: str | None, purpose: str) -> Table:
    """The rows in memory; `dataset` is that of `files_of`."""
    if dataset is not None:
        found: Table = dataset.read()
        return found
    if not isinstance(source, Table):
        if target is not None:
            from hornbeam.table.read import read  # here: a table needs no readers

            return read(source, target)
        raise InputError(
            f"{purpose} requires a table, got a {type(source).__name__}.",
            fix=Set("target", purpose="to use a data frame as it is"),
            hint="or make a table with hornbeam.read.",
        )
    if target is not None:
        raise OptionError(
            "target requires files or a data frame, got a Table.",
            hint="A table has its target: read the rows again with another one.",
            option="target",
        )
    return source
