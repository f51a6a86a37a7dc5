"""A picture: shown in a notebook, read as SVG, or saved as SVG, PNG or HTML."""

from __future__ import annotations

import dataclasses
import html
import os
from pathlib import Path

from hornbeam.errors import OptionError, short_repr
from hornbeam.tree.file.atomic import write_whole

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
</head>
<body bgcolor="{ground}">
{svg}
</body>
</html>
"""


@dataclasses.dataclass(frozen=True)
class Picture:
    """A drawing as SVG text; `about` is its description."""

    svg: str
    width: float
    height: float
    about: str
    ground: str = "#ffffff"

    def save(self, path: str | os.PathLike[str], *, zoom: float = 2.0) -> Path:
        """Write the picture atomically; the suffix is the format: .svg, .png (`zoom` pixels per unit) or .html."""
        target = Path(path)
        kind = target.suffix.lower()
        if kind == ".svg":
            data = self.svg.encode("utf-8")
        elif kind == ".png":
            data = self.png(zoom)
        elif kind in (".html", ".htm"):
            data = self.html.encode("utf-8")
        else:
            raise OptionError(
                f"The suffix of a picture must be .svg, .png or .html, got {short_repr(target.name)}.",
                option="path",
                got=str(path),
            )
        write_whole(target, data)
        return target

    def png(self, zoom: float = 2.0) -> bytes:
        """The picture as PNG; requires the package resvg-py."""
        if not 0 < zoom <= 20:
            raise OptionError(f"zoom must be above 0 and at most 20, got {short_repr(zoom)}.", option="zoom")
        try:
            import resvg_py
        except ImportError as error:
            raise OptionError(
                "PNG requires the package resvg-py, which is not installed.",
                hint="Install it with pip install 'hornbeam[png]', or save the figure as .svg.",
            ) from error
        return bytes(resvg_py.svg_to_bytes(svg_string=self.svg, zoom=zoom))

    @property
    def html(self) -> str:
        """A page that contains only the picture and loads nothing."""
        return _PAGE.format(title=html.escape(self.about), ground=self.ground, svg=self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture {self.width:.0f} x {self.height:.0f}: {self.about}>"
