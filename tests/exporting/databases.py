"""Runs exported queries in databases: SQLite, DuckDB, and PostgreSQL and MariaDB servers that are started for the test.

The runners take and return what those of `runners` do.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.exporting.runners import Case, Found, Results, has_scores, text_of

import hornbeam as hb
from hornbeam.exporting.conversion import export_model

Execute = Callable[[str, Sequence[Sequence[Any]]], list[Sequence[Any]]]
_MARIADB = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
_PROGRAMS = ("/usr/lib/postgresql/*/bin", "/usr/local/bin")


def in_sqlite(cases: list[Case], folder: Path | None, dialect: str = "sqlite", **settings: Any) -> Results:
    with contextlib.closing(sqlite3.connect(":memory:")) as base:

        def execute(text: str, rows: Sequence[Sequence[Any]] = ()) -> list[Sequence[Any]]:
            return (base.executemany(text, rows) if rows else base.execute(text)).fetchall()

        return _results(execute, cases, dialect, "?", settings)


def in_duckdb(cases: list[Case], folder: Path | None, dialect: str = "duckdb", **settings: Any) -> Results:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(":memory:") as base:

        def execute(text: str, rows: Sequence[Sequence[Any]] = ()) -> list[Sequence[Any]]:
            return (base.executemany(text, rows) if rows else base.execute(text)).fetchall()

        return _results(execute, cases, dialect, "?", settings)


def in_postgres(cases: list[Case], folder: Path, dialect: str = "postgres", **settings: Any) -> Results:
    with postgres() as base:

        def execute(text: str, rows: Sequence[Sequence[Any]] = ()) -> list[Sequence[Any]]:
            cursor = base.cursor()
            if rows:
                cursor.executemany(text, rows)
                return []
            cursor.execute(text)
            return cursor.fetchall() if cursor.description else []

        return _results(execute, cases, dialect, "%s", settings)


def in_mariadb(cases: list[Case], folder: Path, dialect: str = "mysql", **settings: Any) -> Results:
    with mariadb() as base:

        def execute(text: str, rows: Sequence[Sequence[Any]] = ()) -> list[Sequence[Any]]:
            with base.cursor() as cursor:
                if rows:
                    cursor.executemany(text, rows)
                else:
                    cursor.execute(text)
                return list(cursor.fetchall()) if cursor.description else []

        return _results(execute, cases, dialect, "%s", settings, "`", "TEXT COLLATE utf8mb4_nopad_bin")


def _results(
    execute: Execute,
    cases: list[Case],
    dialect: str,
    mark: str,
    settings: dict[str, Any],
    quote: str = '"',
    text_type: str = "TEXT",
) -> Results:
    found: Results = []
    for number, (model, rows) in enumerate(cases):
        exported, table = export_model(model), f"rows_{number}"
        specs = exported.schema.columns
        types = [text_type if spec.has_levels else "DOUBLE PRECISION" for spec in specs]
        names = [quote + spec.name.replace(quote, 2 * quote) + quote for spec in specs]
        columns = ", ".join(f"{name} {each}" for name, each in zip(names, types, strict=True))
        execute(f"CREATE TABLE {table} (row_id INTEGER, {columns})", ())
        if rows:
            marks = ", ".join([mark] * (len(specs) + 1))
            values = [(index, *(row[spec.name] for spec in specs)) for index, row in enumerate(rows)]
            execute(f"INSERT INTO {table} VALUES ({marks})", values)
        text = hb.export(
            model,
            format="sql",
            table=table,
            keep=("row_id",),
            dialect=dialect,
            raw_scores=has_scores(model),
            **settings,
        )
        answers = sorted(execute(text.rstrip().rstrip(";"), ()))
        assert [answer[0] for answer in answers] == list(range(len(rows)))
        found.append([_found(answer[1:], exported) for answer in answers])
    return found


def _found(answer: Sequence[Any], exported: Any) -> Found | None:
    label, *values = answer
    if label is None:
        return None
    n = len(exported.classes)
    if not n:
        return Found(None, (float(label),), tuple(values))
    return Found(text_of(label), tuple(values[:n]), tuple(values[n:]))


@contextlib.contextmanager
def postgres() -> Iterator[Any]:
    """A connection to a PostgreSQL server that is started for it."""
    psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed")
    with _server() as socket, psycopg.connect(host=str(socket), user="postgres", autocommit=True) as base:
        yield base


@contextlib.contextmanager
def mariadb() -> Iterator[Any]:
    """A connection to a MariaDB server that is started for it, with its data in a temporary folder."""
    pymysql = pytest.importorskip("pymysql", reason="pymysql is not installed")
    server, setup = (shutil.which(name, path=_MARIADB) for name in ("mariadbd", "mariadb-install-db"))
    if server is None or setup is None:
        pytest.skip("MariaDB is not installed (Debian: apt install mariadb-server)")
    with tempfile.TemporaryDirectory(prefix="hornbeam-my-") as folder:
        socket = f"{folder}/s"
        common = ["--no-defaults", f"--datadir={folder}/data", *(["--user=root"] if os.geteuid() == 0 else [])]
        subprocess.run([setup, *common, "--skip-test-db"], check=True, capture_output=True)
        options = [f"--socket={socket}", "--skip-networking", "--skip-grant-tables", f"--log-error={folder}/log"]
        command = [server, *common, *options, f"--pid-file={folder}/pid"]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            try:
                base = _connected(lambda: pymysql.connect(unix_socket=socket, charset="utf8mb4"), pymysql.Error)
                with contextlib.closing(base), base.cursor() as cursor:
                    cursor.execute("CREATE DATABASE hornbeam CHARACTER SET utf8mb4")
                    cursor.execute("USE hornbeam")
                    yield base
            finally:
                process.terminate()


def _connected(connect: Callable[[], Any], error: type[Exception], seconds: float = 60.0) -> Any:
    """A connection to a server that is starting."""
    stop = time.monotonic() + seconds
    while True:
        try:
            return connect()
        except error:
            if time.monotonic() > stop:
                raise
            time.sleep(0.1)


@contextlib.contextmanager
def _server() -> Iterator[Path]:
    """A PostgreSQL server of Debian's package with its data in a temporary folder; the folder of its socket."""
    programs = _programs()
    with tempfile.TemporaryDirectory(prefix="hornbeam-pg-") as name, _started(programs, Path(name)) as socket:
        yield socket


@contextlib.contextmanager
def _started(programs: Path, folder: Path) -> Iterator[Path]:
    data, socket = folder / "pg", folder / "s"
    for each in (data, socket):
        each.mkdir(parents=True)
    run_as: list[str] = []
    if os.geteuid() == 0:  # the server does not run as root
        run_as = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        for each in (data, socket):
            shutil.chown(each, "postgres", "postgres")
        folder.chmod(0o711)
    common = {"check": True, "capture_output": True, "cwd": "/"}
    subprocess.run(
        [*run_as, str(programs / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8"], **common
    )
    options = f"-k {socket} -c listen_addresses='' -c fsync=off"
    start = [*run_as, str(programs / "pg_ctl"), "-D", str(data), "-w", "-l", str(socket / "log"), "-o", options]
    subprocess.run([*start, "start"], check=True, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield socket
    finally:
        subprocess.run([*run_as, str(programs / "pg_ctl"), "-D", str(data), "-m", "immediate", "stop"], **common)


def _programs() -> Path:
    for pattern in _PROGRAMS:
        for found in sorted(Path("/").glob(pattern[1:]), reverse=True):
            if (found / "initdb").exists() and (found / "pg_ctl").exists():
                return found
    pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
