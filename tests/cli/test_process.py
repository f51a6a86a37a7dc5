"""Commands in a process of their own: exit codes, signals, imports and encodings."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

import hornbeam

SOURCE = str(pathlib.Path(hornbeam.__file__).parents[1])
RUN = [sys.executable, "-m", "hornbeam"]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": SOURCE, **more}


def test_the_module_runs_and_gives_exit_codes(tmp_path):
    done = subprocess.run([*RUN, "demo"], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "hornbeam-demo.html").stat().st_size > 2_000
    assert subprocess.run(RUN, env=environment(), capture_output=True, timeout=60).returncode == 2


def test_help_imports_nothing_heavy():
    code = "import sys; from hornbeam.cli.main import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert not {"numpy", "rich", "duckdb", "scipy", "sklearn", "json"} & set(done.stderr.split())


def test_growing_imports_only_the_parts_of_the_recipe(tmp_path):
    (tmp_path / "d.csv").write_text("a,y\n1,p\n2,q\n")
    code = "import sys; from hornbeam.cli.main import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", code, "grow", "d.csv", "--target", "y", "--max-depth", "2"]
    done = subprocess.run(command[:-2], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60)
    unused = {"rich", "duckdb", "hornbeam.evaluation", "hornbeam.recipes.forests", "hornbeam.parts.searches.kd_median"}
    assert not unused & set(done.stderr.split())
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60)
    assert (done.returncode, "rich" in done.stderr.split()) == (0, False)


def test_190_a_closed_pipe_is_no_error(tmp_path):
    (tmp_path / "many.csv").write_text("a,y\n" + "1,p\n2,q\n" * 20_000)
    grown = subprocess.run(
        [*RUN, "grow", "many.csv", "--target", "y", "-o", "m.tree", "-q"], cwd=tmp_path, env=environment(), timeout=60
    )
    assert grown.returncode == 0
    with subprocess.Popen(
        [*RUN, "predict", "m.tree", "many.csv"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_193_signals_stop_with_a_code_of_their_own_and_one_line(tmp_path, number, code):
    # The process waits for its standard input, which does not end.
    with subprocess.Popen(
        [*RUN, "grow", "-", "--target", "y", "-o", "new.tree"],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        _wait_until_it_reads(process.pid)
        process.send_signal(number)
        _, printed = process.communicate(timeout=60)
    assert process.returncode == code
    assert printed.decode().strip() == "stopped; nothing was written"
    assert list(tmp_path.iterdir()) == []


def _wait_until_it_reads(pid: int) -> None:
    """Wait until the process has loaded the readers and sleeps, at most half a minute."""
    for _ in range(300):
        time.sleep(0.1)
        try:
            maps = pathlib.Path(f"/proc/{pid}/maps").read_text()
            state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if "numpy" in maps and state == "S":
            time.sleep(0.3)
            return


def test_205_a_current_folder_that_was_deleted(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    code = f"import os; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r}); os.execv({RUN[0]!r}, {[*RUN, 'demo']!r})"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("error: cannot run the demo")


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_194_an_encoding_without_box_characters_gets_ascii(tmp_path, encoding):
    done = subprocess.run(
        [*RUN, "demo"], cwd=tmp_path, env=environment(PYTHONIOENCODING=encoding), capture_output=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert b"|- PSA" in done.stdout
