"""Completion scripts, run by the shells that are installed."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from hornbeam.cli.command import command_names, command_parser


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """A function that writes the script of a shell and returns its path."""
    from hornbeam.cli.completion import script

    folder = tmp_path_factory.mktemp("completion")

    def write(shell: str) -> str:
        path = folder / f"hornbeam.{shell}"
        if not path.exists():
            path.write_text(script(shell), encoding="utf-8")
        return str(path)

    return write


def shell_path(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


CASES = [
    ("gr", {"grow"}),
    ("grow --max-", {"--max-depth", "--max-leaves", "--max-nodes"}),
    ("grow --recipe c4", {"c45"}),
    ("grow --criterion gin", {"gini"}),
    ("grow --sorted-cuts-cut m", {"midpoint"}),
    ("parts cost_c", {"cost_complexity"}),
    ("help comp", {"compare", "completion"}),
    ("completion z", {"zsh"}),
    ("grow pati", {"patients.csv"}),
]


@pytest.mark.parametrize(("line", "expected"), CASES)
def test_bash_completes(scripts, tmp_path, line, expected):
    (tmp_path / "patients.csv").touch()
    words = " ".join(f"'{word}'" for word in line.split())
    code = f"source '{scripts('bash')}'; COMP_WORDS=(hornbeam {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); "
    code += '_hornbeam; printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run([shell_path("bash"), "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == expected


def test_fish_completes(scripts, tmp_path):
    fish = shell_path("fish")
    (tmp_path / "patients.csv").touch()
    for line, expected in CASES:
        code = f"source '{scripts('fish')}'; complete -C 'hornbeam {line}'"
        done = subprocess.run([fish, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert {row.partition("\t")[0] for row in done.stdout.splitlines()} == expected, line


def test_zsh_accepts_the_script(scripts):
    done = subprocess.run([shell_path("zsh"), "-n", scripts("zsh")], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_flag_is_in_the_script(run, shell):
    text = run("completion", shell).out
    dashes = "-l " if shell == "fish" else "--"
    for name in command_names():
        assert name in text
        missing = [flag for flag in command_parser(name).flags() if f"{dashes}{flag[2:]}" not in text]
        assert missing == []


def test_an_unknown_shell_is_an_error(run):
    ran = run("completion", "tcsh")
    assert ran.code == 2
    assert "bash" in ran.err
