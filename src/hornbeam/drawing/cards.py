"""The contents of a node in a picture.

    inner, with rows       title, the tested column by class with the cut marked, class probabilities, rows
    inner, without         title, class probabilities, rows
    leaf or folded node    prediction and probability, rows and errors, probabilities (regression: mean, deviation)

Pictures that extend downwards have cards of several lines; pictures that extend to the right have chips of one line, so
that some sixty leaves fit on one page.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import numpy.typing as npt

from hornbeam.drawing import charts
from hornbeam.drawing.charts import ChartArea
from hornbeam.drawing.colors import Theme
from hornbeam.drawing.node_colors import node_color, predicted_probability
from hornbeam.drawing.question_labels import QuestionLabels, question_labels
from hornbeam.drawing.rows import NodeRows
from hornbeam.drawing.svg import Markup, join, label, rect
from hornbeam.drawing.text import count_text, short_number, truncate, width_of, wrap
from hornbeam.number_text import number_text, short_number_text
from hornbeam.tree.nodes import ALL_BRANCHES, STAY, Tree
from hornbeam.tree.questions import Intervals, Multiway, Subset, Threshold
from hornbeam.tree.text import class_fractions, percent, printable

_CHART_WIDTH, _CHART_HEIGHT = 132.0, 66.0


@dataclasses.dataclass(frozen=True)
class Preset:
    """The style of a picture."""

    size: float
    has_chart: bool = True
    has_statistics: bool = False
    yes_no: bool = False
    is_small: bool = False


PRESETS = {
    "plain": Preset(12),
    "lecture": Preset(12, has_statistics=True),
    "clinic": Preset(13, has_chart=False, yes_no=True),
    "compact": Preset(10, has_chart=False, is_small=True),
}


@dataclasses.dataclass(frozen=True)
class Card:
    """The box of a node, its contents (drawn from its upper left corner) and its description."""

    width: float
    height: float
    inside: Markup
    about: str


@dataclasses.dataclass(frozen=True)
class Line:
    """One line of text in a card."""

    text: str
    size: float
    is_bold: bool = False
    is_quiet: bool = False


@dataclasses.dataclass(frozen=True, eq=False)
class Cards:
    """The cards of one picture."""

    tree: Tree
    theme: Theme
    preset: Preset
    rows: NodeRows | None
    scale: tuple[float, float]
    prediction_range: tuple[float, float]

    def labels(self, node: int) -> QuestionLabels:
        """The labels of a node's question in this preset."""
        n_branches = int(self.tree.nodes.n_branches[node])
        return question_labels(
            self.tree.question(node), self.tree.schema, yes_no=self.preset.yes_no, n_branches=n_branches
        )

    def card(self, node: int, hidden: int) -> Card:
        """A card of several lines; `hidden` nodes below it are not drawn."""
        is_end = hidden > 0 or self.tree.nodes.first_child[node] < 0
        lines = self._end_lines(node, hidden) if is_end else self._inner_lines(node)
        chart_size = self._chart_size(node, is_end)
        pad = 6.0 if self.preset.is_small else 8.0
        wide = max([width_of(each.text, each.size, each.is_bold) for each in lines] + [chart_size[0], 44.0])
        bar = 0.0 if self.preset.is_small and is_end else 5.0
        text_height = sum(each.size * 1.3 for each in lines)
        chart_gap = 5.0 if chart_size[1] else 0.0
        bar_gap = 4.0 if bar else 0.0
        height = pad + text_height + chart_gap + chart_size[1] + bar_gap + bar + pad * 0.9
        width = wide + 2 * pad
        parts = [self._box(node, width, height, is_end)]
        n_top = len(lines) if is_end or not chart_size[1] else self._n_title_lines(node)
        y = pad
        y = self._write_lines(parts, lines[:n_top], width, y, is_end)
        if chart_size[1]:
            area = ChartArea((width - chart_size[0]) / 2, y + chart_gap, *chart_size)
            parts.append(self._chart(node, area, is_end))
            y += chart_gap + chart_size[1]
        y = self._write_lines(parts, lines[n_top:], width, y, is_end)
        if bar and self.tree.is_class:
            parts.append(
                charts.class_bar(self.tree.nodes.stats[node], ChartArea(pad, y + bar_gap, wide, bar), self.theme)
            )
        if not self.tree.is_class and bar:
            height -= bar + bar_gap
            parts[0] = self._box(node, width, height, is_end)
        return Card(width, height, join(parts), self.about(node, hidden))

    def chip(self, node: int, hidden: int) -> Card:
        """A chip of one line, for pictures that extend to the right."""
        is_end = hidden > 0 or self.tree.nodes.first_child[node] < 0
        size = self.preset.size - (0 if self.preset.is_small else 1)
        high = size + (10.0 if is_end else 14.0)
        head = truncate(self._prediction(node) if is_end else self.labels(node).title, 170, size, True)
        tail = self._counts(node) if is_end else count_text(float(self.tree.nodes.rows[node]), "row")
        if is_end and hidden:
            tail += f" · +{hidden:,} nodes"
        small = size - 1.5
        head_wide, tail_wide = width_of(head, size, True), width_of(tail, small)
        bar = 30.0 if is_end else 0.0
        width = 7 + head_wide + 7 + tail_wide + 7 + (bar + 7 if bar else 0)
        middle = high / 2 + size * 0.36 - (0 if is_end else 2)
        parts = [
            self._box(node, width, high, is_end),
            label(7, middle, head, font_size=size, font_weight=600, fill=self.theme.text),
            label(14 + head_wide, middle, tail, font_size=small, fill=self.theme.text if is_end else self.theme.quiet),
        ]
        if is_end:
            area = ChartArea(width - 7 - bar, high / 2 - 4, bar, 8)
        else:
            area = ChartArea(7, high - 6, width - 14, 3)
        if self.tree.is_class:
            parts.append(charts.class_bar(self.tree.nodes.stats[node], area, self.theme))
        elif is_end and self.tree.is_labeled:
            parts.append(self._spread(node, ChartArea(area.x, 3, bar, high - 6)))
        return Card(width, high, join(parts), self.about(node, hidden))

    def about(self, node: int, hidden: int) -> str:
        """The description of a node, for tooltips and screen readers."""
        nodes = self.tree.nodes
        parts = [f"node {node}: {count_text(float(nodes.rows[node]), 'row')}"]
        if self.tree.is_class:
            parts.append(class_fractions(self.tree, node))
        elif self.tree.is_labeled:
            parts.append(f"mean {self.tree.prediction_text(node)}, deviation {short_number(self._deviation(node))}")
        if nodes.first_child[node] >= 0:
            gain = short_number_text(float(nodes.gain[node]))
            parts.append(f"question: {self.tree.question(node).text(self.tree.schema, 0)}, gain {gain}")
            for question, is_flipped, agree, _ in list(self.tree.surrogates(node))[:3]:
                text = question.text(self.tree.schema, 1 if is_flipped else 0)
                parts.append(f"if missing: {text} (agreement {percent(agree)})")
        elif self.tree.reason(node):
            parts.append(f"leaf: {self.tree.reason(node)}")
        if hidden:
            parts.append(f"{hidden:,} nodes below are not drawn")
        return "; ".join(truncate(part, 900, 6) for part in parts)

    def marks_missing(self, node: int) -> bool:
        """Whether the routing of missing values is drawn: there are surrogates, fractional rows, or missing values.

        Missing values in training, or in the rows that are drawn.
        """
        nodes = self.tree.nodes
        has_surrogates = nodes.surrogate_start[node] < nodes.surrogate_start[node + 1]
        columns = self.tree.question(node).columns
        has_missing = not set(columns).isdisjoint(self.tree.metadata.get("columns_with_missing", ()))
        has_missing = has_missing or (self.rows is not None and any(self.rows.has_missing(c) for c in columns))
        return bool(has_surrogates or has_missing or nodes.missing_branch[node] == ALL_BRANCHES)

    def _n_title_lines(self, node: int) -> int:
        return len(self._title(node))

    def _title(self, node: int) -> list[Line]:
        area = 110.0 if self.preset.is_small else 190.0 if self.preset.yes_no else _CHART_WIDTH
        size = self.preset.size
        labels = self.labels(node)
        if labels.is_short or len(labels.title) < 60:
            texts = wrap(labels.title, area, size, 3, bold=True)
        else:
            texts = wrap(labels.title, area * 1.35, size - 1, 5, bold=True)
        return [Line(text, size if labels.is_short else size - 0.5, True) for text in texts]

    def _inner_lines(self, node: int) -> list[Line]:
        nodes, small = self.tree.nodes, self.preset.size - 2
        lines = self._title(node)
        rows = count_text(float(nodes.rows[node]), "row")
        if not self.tree.is_class and self.tree.is_labeled:
            rows += f", mean {short_number(float(nodes.answer[node]))}"
        lines.append(Line(rows, small, is_quiet=True))
        if self.preset.has_statistics:
            lines += [Line(text, small, is_quiet=True) for text in self._statistics(node)]
            lines.append(Line(f"gain {short_number_text(float(nodes.gain[node]))}", small, is_quiet=True))
        n_surrogates = int(nodes.surrogate_start[node + 1] - nodes.surrogate_start[node])
        if n_surrogates and not self.preset.is_small:
            first = next(self.tree.surrogates(node))
            text = first[0].text(self.tree.schema, 1 if first[1] else 0).replace("<=", "≤")
            lines.append(Line(truncate(f"missing: {text}", _CHART_WIDTH, small), small, is_quiet=True))
        elif nodes.missing_branch[node] == STAY and not self.preset.is_small and self.marks_missing(node):
            lines.append(Line("missing: stays here", small, is_quiet=True))
        return lines

    def _end_lines(self, node: int, hidden: int) -> list[Line]:
        size, small = self.preset.size, self.preset.size - 2
        area = 96.0 if self.preset.is_small else 118.0
        lines = [Line(text, size, True) for text in wrap(self._prediction(node), area, size, 2, bold=True)]
        lines.append(Line(self._counts(node), small, is_quiet=True))
        if self.preset.has_statistics:
            lines += [Line(text, small, is_quiet=True) for text in self._statistics(node)]
        if hidden:
            lines.append(Line(f"+{hidden:,} nodes", small, is_bold=True, is_quiet=True))
        return lines

    def _statistics(self, node: int) -> list[str]:
        """What the preset `lecture` adds: the node's number, impurity and class counts."""
        nodes = self.tree.nodes
        lines = [f"node {node}, impurity {short_number_text(float(nodes.impurity[node]))}"]
        if self.tree.is_class and nodes.stats.shape[1] <= 6:
            lines.append("[" + ", ".join(f"{number_text(float(weight))}" for weight in nodes.stats[node]) + "]")
        return lines

    def _prediction(self, node: int) -> str:
        if not self.tree.is_labeled:
            return count_text(float(self.tree.nodes.rows[node]), "row")
        prediction = printable(self.tree.prediction_text(node)[:200])
        if not self.tree.is_class:
            return short_number(float(self.tree.nodes.answer[node]))
        probability = predicted_probability(self.tree, node)
        return prediction if math.isnan(probability) else f"{prediction} {percent(probability)}"

    def _counts(self, node: int) -> str:
        rows = count_text(float(self.tree.nodes.rows[node]), "row")
        if not self.tree.is_labeled:
            return f"{percent(float(self.tree.nodes.weight[node] / self.tree.nodes.weight[0]))} of all"
        if not self.tree.is_class:
            return f"± {short_number(self._deviation(node), 3)}, {rows}"
        stats = self.tree.nodes.stats[node]
        wrong = float(stats.sum()) - float(stats[int(self.tree.nodes.answer[node])])
        return f"{rows}, {number_text(wrong, 4)} wrong" if wrong > 1e-9 else rows

    def _deviation(self, node: int) -> float:
        weight, _, squares = self.tree.nodes.stats[node]
        return math.sqrt(max(squares, 0.0) / weight) if weight > 0 else 0.0

    def _fill(self, node: int, is_end: bool) -> str:
        if not is_end or not self.tree.is_labeled:
            return self.theme.card
        return node_color(self.tree, node, self.prediction_range, self.theme)

    def _box(self, node: int, width: float, height: float, is_end: bool) -> Markup:
        fill, edge = self._fill(node, is_end), self.theme.edge
        return rect(0, 0, width, height, rx=6 if is_end else 4, fill=fill, stroke=edge, stroke_width=1)

    def _write_lines(self, parts: list[Markup], lines: list[Line], width: float, y: float, is_end: bool) -> float:
        for each in lines:
            # Muted gray is hard to read on a strong tint.
            fill = self.theme.quiet if each.is_quiet and not is_end else self.theme.text
            weight = 600 if each.is_bold else None
            baseline = y + each.size
            parts.append(
                label(
                    width / 2,
                    baseline,
                    each.text,
                    font_size=each.size,
                    font_weight=weight,
                    fill=fill,
                    text_anchor="middle",
                )
            )
            y += each.size * 1.3
        return y

    def _chart_size(self, node: int, is_end: bool) -> tuple[float, float]:
        if is_end:
            has_spread = self.tree.is_labeled and not self.tree.is_class and not self.preset.is_small
            return (96.0, 18.0) if has_spread else (0.0, 0.0)
        if self.preset.has_chart and self.rows is not None and self.rows.target is not None and self._has_chart(node):
            return _CHART_WIDTH, _CHART_HEIGHT
        return 0.0, 0.0

    def _has_chart(self, node: int) -> bool:
        return isinstance(self.tree.question(node), (Threshold, Intervals, Subset, Multiway))

    def _chart(self, node: int, area: ChartArea, is_end: bool) -> Markup:
        if is_end:
            return self._spread(node, area)
        assert self.rows is not None
        assert self.rows.target is not None
        question, at = self.tree.question(node), self.rows.at(node)
        column = self.rows.columns[question.columns[0]]
        values, target = column.values[at], self.rows.target[at]
        if isinstance(question, (Threshold, Intervals)):
            cuts = (question.cut,) if isinstance(question, Threshold) else question.cuts
            if column.levels:
                branch_of = np.searchsorted(np.asarray(cuts), np.arange(len(column.levels)), side="left")
                return self._level_chart(values, target, branch_of.astype(np.int32), column.levels, area)
            if not self.tree.is_class:
                return charts.scatter(values, target, cuts, self.scale, area, self.theme)
            return charts.histogram(values, target, cuts, area, self.theme)
        levels = dataclasses.replace(column, values=np.arange(len(column.levels), dtype=np.int32))
        columns = list(self.rows.columns)
        columns[question.columns[0]] = levels
        return self._level_chart(values, target, question.branch(columns), column.levels, area)

    def _level_chart(
        self,
        codes: npt.NDArray[np.int32],
        target: npt.NDArray[np.float64],
        branch_of: npt.NDArray[np.int32],
        levels: tuple[object, ...],
        area: ChartArea,
    ) -> Markup:
        if self.tree.is_class:
            return charts.level_bars(codes, target, branch_of, levels, area, self.theme)
        return charts.level_means(codes, target, branch_of, levels, self.scale, area, self.theme)

    def _spread(self, node: int, area: ChartArea) -> Markup:
        target = None
        if self.rows is not None and self.rows.target is not None:
            target = self.rows.target[self.rows.at(node)]
        mean = float(self.tree.nodes.answer[node])
        return charts.distribution(target, mean, self._deviation(node), self.scale, area, self.theme)
