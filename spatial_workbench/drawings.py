"""Drawings of instances and answers, as pictures and as notebooks show them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from spatial_workbench.engine.core.drawer import CannotDraw
from spatial_workbench.engine.core.formats.notebook import figure
from spatial_workbench.engine.core.scene import Scene

PICTURE = (640, 420)
"""Width and height in pixels of the pictures in notebooks."""


def picture_of(scene: Scene, size: tuple[int, int], theme: str) -> bytes:
    """A PNG file of a scene; size in pixels, theme "light" or "dark".

    Raises:
        CannotDraw: The extra "window" is not installed, or does not work here; says so.
    """
    from spatial_workbench.app.studio.drawing import drawer

    return drawer().picture(scene, size, theme)


@dataclass(frozen=True)
class ShownPicture:
    """The picture of a notebook, or a sentence that says why there is none.

    Attributes:
        png: None if nothing can be drawn here.
    """

    png: bytes | None
    why_none: str = ""

    @classmethod
    def of(cls, scene: Scene) -> ShownPicture:
        """Draws a scene in the usual size, if that is possible."""
        try:
            return cls(picture_of(scene, PICTURE, "light"))
        except CannotDraw as error:
            return cls(None, str(error))


@dataclass(frozen=True)
class Drawing:
    """A drawing of an instance, perhaps with an answer. A notebook shows it as a picture.

    Attributes:
        title: The address of the instance.
        scene: What is drawn: boxes, meshes, lines and so on, in the unit that it names, right-handed with z up.
    """

    title: str
    scene: Scene

    def picture(self, size: tuple[int, int] = PICTURE, theme: str = "light") -> bytes:
        """A PNG file; size in pixels, theme "light" or "dark".

        Raises:
            CannotDraw: The extra "window" is not installed, or does not work here; says so.
        """
        return picture_of(self.scene, size, theme)

    def __repr__(self) -> str:
        return f"<drawing of {self.title}>"

    def _repr_png_(self) -> bytes | None:
        return self._shown.png

    def _repr_html_(self) -> str:
        return figure(self.title, png=self._shown.png, why_no_picture=self._shown.why_none)

    @cached_property
    def _shown(self) -> ShownPicture:
        return ShownPicture.of(self.scene)
