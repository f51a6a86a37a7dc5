"""Expressions in the SQL of other databases, by sqlglot; standard SQL needs no conversion."""

from __future__ import annotations

from collections.abc import Callable

from hornbeam.errors import InputError

# Databases that read the standard SQL of this package as it is.
UNCHANGED = ("postgres", "sqlite", "duckdb")
# The start and end of a stage that a database computes once: it merges others into the stages that read them.
COMPUTED_ONCE = {name: ("MATERIALIZED ", "") for name in UNCHANGED} | {"mysql": ("", "\n  LIMIT 18446744073709551615")}
DIALECTS = (
    "standard",
    *UNCHANGED,
    "bigquery",
    "databricks",
    "mysql",
    "oracle",
    "redshift",
    "snowflake",
    "spark",
    "tsql",
)


def renderer(dialect: str) -> Callable[[str], str]:
    """The function that writes an expression of standard SQL in a dialect."""
    if dialect == "standard" or dialect in UNCHANGED:
        return str
    try:
        import sqlglot
    except ImportError as error:
        raise InputError(
            f"SQL for {dialect} needs the package sqlglot.", hint="Install it: pip install 'hornbeam[sql]'."
        ) from error

    def render(expression: str) -> str:
        return str(sqlglot.parse_one(expression).sql(dialect=dialect))

    return render
