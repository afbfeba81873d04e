"""Pictures of an answer, drawn as the window draws it."""

from __future__ import annotations

from dataclasses import replace

from spatial_workbench.engine.core import AnswerError, Scene
from spatial_workbench.engine.core.drawer import CannotDraw, Cut, Drawer
from spatial_workbench.engine.core.scene import Label
from spatial_workbench.engine.evaluation.hands.measuring import Anchor, anchors
from spatial_workbench.engine.evaluation.hands.tools import LookAsked

MOST_LABELS = 400
_BEST = "best"


def picture_of(scene: Scene, asked: LookAsked, drawer: Drawer) -> bytes:
    """A PNG of a scene.

    Raises:
        AnswerError: Nothing can be drawn here; says why.
    """
    at_rest = replace(scene, frames=(), marks=())
    shown = labelled(at_rest) if asked.labels else at_rest
    cut = Cut("xyz".index(asked.cut_axis), asked.cut_at) if asked.cut_axis and not scene.flat else None
    view = "" if asked.view == _BEST or scene.flat else asked.view
    try:
        return drawer.picture(shown, (asked.width_px, asked.height_px), "light", view=view, cut=cut, quick=True)
    except CannotDraw as error:
        raise AnswerError(f"No picture can be shown: {error}") from None


def labelled(scene: Scene) -> Scene:
    """The scene with the name of each element beside it where nothing hides it, up to MOST_LABELS."""
    places = [anchor for item in scene.items for anchor in anchors(item)][:MOST_LABELS]
    return replace(scene, items=(*scene.items, *map(_label, places)))


def _label(anchor: Anchor) -> Label:
    first, *others = (tuple(map(float, point)) for point in anchor.points)
    name = anchor.element
    return Label(id=f"label of {name}", position=first, text=_short(name), reach=anchor.reach, spots=tuple(others))


def _short(name: str) -> str:
    """The number of a numbered element, else its name."""
    number = name.rpartition(" ")[2]
    return number if number.isdigit() else name[:40]
