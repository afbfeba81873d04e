"""Draws scenes without a window. The engine knows no screen, so code that needs pictures is given a `Drawer`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from spatial_workbench.engine.core.scene import Scene

PictureForm = Literal["PNG", "JPEG", "WEBP", "RGB"]
"""The form of a picture: a file, or ("RGB") the bytes of red, green and blue, row by row from the top."""


@dataclass(frozen=True)
class Cut:
    """A plane across an axis (0, 1, 2) of a scene in space; what lies above `offset` is not drawn."""

    axis: int
    offset: float


class CannotDraw(RuntimeError):
    """Nothing can be drawn; the message is a sentence that says why."""


class Drawer(Protocol):
    """Draws scenes."""

    def picture(
        self,
        scene: Scene,
        size: tuple[int, int],
        theme: str,
        form: PictureForm = "PNG",
        view: str = "",
        cut: Cut | None = None,
        quick: bool = False,
    ) -> bytes:
        """A picture of a scene; size in pixels, theme "light" or "dark".

        quick: Whether it may be coarser where edges are smoothed, and longer as a file, to be there sooner.
        view: "isometric", "top", "bottom", "front", "back", "left" or "right"; empty: from where it is best seen.

        Raises:
            CannotDraw: The libraries that draw are missing, or do not work here.
        """
