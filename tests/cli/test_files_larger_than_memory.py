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
        (("--scheduler", "tcp://127.0.0.1:9"), "--scheduler requires --memory"),
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
