"""Write a saved tree as a questionnaire to print: numbered items, the next item after each line, and the results.

The lines `not known` follow the tree's rule for missing values.
"""

from __future__ import annotations

import argparse

from hornbeam.cli.command import add_model, add_output
from hornbeam.cli.output import Output, check_free, check_suffix, write

SUMMARY = "write a saved tree as a form to fill in by hand"
DOING = "write the questionnaire"
EXAMPLE = "hornbeam questionnaire patients.tree -o patients.html"
_FORMATS = {".txt": "text", ".md": "markdown", ".html": "html", ".htm": "html"}


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam questionnaire`."""
    add_model(parser)
    parser.add_argument("--title", metavar="TEXT", help="title (default: the name of the target)")
    parser.add_argument(
        "--as",
        dest="format_name",
        choices=("text", "markdown", "html"),
        help="output format (default: by the suffix of FILE, or text)",
    )
    parser.add_argument("--no-missing", action="store_true", help="omit the lines for values that are not known")
    add_output(parser, "file of the questionnaire: .txt, .md or .html")


def run(args: argparse.Namespace, out: Output) -> int:
    """Write a questionnaire."""
    suffix = ".txt"
    if args.output:
        suffix = check_suffix(args.output, tuple(_FORMATS))
        check_free(args.output, force=args.force, inputs=[args.model])
    from hornbeam.rules.questionnaire import questionnaire
    from hornbeam.tree.file.files import load_tree

    found = questionnaire(load_tree(args.model, member=args.tree_index), title=args.title, missing=not args.no_missing)
    texts = {"text": found.text, "markdown": found.markdown, "html": found.html}
    text = texts[args.format_name or _FORMATS[suffix]]()
    if args.output:
        write(args.output, f"{text}\n".encode())
        out.saved(args.output, f"wrote {args.output}: {len(found.items)} items", {"saved": args.output})
    else:
        import dataclasses

        out.result(text, dataclasses.asdict(found))
    return 0
