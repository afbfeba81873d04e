"""The last frame of a view, with what has been marked, placed or pointed at since it was drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Boxes, Item, Scene
from spatial_workbench.widgets.render3d.compose import over, tinted
from spatial_workbench.widgets.render3d.extent import rows_of
from spatial_workbench.widgets.render3d.renderer import Renderer3D
from spatial_workbench.widgets.render3d.style import Style
from spatial_workbench.widgets.render3d.window import Rect

Bytes = NDArray[np.uint8]

GHOST_OPACITY = 0.72
OUTLINE_PX = 2.0
HOVER_STRENGTH = 0.75
OUTLINED_AT_MOST = 200
"""If more elements have failed, they have no outlines, only the colour."""
KEPT_OUTLINES = 8

BUDGET_MS = 40.0
"""The time that a frame may take while the camera moves."""
QUALITIES = ((1.0, False), (1.0, True), (0.7, True), (0.5, True), (0.35, True))
"""Resolution and whether details are left out, from best to fastest."""
SHARP_STEPS = 2
"""How many of them have the full resolution."""


class Frames:
    """Keeps a renderer's last frame and draws small changes over it."""

    def __init__(self, renderer: Renderer3D) -> None:
        self.renderer = renderer
        self._marked: Bytes | None = None
        self._added: tuple[Boxes, ...] = ()
        self._outlines: dict[tuple[str, ...], tuple[Rect, Bytes] | None] = {}
        self._outlined_in: Scene | None = None
        self._seen: tuple[object, ...] = ()

    def take(self, colors: Bytes, selection: Sequence[str]) -> None:
        """Takes a new frame, and draws the outlines of selected and failed elements over it."""
        self._added = ()
        self._marked = self.with_marks(colors, selection)

    def add(self, boxes: Sequence[Boxes]) -> None:
        """Shows boxes that are not in the frame yet."""
        self._added = (*self._added, *boxes)

    def composed(self, ghost: Sequence[Item], ghost_style: Style, hovered: str | None) -> Bytes:
        """The frame with added boxes, the ghost, and the outline of the element under the pointer."""
        assert self._marked is not None
        picture = self._marked
        if self._added:
            picture = self.renderer.with_ghost(picture, self._added, self.renderer.style, 1.0)
        picture = self.with_ghost(picture, ghost, ghost_style)
        return self._outlined(picture, (hovered,), "accent", HOVER_STRENGTH) if hovered else picture

    def with_marks(self, picture: Bytes, selection: Sequence[str]) -> Bytes:
        """A frame with outlines of selected and failed elements."""
        failed = tuple(name for name, role in self.renderer.style.roles.items() if role == "failed")
        if 0 < len(failed) <= OUTLINED_AT_MOST:
            picture = self._outlined(picture, failed, "failed", 1.0)
        return self._outlined(picture, selection, "accent", 1.0) if selection else picture

    def with_ghost(self, picture: Bytes, ghost: Sequence[Item], style: Style) -> Bytes:
        """A frame with a ghost."""
        return self.renderer.with_ghost(picture, ghost, style, GHOST_OPACITY) if ghost else picture

    def _outlined(self, picture: Bytes, names: Sequence[str], role: str, strength: float) -> Bytes:
        outline = self._outline_of(tuple(names))
        if outline is None:
            return picture
        (x, y, width, height), opacity = outline
        out = picture.copy()
        part = out[y : y + height, x : x + width]
        line = opacity > 0
        color = self.renderer.style.theme.rgb(role)
        part[line] = over(tinted((opacity[line] * strength).astype(np.uint8), color), part[line])
        return out

    def _outline_of(self, names: tuple[str, ...]) -> tuple[Rect, Bytes] | None:
        """The outline of elements, cached until the scene, the camera or the picture's size changes."""
        renderer = self.renderer
        seen = (renderer.camera, renderer.style.hidden, renderer.section, renderer.window.picture_size)
        if self._outlined_in is not renderer.scene or self._seen != seen or len(self._outlines) > KEPT_OUTLINES:
            self._outlined_in = renderer.scene
            self._seen = seen
            self._outlines.clear()
        if names not in self._outlines:
            self._outlines[names] = renderer.outline_of(names, OUTLINE_PX)
        return self._outlines[names]


class Pace:
    """Chooses how coarse frames are while the camera moves: just coarse enough to stay within the budget."""

    def __init__(self) -> None:
        self._step = 0

    def quality(self, stays_sharp: bool = False) -> tuple[float, bool]:
        """Resolution, and whether details are left out; in full resolution if it `stays_sharp`."""
        return QUALITIES[min(self._step, SHARP_STEPS - 1) if stays_sharp else self._step]

    def record(self, milliseconds: float) -> None:
        """Adapts to how long a frame took."""
        if milliseconds > BUDGET_MS:
            self._step = min(self._step + 1, len(QUALITIES) - 1)
        elif milliseconds < BUDGET_MS / 3:
            self._step = max(self._step - 1, 0)


def only_added(before: Scene, after: Scene) -> tuple[Boxes, ...]:
    """The boxes that were appended to items, if nothing else has changed; otherwise none."""
    if len(before.items) != len(after.items) or before.ground != after.ground:
        return ()
    added: list[Boxes] = []
    for old, new in zip(before.items, after.items, strict=True):
        if old is new:
            continue
        if not isinstance(old, Boxes) or not isinstance(new, Boxes) or not _starts_with(new, old):
            return ()
        added.append(rows_of(new, np.arange(len(old.ids), len(new.ids))))  # type: ignore[arg-type]
    return tuple(added)


def _starts_with(new: Boxes, old: Boxes) -> bool:
    count = len(old.ids)
    if new.name != old.name or len(new.ids) <= count or new.studs != old.studs or new.opacity != old.opacity:
        return False
    return (
        list(new.ids[:count]) == list(old.ids)
        and _same(new.centers, old.centers, count)
        and _same(new.sizes, old.sizes, count)
        and _same(new.angles_deg, old.angles_deg, count)
        and (new.colors == old.colors if isinstance(old.colors, str) else list(new.colors[:count]) == list(old.colors))
    )


def _same(new: object, old: object, count: int) -> bool:
    """Whether an array with a row for each element begins as before, or a value for all elements is the same."""
    if new is None or old is None:
        return new is old
    first, second = np.asarray(new), np.asarray(old)
    return np.array_equal(first[:count] if len(second) == count and first.ndim == second.ndim else first, second)
