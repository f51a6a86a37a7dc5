"""The result of `compare`: one line per recipe, as text, HTML and dictionaries.

    accuracy over 10 folds of 150 rows, the best recipe first

         recipe  accuracy  two standard errors  difference      p
      1  forest     95.3%       92.3% to 98.3%
      2  cart       94.0%       90.5% to 97.5%       -1.3%   0.51

The interval is the mean over the folds plus and minus two standard errors; it is optimistic, because the training rows
of the folds overlap. `difference` and `p` compare a recipe with the first by the corrected resampled t test.
"""

from __future__ import annotations

import dataclasses
import html
import math
from typing import Any

from hornbeam.drawing.dot_plot import dot_plot
from hornbeam.drawing.picture import Picture
from hornbeam.errors import HornbeamError
from hornbeam.evaluation import Comparison, CrossValidation
from hornbeam.evaluation.metrics import Metric

SMALLER_IS_BETTER = ("rmse", "mse", "mae", "median_absolute_error", "log_loss", "brier", "ece", "average_cost")
# Metrics that the text shows in addition to the one that decides the order.
_ALSO_SHOWN = ("accuracy", "log_loss", "brier", "rmse", "mae", "r2")


@dataclasses.dataclass(frozen=True, eq=False)
class ComparedRecipe:
    """One recipe: its cross-validation and its test against the best, or the error that it raised."""

    name: str
    result: CrossValidation | None = None
    test: Comparison | None = None
    error: HornbeamError | None = None

    def tested(self, test: Comparison) -> ComparedRecipe:
        """The line with its test against the best recipe."""
        return dataclasses.replace(self, test=test)

    def rank(self, metric: str) -> float:
        """The mean of a metric, such that the best has the smallest rank."""
        value = self.mean(metric).value
        if value is None:
            return math.inf
        return value if metric in SMALLER_IS_BETTER else -value

    def mean(self, metric: str) -> Metric:
        """The mean of a metric over the folds, with the interval of two standard errors."""
        assert self.result is not None
        found = self.result[metric]
        if found.mean.value is None or found.standard_error is None:
            return found.mean
        reach = 2 * found.standard_error
        return dataclasses.replace(found.mean, low=found.mean.value - reach, high=found.mean.value + reach)

    def as_dict(self, metric: str) -> dict[str, Any]:
        """The line as plain values; `metrics` has the mean of every metric."""
        if self.result is None:
            return {"recipe": self.name, "error": self.error.message if self.error is not None else ""}
        mean = self.mean(metric)
        return {
            "recipe": self.name,
            "mean": mean.value,
            "low": mean.low,
            "high": mean.high,
            "folds": list(self.result[metric].values),
            "difference": None if self.test is None else self.test.difference,
            "p": None if self.test is None else self.test.p,
            "metrics": {name: each.mean.value for name, each in self.result.metrics.items()},
        }


@dataclasses.dataclass(frozen=True, eq=False)
class ComparedRecipes:
    """Recipes cross-validated on the same folds, the best first."""

    lines: tuple[ComparedRecipe, ...]
    metric: str
    rows: int
    folds: int
    repeats: int = 1
    division: str = ""

    @property
    def best(self) -> str:
        """The name of the best recipe."""
        return self.lines[0].name

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, key: int | str) -> ComparedRecipe:
        return self.lines[key] if isinstance(key, int) else {line.name: line for line in self.lines}[key]

    def as_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per recipe, as for a data frame."""
        return [line.as_dict(self.metric) for line in self.lines]

    @property
    def about(self) -> str:
        """What was measured, in one line."""
        repeated = f", repeated {self.repeats} times" if self.repeats > 1 else ""
        text = self.lines[0].mean(self.metric).text
        divided = f" {self.division}" if self.division else ""
        return f"{text} over {self.folds} folds of {self.rows:,} rows{divided}{repeated}, the best recipe first"

    def text(self) -> str:
        """The table as text."""
        rows = self.cells()
        widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
        lines = []
        for row, line in zip(rows, [None, *self.lines], strict=True):
            cells = [each.ljust(widths[i]) if i == 1 else each.rjust(widths[i]) for i, each in enumerate(row)]
            if line is not None and line.error is not None:
                cells = [*cells[:2], line.error.message]
            lines.append(("  " + "  ".join(cells)).rstrip())
        return "\n".join([self.about, "", *lines])

    def cells(self) -> list[list[str]]:
        """The cells of the table, the header first, without columns that are empty."""
        rows = [self._heads(), *(self._cells(number, line) for number, line in enumerate(self.lines, 1))]
        used = [index for index in range(len(rows[0])) if any(row[index] for row in rows[1:])]
        return [[row[index] for index in used] for row in rows]

    def picture(self, theme: str = "light") -> Picture:
        """The mean of the metric that decides the order, with two standard errors, per recipe."""
        known = [line for line in self.lines if line.result is not None]
        means = [line.mean(self.metric) for line in known]
        reach = [None if each.high is None or each.value is None else each.high - each.value for each in means]
        text = means[0].text
        return dot_plot(
            [line.name for line in known],
            {text: [each.value for each in means]},
            whiskers={text: reach},
            marked=0,
            scale=f"{text}, two standard errors",
            title="Recipes",
            theme=theme,
        )

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in self._heads())
        body = []
        for number, line in enumerate(self.lines, 1):
            cells = self._cells(number, line)
            if line.error is not None:
                cells = [*cells[:2], line.error.message]
            body.append(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in cells)}</tr>")
        return f"<p>{html.escape(self.about)}</p><table><tr>{head}</tr>{''.join(body)}</table>"

    def _others(self) -> list[str]:
        """The metrics that are shown in addition to the one that decides the order."""
        first = self.lines[0].result
        assert first is not None
        return [name for name in _ALSO_SHOWN if name in first.metrics and name != self.metric]

    def _heads(self) -> list[str]:
        first = self.lines[0]
        others = [first.mean(name).text for name in self._others()]
        return ["", "recipe", first.mean(self.metric).text, "two standard errors", "difference", "p", *others]

    def _cells(self, number: int, line: ComparedRecipe) -> list[str]:
        if line.result is None:
            return ["-", line.name, *([""] * (4 + len(self._others())))]
        mean = line.mean(self.metric)
        others = [line.mean(name).value_text for name in self._others()]
        return [str(number), line.name, mean.value_text, mean.interval_text, *_test_cells(line, mean), *others]


def _test_cells(line: ComparedRecipe, mean: Metric) -> tuple[str, str]:
    if line.test is None or line.test.difference is None:
        return "", ""
    difference = dataclasses.replace(mean, value=line.test.difference, low=None, high=None)
    sign = "+" if line.test.difference > 0 else ""
    return sign + difference.value_text, "" if line.test.p is None else f"{line.test.p:.2g}"
