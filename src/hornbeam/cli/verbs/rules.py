"""Print a saved tree as rules, one a leaf: if every answer on the way is so, then the leaf's answer."""

from __future__ import annotations

import argparse

from hornbeam.cli.command import add_model
from hornbeam.cli.output import Output

WORDS = "print a saved tree as rules"
DOING = "show the rules"
EXAMPLE = "hornbeam rules patients.tree"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam rules`."""
    add_model(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Show the rules."""
    from hornbeam.cli.leaf_rules import leaf_rules
    from hornbeam.tree.files import load_tree

    rules = leaf_rules(load_tree(args.model, member=args.member))
    out.result("\n".join(map(str, rules)), {"rules": [rule.as_dict() for rule in rules]})
    return 0
