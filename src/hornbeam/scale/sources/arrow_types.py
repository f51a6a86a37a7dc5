"""Arrow columns as the readers of whole files have them: numbers, texts, true or false, dates.

Dictionaries become texts, decimals become floats, times become text; nested and binary columns are an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hornbeam.errors import InputError, short_repr


def checked_schema(schema: Any, source: str) -> dict[str, str]:
    """The type of each column by name; an error for a type that cannot be used, or for a repeated name."""
    from hornbeam.table.names import checked_names

    checked_names(schema.names)
    return {field.name: _type_name(field, source) for field in schema}


def _type_name(field: Any, source: str) -> str:
    import pyarrow as pa

    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    for name, tests in _type_tests().items():
        if any(test(kind) for test in tests):
            return name
    raise InputError(
        f"Column {short_repr(field.name)} of {short_repr(source, 200)} has the type {field.type}, "
        "which is neither number nor text nor date.",
        hint="Flatten it into simple columns, or drop it.",
        column=field.name,
        path=source,
    )


def _type_tests() -> dict[str, tuple[Any, ...]]:
    from pyarrow import types

    is_view = getattr(types, "is_string_view", types.is_string)
    return {
        "numeric": (types.is_integer, types.is_floating, types.is_decimal),
        "true or false": (types.is_boolean,),
        "text": (types.is_string, types.is_large_string, is_view, types.is_time),
        "a date": (types.is_date, types.is_timestamp),
        "a duration": (types.is_duration,),
        "null": (types.is_null,),
    }


def simple_types(table: Any, source: str, *, may_be_dictionary: Callable[[Any], bool] | None = None) -> Any:
    """A table whose columns have types that the reader of frames converts fast; most are returned unchanged.

    Dictionaries of texts stay where `may_be_dictionary` is true of the column. Texts that are not UTF-8 are an error.
    """
    import pyarrow as pa

    for position, field in enumerate(table.schema):
        kind = field.type
        _check_texts(field, table.column(position), source)
        if pa.types.is_dictionary(kind):
            is_kept = may_be_dictionary is not None and pa.types.is_string(kind.value_type)
            if is_kept and may_be_dictionary(table.column(position)):  # type: ignore[misc]
                continue
            kind = pa.string() if _is_text(kind.value_type) else kind.value_type
        if pa.types.is_decimal(kind):
            kind = pa.float64()
        elif pa.types.is_time(kind):
            table = table.set_column(position, field.name, _time_texts(table.column(position)))
            continue
        if kind != field.type:
            table = table.set_column(position, field.name, table.column(position).cast(kind))
    return table


def _time_texts(column: Any) -> Any:
    """Times of day as the reader of whole files has them: without a fraction, or with six digits."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = column.cast(pa.time64("us"), safe=False).cast(pa.string())
    return pc.replace_substring(texts, ".000000", "")


def _check_texts(field: Any, column: Any, source: str) -> None:
    """Raise an error if the texts of a column are not UTF-8: no library checks them when it reads them."""
    import pyarrow as pa

    if not _is_text(field.type.value_type if pa.types.is_dictionary(field.type) else field.type):
        return
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        raise InputError(
            f"Column {short_repr(field.name)} of {short_repr(source, 200)} has texts that are not UTF-8.",
            hint="Decode them before they are written, or drop the column.",
            column=field.name,
            path=source,
        ) from None


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    is_view = getattr(types, "is_string_view", types.is_string)
    return bool(types.is_string(kind) or types.is_large_string(kind) or is_view(kind))
