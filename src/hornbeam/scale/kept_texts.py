"""Columns of CSV files that a user repeats in the output: numbers if all cells are simple numbers, else their texts.

The head of the files suggests numbers or texts, and every cell is checked. At the end it is known whether it holds for
all cells: texts must include one that is no number, and numbers with a point one that is no integer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hornbeam.scale.csv_texts import Uncertain
from hornbeam.table.number_grammar import LARGEST_EXACT, simple_pattern


class KeptReader:
    """Reads one kept column; `mark` is the decimal mark that the head of the files shows, empty for texts."""

    def __init__(self, name: str, mark: str, has_point: bool, na_values: Sequence[str]) -> None:
        self.name = name
        self.mark = mark
        self.has_point = has_point or mark == ","
        self.na_values = [*na_values, ""]
        self.has_evidence = False

    def read(self, cells: Any) -> Any:
        """The values of a batch of texts, as an Arrow array; null where they are missing."""
        import pyarrow as pa
        import pyarrow.compute as pc

        texts = cells.combine_chunks() if isinstance(cells, pa.ChunkedArray) else cells
        is_missing = pc.is_in(texts, value_set=pa.array(self.na_values, pa.string()))
        is_number = pc.match_substring_regex(texts, f"^{simple_pattern(self.mark or '.')}$")
        is_other = pc.invert(pc.or_(is_missing, is_number))
        n_others = pc.sum(is_other).as_py() or 0
        if not self.mark:
            self.has_evidence = self.has_evidence or n_others > 0
            return pc.if_else(pc.equal(texts, ""), pa.scalar(None, pa.string()), texts)
        if n_others:
            raise Uncertain(is_other.index(True).as_py())
        return self._numbers(pc.if_else(is_missing, pa.scalar(None, pa.string()), texts))

    def _numbers(self, texts: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        if self.mark == ",":
            texts = pc.replace_substring(texts, ",", ".")
        numbers = pc.cast(texts, pa.float64())
        is_integer = pc.and_(pc.equal(pc.round(numbers), numbers), pc.less(pc.abs(numbers), LARGEST_EXACT))
        if self.has_point:
            self.has_evidence = self.has_evidence or pc.all(is_integer).as_py() is False
            return numbers
        self.has_evidence = True
        has_point = pc.any(pc.match_substring(texts, ".")).as_py()
        if has_point or pc.all(is_integer).as_py() is False:
            raise Uncertain
        return pc.cast(numbers, pa.int64())
