r"""The result of an evaluation: printed as text, shown as HTML in a notebook, or converted to JSON.

Scores of 100 rows; positive: 'ill'

actual \\ predicted   well      ill
well                    45       10
ill                      5       40

metric              value   95% interval      rows
accuracy            85.0%   76.7% to 90.7%    85/100
...
"""

from __future__ import annotations

import dataclasses
import html
from typing import Any

from hornbeam.evaluation.calibration import Bin
from hornbeam.evaluation.confusion import Confusion
from hornbeam.evaluation.metrics import Metric, finite
from hornbeam.evaluation.roc import PrecisionRecall, RocCurve
from hornbeam.number_text import count_text
from hornbeam.tree.text_tables import aligned_text, html_table

_PER_CLASS = ("sensitivity", "specificity", "ppv", "npv", "f1", "auc")


@dataclasses.dataclass(frozen=True, eq=False)
class Scores:
    """All metrics of one prediction of rows whose target is known."""

    task: str
    n_rows: int
    weight: float
    metrics: dict[str, Metric]
    confidence: float = 0.95
    classes: tuple[Any, ...] = ()
    positive: Any = None
    prevalence: float | None = None
    confusion: Confusion | None = None
    per_class: dict[Any, dict[str, Metric]] = dataclasses.field(default_factory=dict)
    roc: RocCurve | None = None
    precision_recall: PrecisionRecall | None = None
    reliability: tuple[Bin, ...] = ()

    def __getitem__(self, name: str) -> Metric:
        return self.metrics[name]

    @property
    def undefined(self) -> dict[str, str]:
        """The metrics without a value, and the reasons."""
        return {name: metric.reason for name, metric in self.metrics.items() if metric.value is None}

    def __str__(self) -> str:
        blocks = [self.about, *(aligned_text(lines) for lines in self.tables.values())]
        if self.reasons:
            blocks.append("\n".join(self.reasons))
        return "\n\n".join(blocks)

    @property
    def tables(self) -> dict[str, list[list[str]]]:
        """The tables of the text by their titles; the first line of each is its header."""
        found = {} if self.confusion is None else {"Confusion": [_header(self.classes), *_cells(self.confusion)]}
        found["Metrics"] = self._rows()
        return {**found, "Classes": self._class_rows()} if self.per_class else found

    @property
    def reasons(self) -> list[str]:
        """The reasons of undefined metrics, as lines of text."""
        return [f"{metric.text}: {metric.reason}" for metric in self.metrics.values() if metric.reason]

    @property
    def about(self) -> str:
        """What was evaluated, in one line."""
        weight = "" if self.weight == self.n_rows else f" of weight {count_text(self.weight)}"
        line = f"Scores of {self.n_rows:,} rows{weight}"
        if self.positive is not None:
            line += f"; positive: {self.positive!r}"
        if self.prevalence is not None:
            line += f"; given prevalence {100 * self.prevalence:g}%"
        return line

    def _rows(self) -> list[list[str]]:
        lines = [["metric", "value", f"{100 * self.confidence:g}% interval", "rows"]]
        lines += [[m.text, m.value_text, m.interval_text, m.count_text] for m in self.metrics.values()]
        return lines if any(line[3] for line in lines[1:]) else [line[:3] for line in lines]

    def _class_rows(self) -> list[list[str]]:
        names = [name for name in _PER_CLASS if all(name in rates for rates in self.per_class.values())]
        first = next(iter(self.per_class.values()))
        lines = [["class", *(first[name].text for name in names)]]
        for label, rates in self.per_class.items():
            lines.append([str(label), *(rates[name].value_text for name in names)])
        return lines

    def as_dict(self) -> dict[str, Any]:
        """The scores as valid JSON: finite numbers, null for undefined values with the reason next to them."""
        found: dict[str, Any] = {
            "task": self.task,
            "n_rows": self.n_rows,
            "weight": self.weight,
            "confidence": self.confidence,
            "metrics": {name: metric.as_dict() for name, metric in self.metrics.items()},
        }
        if self.task == "class":
            found["classes"] = [json_label(label) for label in self.classes]
            found["positive"] = json_label(self.positive)
            found["prevalence"] = self.prevalence
            found["confusion"] = None if self.confusion is None else self.confusion.weights.tolist()
            found["per_class"] = [
                {"class": json_label(label), **{name: each.as_dict() for name, each in rates.items()}}
                for label, rates in self.per_class.items()
            ]
        if self.roc is not None:
            found["roc"] = {
                "thresholds": [finite(each) for each in self.roc.thresholds],
                "false_positive_rates": self.roc.false_positive_rates.tolist(),
                "true_positive_rates": self.roc.true_positive_rates.tolist(),
            }
        if self.reliability:
            found["reliability"] = [dataclasses.asdict(each) for each in self.reliability]
        return found

    def _repr_html_(self) -> str:
        tables = "".join(html_table(lines) for lines in self.tables.values())
        reasons = "".join(f"<p>{html.escape(each)}</p>" for each in self.reasons)
        return f"<p>{html.escape(self.about)}</p>{tables}{reasons}"


def json_label(label: Any) -> Any:
    """A class label as a JSON value."""
    if label is None or isinstance(label, (bool, int, str)):
        return label
    return finite(label) if isinstance(label, float) else str(label)


def _header(classes: tuple[Any, ...]) -> list[str]:
    return ["actual \\ predicted", *map(str, classes)]


def _cells(table: Confusion) -> list[list[str]]:
    return [
        [str(label), *(count_text(float(cell)) for cell in row)] for label, row in zip(table.classes, table.weights)
    ]
