"""Code that only one compiler, processor or system has is in one header, native/core/portable.hpp."""

from __future__ import annotations

import re

from tests.architecture.repository import ROOT, tracked

HOME = "native/core/portable.hpp"
EXTENSIONS = re.compile(
    r"__attribute__|__builtin_|__has_builtin|__extension__|__int128|\w*intrin\.h|_mm\d*_\w+|target_clones"
    r"|__(linux|GNUC|clang|x86_64|aarch64|APPLE|SANITIZE_\w+)_*\b|_WIN32|_MSC_VER"
    r"|<(unistd|sched|sys/mman)\.h>|\bmadvise\b|\bgetpid\b|\baligned_alloc\b"
)


def test_extensions_of_compilers_and_systems_are_in_one_header():
    found = [
        f"{path}:{number}: {match[0]}"
        for path in tracked()
        if path.parts[0] == "native" and path.as_posix() != HOME
        for number, line in enumerate((ROOT / path).read_text("utf-8").splitlines(), start=1)
        if (match := EXTENSIONS.search(line.partition("//")[0]))
    ]
    assert found == []


def test_the_bindings_use_the_stable_interface_of_python():
    """Python 3.12 and later have one wheel for all; macros such as PyTuple_GET_SIZE are not in its interface."""
    unstable = re.compile(r"\bPy(?!BUF_)[A-Z][A-Za-z]*_[A-Z]{2,}[A-Z_]*\b|->(tp|ob|nb|sq|mp)_\w+")
    found = [
        f"{path}:{number}: {match[0]}"
        for path in tracked()
        if path.parts[:2] == ("native", "bind")
        for number, line in enumerate((ROOT / path).read_text("utf-8").splitlines(), start=1)
        if (match := unstable.search(line.partition("//")[0]))
    ]
    assert found == []
