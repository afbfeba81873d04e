"""Keys that move things by steps: which key goes which way, with which modifiers, and how it looks in a 3D view."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from spatial_workbench.widgets.editing.controls import Action
from spatial_workbench.widgets.scene_views.view import SceneView

if TYPE_CHECKING:
    from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

Way = tuple[int, int, int]
"""A direction along an axis: x, y and z."""

FINE_KEYS = ("Alt+", "Ctrl+Shift+")
"""Modifiers for the smallest steps: two, since many window managers reserve Alt."""

LEVEL: Mapping[str, tuple[str, Way]] = {
    "Right": ("Move right", (1, 0, 0)),
    "Left": ("Move left", (-1, 0, 0)),
    "Up": ("Move up", (0, 1, 0)),
    "Down": ("Move down", (0, -1, 0)),
}
"""What the arrow keys do, seen from above."""
UPRIGHT: Mapping[str, tuple[str, Way]] = {"PgUp": ("Raise", (0, 0, 1)), "PgDown": ("Lower", (0, 0, -1))}


@dataclass(frozen=True)
class Step:
    """A length by which keys move things.

    Attributes:
        size: The length, in the unit of the task.
        words: The texts of the actions, with a place for what a whole step is called: "{way} by 8 mm".
        held: The modifiers with which a key moves by this length, each as "Shift+"; "" for none.
    """

    size: float
    words: str = "{way}"
    held: Sequence[str] = ("",)


def nudges(
    move: Callable[[Way, float], object], steps: Iterable[Step], ways: Mapping[str, tuple[str, Way]] = LEVEL
) -> Iterator[Action]:
    """An action for each key and step; `move` is called with the direction and the length."""
    steps = tuple(steps)
    for key, (text, way) in ways.items():
        for step in steps:
            yield Action(step.words.format(way=text), partial(move, way, step.size), held_keys(step.held, key))


def held_keys(held: Iterable[str], key: str) -> str:
    """The shortcuts of an action whose key works with each of these modifiers."""
    return ", ".join(modifier + key for modifier in held)


def way_on_screen(view: Viewport3D, way: Way) -> Way:
    """The horizontal axis that, as seen in a 3D view, is nearest to the direction of an arrow key."""
    right = view.camera.axes[0]
    x, y, z = way
    for _ in range(round(np.degrees(np.arctan2(right[1], right[0])) / 90) % 4):
        x, y = -y, x
    return x, y, z


def free_digit_keys(view: SceneView) -> None:
    """Moves the standard views to Alt and the digit, in an editor in which digits have another meaning."""
    for action in view.view_actions.values():
        key = action.shortcut().toString()
        if key.isdecimal():
            action.setShortcut(f"Alt+{key}")
