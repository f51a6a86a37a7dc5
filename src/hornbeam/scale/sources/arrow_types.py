"""Arrow columns as the readers of whole files have them: numbers, texts, true or false, dates.

Dictionaries become texts, decimals become floats, times become text; nested and binary columns are an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hornbeam.errors import InputError, short_repr

_NULL = "null"
_UNUSABLE = "unusable: "


def checked_schema(schema: Any, source: str) -> dict[str, str]:
    """The type of each column by name; an error for a repeated name."""
    from hornbeam.table.names import checked_names

    checked_names(schema.names)
    return {field.name: _type_name(field) for field in schema}


def _type_name(field: Any) -> str:
    import pyarrow as pa

    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    for name, tests in _type_tests().items():
        if any(test(kind) for test in tests):
            return name
    return f"{_UNUSABLE}{field.type}"


def check_types(types: Mapping[str, str], source: str) -> None:
    """Raise an error if a column has a type that cannot be used."""
    for name, kind in unusable_types(types).items():
        raise InputError(
            f"Column {short_repr(name)} of {short_repr(source, 200)} has the type {kind.removeprefix(_UNUSABLE)}, "
            "which is neither number nor text nor date.",
            hint="Flatten it into simple columns, or drop it.",
            column=name,
            path=source,
        )


def unusable_types(types: Mapping[str, str]) -> dict[str, str]:
    """The columns whose types cannot be used."""
    return {name: kind for name, kind in types.items() if kind.startswith(_UNUSABLE)}


def _type_tests() -> dict[str, tuple[Any, ...]]:
    from pyarrow import types

    is_view = getattr(types, "is_string_view", types.is_string)
    return {
        "numeric": (types.is_integer, types.is_floating, types.is_decimal),
        "true or false": (types.is_boolean,),
        "text": (types.is_string, types.is_large_string, is_view, types.is_time),
        "a date": (types.is_date, types.is_timestamp),
        "a duration": (types.is_duration,),
        _NULL: (types.is_null,),
    }


def common_types(names: Iterable[str], tables: Iterable[tuple[str, dict[str, str]]], parts: str) -> dict[str, str]:
    """The type of every column of several tables, which have labels; a column of nulls has any type."""
    types = dict.fromkeys(names, _NULL)
    first_of: dict[str, str] = {}
    for label, found in tables:
        for name, kind in found.items():
            if kind == _NULL:
                continue
            if types[name] not in (_NULL, kind):
                raise InputError(
                    f"Column {short_repr(name)} is {types[name]} in {first_of[name]} and {kind} in {label}.",
                    hint=f"Use the same type in all {parts}.",
                    column=name,
                )
            types[name] = kind
            first_of.setdefault(name, label)
    return types


def with_types(table: Any, types: Mapping[str, str]) -> Any:
    """The table with columns of nulls as the texts, or true and false, that they are in other tables."""
    import pyarrow as pa

    wanted = {"text": pa.string(), "true or false": pa.bool_()}
    for position, field in enumerate(table.schema):
        if pa.types.is_null(field.type) and types.get(field.name) in wanted:
            column = table.column(position).cast(wanted[types[field.name]])
            table = table.set_column(position, field.name, column)
    return table


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
