"""Where results are written: regular files whole or not at all, streams as they are, anything else refused."""

from __future__ import annotations

import errno
import os
import socket
import stat
import subprocess
import sys
import threading

import pytest

import hornbeam as hb
from hornbeam.cli.main import main
from hornbeam.errors import ModelFileError, OutputError
from hornbeam.tree.file.files import to_bytes


@pytest.fixture
def tree():
    return hb.grow(hb.datasets.load("play_tennis"), "id3")


def drained(path, write):
    """What a reader of a FIFO gets while `write` runs."""
    got = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
    reader.start()
    write()
    reader.join(20)
    return got[0]


@pytest.mark.parametrize("ending", [".tree", ".html", ".svg"])
def test_a_fifo_is_written_to_and_stays_a_fifo(tree, tmp_path, ending):
    path = tmp_path / f"pipe{ending}"
    os.mkfifo(path)
    save = {
        ".tree": lambda: hb.save(tree, path),
        ".html": lambda: hb.report(tree, path=path),
        ".svg": lambda: hb.draw(tree).save(path),
    }[ending]
    data = drained(path, save)
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert os.listdir(tmp_path) == [path.name]
    assert data == to_bytes(tree) if ending == ".tree" else len(data) > 1000


def test_the_command_line_writes_to_a_fifo_without_force(tree, tmp_path, capsys):
    hb.save(tree, tmp_path / "m.tree")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "d.csv").write_text("Outlook,Temperature,Humidity,Wind\nSunny,Hot,High,Weak\n", encoding="utf-8")
    model = str(tmp_path / "m.tree")
    data = drained(pipe, lambda: main(["predict", model, str(tmp_path / "d.csv"), "-o", str(pipe)]))
    assert data.startswith(b"row,prediction")
    data = drained(pipe, lambda: main(["rules", model, "--as", "markdown", "-o", str(pipe)]))
    assert data.startswith((b"|", b"#", b"-", b"1"))
    assert capsys.readouterr().out == ""


def test_stdout_as_a_file_is_written_to(tree, tmp_path):
    hb.save(tree, tmp_path / "m.tree")
    words = [sys.executable, "-m", "hornbeam", "rules", "m.tree", "-o", "/dev/stdout", "-q"]
    piped = subprocess.run(words, cwd=tmp_path, capture_output=True, timeout=60)
    assert piped.returncode == 0, piped.stderr
    with (tmp_path / "out.txt").open("wb") as out:
        assert subprocess.run(words, cwd=tmp_path, stdout=out, timeout=60).returncode == 0
    assert (tmp_path / "out.txt").read_bytes() == piped.stdout != b""


def test_a_device_that_is_full_is_an_error_and_not_replaced(tree):
    with pytest.raises(ModelFileError, match="No space left"):
        hb.save(tree, "/dev/full")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)
    hb.save(tree, "/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_folders_and_sockets_are_refused(tree, tmp_path, monkeypatch):
    (tmp_path / "folder.tree").mkdir()
    with pytest.raises(ModelFileError, match="directory"):
        hb.save(tree, tmp_path / "folder.tree")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("s.tree")
        with pytest.raises(ModelFileError, match="not a regular file"):
            hb.save(tree, "s.tree")
        assert stat.S_ISSOCK(os.stat("s.tree").st_mode)


@pytest.mark.parametrize("letter", ["x", "é"])
def test_a_name_as_long_as_the_file_system_allows_is_saved(tree, tmp_path, letter):
    stem = letter * ((255 - len(".tree")) // len(letter.encode()))
    path = tmp_path / f"{stem}.tree"
    hb.save(tree, path)
    hb.save(tree, path)
    assert hb.load(path).n_leaves == tree.n_leaves
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize(
    "save",
    [
        lambda tree, path: hb.report(tree).save(path.with_suffix(".html")),
        lambda tree, path: hb.draw(tree).save(path.with_suffix(".svg")),
        lambda tree, path: hb.draw(tree).save(path.with_suffix(".png")),
    ],
    ids=["report", "svg", "png"],
)
def test_a_full_disk_is_an_error_of_ours_and_leaves_the_old_file(tree, tmp_path, monkeypatch, save):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "old"
    save(tree, path)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left"):
        save(tree, path)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    "call",
    [
        lambda tree: hb.save(tree, "nul\0.tree"),
        lambda tree: hb.load("nul\0.tree"),
        lambda tree: hb.load("nul\0.rules"),
        lambda tree: hb.report(tree, path="nul\0.html"),
        lambda tree: hb.draw(tree).save("nul\0.svg"),
        lambda tree: hb.read("nul\0.csv"),
        lambda tree: hb.recipe("nul\0.toml"),
    ],
)
def test_a_path_with_nul_is_an_error_of_ours(tree, call):
    with pytest.raises(hb.errors.HornbeamError):
        call(tree)


def test_commands_refuse_paths_with_nul(tree, tmp_path, capsys):
    hb.save(tree, tmp_path / "m.tree")
    for words in (["draw", str(tmp_path / "m.tree"), "-o", "a\0.svg"], ["show", "a\0.tree"], ["grow", "a\0.csv"]):
        assert main(words) == 2
        assert "fault" not in capsys.readouterr().err
