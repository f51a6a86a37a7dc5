"""Rules as text: as lines, as a Markdown table, as an HTML table for notebooks.

    if 2 < size <= 5 and colour = red then yes   (41 rows, 93% right)
    otherwise no   (12 rows, 75% right)

Names and levels come from data: unprintable characters are escaped, and so are the special characters of Markdown and
HTML. Rules that are only for missing values are printed with `show_missing`.
"""

from __future__ import annotations

import html
import re

from hornbeam.number_text import count_text, number_text, short_number_text
from hornbeam.rules.rule import Rule, RuleSet
from hornbeam.rules.rule_metrics import RuleMetric, rule_metrics
from hornbeam.tree.text import printable

_MARKS = re.compile(r"([\\`*_{}\[\]<>()#+!|~&-])")
_HEADS = ("", "if", "then", "rows", "cover", "accuracy", "lift")
_NUMBER_HEADS = ("", "if", "then", "rows", "cover", "deviation")
_MAX_ROWS_IN_NOTEBOOK = 200


def rule_line(rule: Rule, *, show_missing: bool = False, is_default: bool = False) -> str:
    """One rule on one line."""
    conditions = printable(" and ".join(rule.condition_text(show_missing=show_missing)))
    start = "otherwise" if is_default else f"if {conditions or 'always'} then"
    accuracy = "" if rule.accuracy is None else f", {100 * rule.accuracy:.0f}% right"
    return (
        f"{start} {rule_outcome(rule)}   ({count_text(rule.weight)} {'row' if rule.weight == 1 else 'rows'}{accuracy})"
    )


def rule_outcome(rule: Rule) -> str:
    """The prediction of a rule as text."""
    return printable(str(rule.label)) if rule.is_class else number_text(rule.answer)


def text(rules: RuleSet, *, show_missing: bool = False) -> str:
    """One line per rule, then the default."""
    lines = [rule_line(rule, show_missing=show_missing) for rule in rules_to_show(rules, show_missing)]
    if rules.default is not None:
        lines.append(rule_line(rules.default, is_default=True))
    return "\n".join(lines)


def rules_to_show(rules: RuleSet, show_missing: bool) -> list[Rule]:
    """The rules to print: those for missing values only on request."""
    return [rule for rule in rules if show_missing or not rule.stays]


def markdown(rules: RuleSet, *, show_missing: bool = False) -> str:
    """A Markdown table."""
    heads = _HEADS if rules.is_class else _NUMBER_HEADS
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for cells in _cells(rules, show_missing):
        lines.append("| " + " | ".join([*(_MARKS.sub(r"\\\1", cell) for cell in cells[:3]), *cells[3:]]) + " |")
    return "\n".join(lines)


def html_table(rules: RuleSet) -> str:
    """An HTML table; everything from data is escaped."""
    heads = "".join(f"<th>{head}</th>" for head in (_HEADS if rules.is_class else _NUMBER_HEADS))
    cells = _cells(rules, show_missing=False)
    rows = [
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
        for row in cells[:_MAX_ROWS_IN_NOTEBOOK]
    ]
    more = len(cells) - len(rows)
    rest = f"<p>and {more:,} more</p>" if more else ""
    title = html.escape(printable(repr(rules)[1:-1]))
    return (
        f"<table><caption>{title}</caption><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>{rest}"
    )


def _cells(rules: RuleSet, show_missing: bool) -> list[list[str]]:
    """The rows of the table: number, conditions, prediction, rows, metrics."""
    shown = rules_to_show(rules, show_missing)
    out = []
    for number, rule in enumerate([*shown, *([rules.default] if rules.default is not None else [])]):
        is_default = number == len(shown)
        conditions = (
            "otherwise" if is_default else printable(" and ".join(rule.condition_text(show_missing=show_missing)))
        )
        found = rule_metrics(rules, rule)
        cells = [
            str(number + 1),
            conditions or "always",
            rule_outcome(rule),
            count_text(rule.weight),
            _percent_text(found.cover),
        ]
        if rules.is_class:
            cells += [_percent_text(found.accuracy), _ratio_text(found.lift)]
        else:
            cells.append("" if found.deviation is None else short_number_text(found.deviation))
        out.append(cells)
    return out


def _percent_text(metric: RuleMetric) -> str:
    if metric.value is None or metric.low is None or metric.high is None:
        return "-"
    return f"{100 * metric.value:.0f}% ({100 * metric.low:.0f} to {100 * metric.high:.0f})"


def _ratio_text(metric: RuleMetric) -> str:
    if metric.value is None or metric.low is None or metric.high is None:
        return "-"
    return f"{metric.value:.2f} ({metric.low:.2f} to {metric.high:.2f})"
