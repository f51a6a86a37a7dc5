"""Writes the type stubs made from the source: the compiled core, the public names, the registries of parts.

    python -m tools.stubs            writes them (make stubs)

Editors complete `hb.stops.MaxDepth(` from the stub of a registry; a test compares all stubs with what this makes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import hornbeam
from hornbeam.registry import Registry

PACKAGE = Path(hornbeam.__file__).parent
_MADE = "# Written by tools/stubs.py (make stubs)."
_REGISTRIES = ("criteria", "losses", "missing", "orders", "prunings", "searches", "stops")


def stubs() -> dict[Path, str]:
    """The text of every stub by its path."""
    made = {PACKAGE / "_native.pyi": _core(), PACKAGE / "__init__.pyi": _public_names()}
    for name in _REGISTRIES:
        made[PACKAGE / "parts" / name / "__init__.pyi"] = _registry(name, getattr(hornbeam, name))
    return made


def _core() -> str:
    from nanobind.stubgen import StubGen

    from hornbeam import _native

    maker = StubGen(_native, quiet=True)
    maker.put(_native)
    return str(maker.get())


def _public_names() -> str:
    lines = [_MADE]
    for module, names in hornbeam._PUBLIC.items():
        package, _, last = f"hornbeam.{module}".rpartition(".")
        for name in names:
            lines.append(
                f"from hornbeam.{module} import {name} as {name}" if name else f"from {package} import {last} as {last}"
            )
    return "\n".join([lines[0], *sorted(lines[1:]), "", "__version__: str", "__all__: list[str]", ""])


def _registry(name: str, registry: Registry[object]) -> str:  # type: ignore[type-var]
    """The package of a registry: what it imports, and the registry with its own parts as attributes."""
    path = PACKAGE / "parts" / name / "__init__.py"
    own = [part for part in registry if part.__module__.startswith("hornbeam.")]
    lines = [*_imports(path), *(f"from {part.__module__} import {part.__name__} as _{part.__name__}" for part in own)]
    title = f"_{name.capitalize()}"
    body = [f"    {part.__name__}: type[_{part.__name__}]" for part in sorted(own, key=lambda part: part.__name__)]
    base = registry.base.__name__
    return "\n".join(
        [_MADE, *sorted(lines), "", f"class {title}(Registry[{base}]):", *body, "", f"{name}: {title}", ""]
    )


def _imports(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            for each in node.names:
                yield f"from {node.module} import {each.name} as {each.name}"


def main() -> None:
    """Write every stub that differs from its file."""
    for path, text in stubs().items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"wrote {path.relative_to(PACKAGE.parent)}")


if __name__ == "__main__":
    main()
