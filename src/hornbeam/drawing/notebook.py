"""A tree in a notebook: its picture in a sandboxed frame, which runs no script and cannot access the notebook.

Large trees are folded as `draw` folds them; a tall picture scrolls inside its frame.
"""

from __future__ import annotations

import html

from hornbeam.drawing.draw import draw
from hornbeam.drawing.picture import Picture
from hornbeam.tree.nodes import Tree

_MAX_HEIGHT = 640


def tree_frame(tree: Tree) -> str:
    """A frame with the picture of a tree."""
    return picture_frame(draw(tree))


def picture_frame(picture: Picture) -> str:
    """A frame with a picture."""
    tall = min(int(picture.height) + 30, _MAX_HEIGHT)
    inside = html.escape(picture.html, quote=True)
    return f'<iframe sandbox="" width="100%" height="{tall}" frameborder="0" srcdoc="{inside}"></iframe>'
