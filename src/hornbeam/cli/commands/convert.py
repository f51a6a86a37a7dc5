"""Convert a model file of LightGBM, XGBoost or PMML to a model of hornbeam, which all other commands read.

Every row ends in the same leaf as in the other program. --columns, --classes and --target replace the names in FILE.
Objects in memory (scikit-learn and others) are converted in Python with `hb.convert`.
"""

from __future__ import annotations

import argparse

from hornbeam.cli.command import Usage, add_output
from hornbeam.cli.output import Output, check_free, check_suffix, write

SUMMARY = "convert a model file of another program"
DOING = "convert the model"
EXAMPLE = "hornbeam convert model.txt -o model.tree --target outcome"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam convert`."""
    parser.add_argument("file", metavar="FILE", help="a model of LightGBM (text), XGBoost (JSON, UBJSON) or PMML")
    parser.add_argument("--columns", metavar="NAME,...", help="names of the columns, in the order of the model")
    parser.add_argument("--classes", metavar="NAME,...", help="names of the classes, in the order of the model")
    parser.add_argument("--target", metavar="NAME", help="name of the target")
    add_output(parser, "file for the converted model (.tree)")


def run(args: argparse.Namespace, out: Output) -> int:
    """Convert a model."""
    if not args.output:
        raise Usage("No output file is given.", hint="Pass for example -o model.tree.", option="--output")
    check_suffix(args.output, (".tree",))
    check_free(args.output, force=args.force, inputs=[args.file])
    from hornbeam.importing.convert import convert
    from hornbeam.tree.file.files import to_bytes
    from hornbeam.tree.nodes import Tree

    model = convert(args.file, columns=_names(args.columns), classes=_names(args.classes), target=args.target)
    write(args.output, to_bytes(model))
    source = model.metadata["converted_from"]
    size = f"{model.n_leaves} leaves" if isinstance(model, Tree) else f"{len(model)} trees"
    out.saved(args.output, f"saved {args.output}: {size}, from {source}", {"saved": args.output, "source": source})
    return 0


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",")]
