"""The figures of the gallery: the page shows every figure that its code saves, and they stay small."""

from __future__ import annotations

import re
from pathlib import Path

from docs.images import gallery

MAX_BYTES = 600_000


def test_the_page_shows_every_figure_that_it_draws_and_every_file_is_one_of_them():
    saved = set(re.findall(r'save\("([\w-]+\.svg)"\)', "".join(gallery.examples())))
    shown = set(re.findall(r"images/gallery/([\w-]+\.svg)", gallery.PAGE.read_text("utf-8")))
    assert saved == shown == {path.name for path in gallery.FOLDER.glob("*")}


def test_the_figures_are_small_and_the_script_draws_all_of_them(tmp_path, monkeypatch):
    assert sum(path.stat().st_size for path in gallery.FOLDER.glob("*.svg")) < MAX_BYTES
    names = {path.name for path in gallery.FOLDER.glob("*.svg")}
    monkeypatch.setattr(gallery, "FOLDER", Path(tmp_path) / "figures")
    gallery.draw()
    assert {path.name for path in gallery.FOLDER.glob("*.svg")} == names
