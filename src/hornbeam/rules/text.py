"""How do rules read?  As lines, as a Markdown table, as an HTML table for notebooks.

    if 2 < size <= 5 and colour = red then yes   (41 rows, 93% right)
    otherwise no   (12 rows, 75% right)

Names and levels come from data: what is not printable is spelt out, and what Markdown or HTML would take for its own is
escaped. Without `unknown` rules that are only for missing values are left out, and counted.
"""

from __future__ import annotations

import html
import re

from hornbeam.rules.rule import Rule, RuleSet
from hornbeam.rules.rule_metrics import RuleMetric, rule_metrics
from hornbeam.tree.text import printable

_MARKS = re.compile(r"([\\`*_{}\[\]<>()#+!|~&-])")
_HEADS = ("", "if", "then", "rows", "cover", "accuracy", "lift")
_NUMBER_HEADS = ("", "if", "then", "rows", "cover", "deviation")
_SHOWN_IN_NOTEBOOK = 200


def rule_line(rule: Rule, *, unknown: bool = False, is_default: bool = False) -> str:
    """One rule on one line."""
    words = printable(" and ".join(rule.condition_text(unknown=unknown)))
    start = "otherwise" if is_default else f"if {words or 'always'} then"
    share = "" if rule.accuracy is None else f", {100 * rule.accuracy:.0f}% right"
    return f"{start} {rule_outcome(rule)}   ({rule.weight:g} {'row' if rule.weight == 1 else 'rows'}{share})"


def rule_outcome(rule: Rule) -> str:
    """What a rule says, in words."""
    return printable(str(rule.label)) if rule.is_class else f"{rule.answer:.6g}"


def text(rules: RuleSet, *, unknown: bool = False) -> str:
    """One line a rule, then the default."""
    lines = [rule_line(rule, unknown=unknown) for rule in rules_to_show(rules, unknown)]
    if rules.default is not None:
        lines.append(rule_line(rules.default, is_default=True))
    return "\n".join(lines)


def rules_to_show(rules: RuleSet, unknown: bool) -> list[Rule]:
    """The rules to show: those for rows without an answer only when they are asked for."""
    return [rule for rule in rules if unknown or not rule.stays]


def markdown(rules: RuleSet, *, unknown: bool = False) -> str:
    """A Markdown table."""
    heads = _HEADS if rules.is_class else _NUMBER_HEADS
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for cells in _cells(rules, unknown):
        lines.append("| " + " | ".join([*(_MARKS.sub(r"\\\1", cell) for cell in cells[:3]), *cells[3:]]) + " |")
    return "\n".join(lines)


def html_table(rules: RuleSet) -> str:
    """An HTML table; everything from data is escaped."""
    heads = "".join(f"<th>{head}</th>" for head in (_HEADS if rules.is_class else _NUMBER_HEADS))
    cells = _cells(rules, unknown=False)
    rows = [
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
        for row in cells[:_SHOWN_IN_NOTEBOOK]
    ]
    more = len(cells) - len(rows)
    note = f"<p>and {more:,} more</p>" if more else ""
    title = html.escape(printable(repr(rules)[1:-1]))
    return (
        f"<table><caption>{title}</caption><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>{note}"
    )


def _cells(rules: RuleSet, unknown: bool) -> list[list[str]]:
    """The rows of the table: number, conditions, answer, rows, figures."""
    shown = rules_to_show(rules, unknown)
    out = []
    for number, rule in enumerate([*shown, *([rules.default] if rules.default is not None else [])]):
        is_default = number == len(shown)
        words = "otherwise" if is_default else printable(" and ".join(rule.condition_text(unknown=unknown)))
        found = rule_metrics(rules, rule)
        cells = [str(number + 1), words or "always", rule_outcome(rule), f"{rule.weight:g}", _percent(found.cover)]
        if rules.is_class:
            cells += [_percent(found.accuracy), _times(found.lift)]
        else:
            cells.append("" if found.deviation is None else f"{found.deviation:.4g}")
        out.append(cells)
    return out


def _percent(figure: RuleMetric) -> str:
    if figure.value is None or figure.low is None or figure.high is None:
        return "-"
    return f"{100 * figure.value:.0f}% ({100 * figure.low:.0f} to {100 * figure.high:.0f})"


def _times(figure: RuleMetric) -> str:
    if figure.value is None or figure.low is None or figure.high is None:
        return "-"
    return f"{figure.value:.2f} ({figure.low:.2f} to {figure.high:.2f})"
