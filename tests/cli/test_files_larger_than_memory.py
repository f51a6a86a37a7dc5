"""hornbeam grow --memory and hornbeam estimate."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

pytest.importorskip("pyarrow")


@pytest.fixture
def data(run):
    random = np.random.default_rng(0)
    for part in range(2):
        lines = ["id,size,color,ripe"]
        for row in range(300):
            size, color = random.normal(), random.choice(["red", "green"])
            lines.append(f"P{part}{row},{size:.4f},{color},{'yes' if size > 0.3 or color == 'red' else 'no'}")
        pathlib.Path(f"part{part}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return "part*.csv"


def test_a_tree_is_grown_from_files_and_saved(run, data):
    ran = run("grow", data, "--target", "ripe", "--memory", "100MB", "-o", "fruit.tree")
    assert ran.code == 0, ran.err
    assert "color" in ran.out
    assert "note: column 'id' is excluded: it looks like an id" in ran.err
    assert "note: cuts are between at most 255 bins of the columns with more values: size" in ran.err
    predicted = run("predict", "fruit.tree", "part0.csv", "--keep", "id")
    assert len(predicted.out.splitlines()) == 301


@pytest.mark.parametrize("flags", [(), ("--recipe", "boosting", "--boosting-n-rounds", "5")])
def test_memory_does_not_change_the_saved_model(run, data, flags):
    for size, name in (("64MB", "a.tree"), ("2GB", "b.tree")):
        assert run("grow", data, "--target", "ripe", "--memory", size, "-o", name, "-q", *flags).code == 0
    assert pathlib.Path("a.tree").read_bytes() == pathlib.Path("b.tree").read_bytes()


def test_a_work_folder_is_kept_and_used_again(run, data):
    for name in ("a.tree", "b.tree"):
        assert run("grow", data, "--target", "ripe", "--memory", "64MB", "--work", "bins", "-o", name).code == 0
    assert sorted(path.name for path in pathlib.Path("bins").iterdir()) == [
        "000000.bins",
        "hornbeam.json",
        "rows.parquet",
    ]
    assert pathlib.Path("a.tree").read_bytes() == pathlib.Path("b.tree").read_bytes()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--memory", "lots"), "memory must be a size such as '2GB'"),
        (("--memory", "100MB", "--trace"), "--trace cannot be combined with --memory"),
        (("--memory", "100MB", "--recipe", "adaboost"), "but the recipe grows adaboost"),
        (("--memory", "100MB", "--recipe", "boosting", "--boosting-loss", "absolute"), "cannot use the loss absolute"),
        (("--resume", "a"), "--resume requires --memory or --scheduler"),
        (("--scheduler", "tcp://127.0.0.1:9", "--trace"), "--trace cannot be combined with --scheduler"),
        (("--memory", "100MB", "--drop", "colour"), "--drop: unknown column 'colour'"),
    ],
)
def test_what_cannot_be_done_is_an_error(run, data, flags, message):
    ran = run("grow", data, "--target", "ripe", *flags)
    assert ran.code == 2
    assert message in ran.err


def test_estimate_prints_memory_and_disk(run, data):
    ran = run("estimate", data, "--target", "ripe")
    assert ran.out.startswith("rows          about 599 x 4 columns\nin memory ")
    found = run("estimate", data, "--target", "ripe", "--json").json
    assert found["n_columns"] == 4
    assert found["fits_memory"] is True


def test_a_scheduler_that_does_not_answer_is_an_error(run, data, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("hornbeam.cli.dataset_flags._CONNECT_SECONDS", 0.2)
    ran = run("grow", data, "--target", "ripe", "--scheduler", "tcp://127.0.0.1:9")
    assert ran.code == 2
    assert "Cannot connect to the scheduler tcp://127.0.0.1:9" in ran.err


def test_an_interrupted_growth_continues_with_the_saved_file(run, data, monkeypatch):
    from hornbeam.recipes import prune_files

    to_parquet(data)
    arguments = ("part.parquet", "--target", "ripe", "--memory", "64MB")
    assert run("grow", *arguments, "-o", "a.tree").code == 0
    prune = prune_files.prune

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(prune_files, "prune", stop)
    assert run("grow", *arguments, "--resume", "growth", "-o", "b.tree").code != 0
    assert pathlib.Path("growth").exists()
    ran = run("grow", *arguments, "--recipe", "plain", "--resume", "growth")
    assert ran.code == 2
    assert "The checkpoint 'growth' is of another recipe" in ran.err
    monkeypatch.setattr(prune_files, "prune", prune)
    assert run("grow", *arguments, "--resume", "growth", "-o", "b.tree").code == 0
    assert not pathlib.Path("growth").exists()
    assert pathlib.Path("a.tree").read_bytes() == pathlib.Path("b.tree").read_bytes()


def to_parquet(pattern):
    import glob

    import pyarrow.csv
    import pyarrow.parquet

    tables = [pyarrow.csv.read_csv(path) for path in sorted(glob.glob(pattern))]
    pyarrow.parquet.write_table(pyarrow.concat_tables(tables), "part.parquet")


@pytest.mark.parametrize("flags", [(), ("--keep", "id"), ("--na-value", "red"), ("--as", "jsonl", "--keep", "size")])
def test_a_large_csv_file_is_predicted_in_batches_with_the_same_output(run, data, flags, monkeypatch):
    from hornbeam.scale import csv_rows, new_rows

    assert run("grow", data, "--target", "ripe", "--memory", "100MB", "-o", "fruit.tree", "-q").code == 0
    at_once = run("predict", "fruit.tree", "part0.csv", "part1.csv", *flags)
    monkeypatch.setattr(new_rows, "WHOLE_BYTES", 0)
    monkeypatch.setattr(csv_rows, "_BLOCK", 512)
    monkeypatch.setattr(csv_rows, "_MIN_ROWS", 64)
    monkeypatch.setattr("hornbeam.cli.commands.predict.raw_of", None)
    in_batches = run("predict", "fruit.tree", "part0.csv", "part1.csv", *flags)
    assert in_batches.code == at_once.code == 0, in_batches.err
    assert in_batches.out == at_once.out
    to_file = run("predict", "fruit.tree", "part*.csv", "-o", "out.csv", "--as", "csv", "--keep", "id")
    assert "wrote out.csv: 600 rows" in to_file.err + to_file.out


def test_a_bad_line_of_a_large_csv_file_is_an_error_with_its_line(run, data, monkeypatch):
    from hornbeam.scale import new_rows

    assert run("grow", data, "--target", "ripe", "--memory", "100MB", "-o", "fruit.tree", "-q").code == 0
    with open("part0.csv", "a") as file:
        file.write("P1,3\n")
    expected = run("predict", "fruit.tree", "part0.csv", "--keep", "id", "-o", "out.csv")
    monkeypatch.setattr(new_rows, "WHOLE_BYTES", 0)
    found = run("predict", "fruit.tree", "part0.csv", "--keep", "id", "-o", "out.csv")
    assert found.code == expected.code == 2
    assert "line 302" in found.err
    assert found.err == expected.err
    assert not pathlib.Path("out.csv").exists()
