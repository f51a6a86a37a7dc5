"""DATA as a dataset: files that need not fit into memory, with the flags of `data_flags`."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hornbeam.cli.columns import listed_columns
from hornbeam.cli.command import Usage
from hornbeam.cli.data_flags import check_columns, date_formats, expand_patterns, requested_kinds

if TYPE_CHECKING:
    from hornbeam.scale.dataset import Dataset

_CONNECT_SECONDS = 10


def add_memory(parser: argparse.ArgumentParser) -> None:
    """Add the flags of growth from files."""
    group = parser.add_argument_group("files larger than memory")
    group.add_argument(
        "--memory", metavar="SIZE", help="grow from Parquet, CSV or DuckDB files within this memory, such as 2GB"
    )
    group.add_argument(
        "--work", metavar="FOLDER", help="folder for the bins, kept, so that an interrupted growth continues"
    )
    group.add_argument(
        "--resume", metavar="FILE", help="write the model so far to this file, and continue from it if it exists"
    )
    group.add_argument(
        "--scheduler", metavar="ADDRESS", help="grow on the workers of this Dask scheduler (extra cluster)"
    )


@contextlib.contextmanager
def connected_client(address: str | None) -> Iterator[Any]:
    """A client of a Dask scheduler; None without an address."""
    if address is None:
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        raise Usage("--scheduler requires Dask.", hint="Install hornbeam[cluster].", option="--scheduler") from None
    try:
        client = Client(address, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise Usage(f"Cannot connect to the scheduler {address}: {error}.", option="--scheduler") from None
    with client:
        yield client


def dataset_of(args: argparse.Namespace, data: Sequence[str]) -> Dataset:
    """The dataset that the flags describe."""
    from hornbeam.scale.dataset import Dataset
    from hornbeam.scale.size_estimate import column_names
    from hornbeam.table.raw import RawColumn, RawTable

    dataset = Dataset(expand_patterns(data), args.target, na_values=args.na_value, settings=_settings(args))
    label = data[0] if len(data) == 1 else f"{len(data)} files"
    known = RawTable(tuple(RawColumn(name) for name in column_names(dataset)), label)
    dropped, used = listed_columns(args.drop, known.names), listed_columns(args.columns, known.names)
    check_columns(known, "--drop", dropped)
    check_columns(known, "--columns", used)
    check_columns(known, "--target", [args.target] if args.target else ())
    check_columns(known, "--weights", [args.weights] if args.weights else ())
    dates = date_formats(args.date_format or (), known)
    return dataclasses.replace(
        dataset,
        kinds=requested_kinds(args.kind or (), known),
        weights=args.weights,
        columns=used or None,
        drop=dropped,
        keep_ids=args.keep_ids,
        settings={**dataset.settings, **({"date_format": dates} if dates else {})},
    )


def _settings(args: argparse.Namespace) -> dict[str, Any]:
    """The settings of the reader of text files that are given."""
    found = {
        name: getattr(args, name) for name in ("format", "decimal", "thousands", "encoding") if getattr(args, name)
    }
    if args.delimiter is not None:
        found["delimiter"] = args.delimiter.replace("\\t", "\t")
    if args.no_header:
        found["header"] = False
    if args.skip_bad_rows:
        found["bad_rows"] = "skip"
    if args.keep_blanks:
        found["keep_blanks"] = True
    return found
