"""Estimate the memory and the disk that growing from DATA needs, in memory and from files with --memory.

Only the footers of Parquet files and the first lines of CSV files are read.
"""

from __future__ import annotations

import argparse
import dataclasses

from hornbeam.cli.data_flags import DATA_HELP, add_reading
from hornbeam.cli.dataset_flags import dataset_of
from hornbeam.cli.output import Output

SUMMARY = "estimate the memory and disk of growing"
DOING = "estimate the sizes"
EXAMPLE = "hornbeam estimate 'data/*.parquet' --target outcome"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam estimate`."""
    parser.add_argument("data", nargs="+", metavar="DATA", help=DATA_HELP)
    add_reading(parser)
    parser.add_argument(
        "--recipe",
        metavar="NAME",
        default="default",
        help="what is grown: boosting also keeps scores (default: default)",
    )


def run(args: argparse.Namespace, out: Output) -> int:
    """Estimate sizes."""
    from hornbeam.ensembles.methods.boosting import Boosting
    from hornbeam.recipes.recipe import recipe
    from hornbeam.scale.size_estimate import estimate

    method = recipe(args.recipe)
    found = estimate(dataset_of(args, args.data), is_boosted=isinstance(method.ensemble_method, Boosting))
    out.result(str(found), {**dataclasses.asdict(found), "fits_memory": found.fits_memory})
    return 0
