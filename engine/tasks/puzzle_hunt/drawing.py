"""Draws the pages of a puzzle side by side, in their pixels."""

from __future__ import annotations

from collections.abc import Mapping

from spatial_workbench.engine.core import InstanceError, Scene
from spatial_workbench.engine.core.scene import Item, Picture
from spatial_workbench.engine.puzzles.sets.pages import PictureError, picture_size

GAP_PX = 40


def draw_pages(pages: Mapping[str, bytes]) -> Scene:
    """The pages in a row, y down, the unit being their pixel.

    Raises:
        InstanceError: A page is not a picture.
    """
    items: list[Item] = []
    x = 0
    for name, data in pages.items():
        try:
            width, height = picture_size(data, name)
        except PictureError as error:
            raise InstanceError(str(error)) from None
        items.append(Picture(id=name, png=data, corner=(float(x), 0.0), size=(float(width), float(height))))
        x += width + GAP_PX
    return Scene(items=items, flat=True, y_up=False, unit="px", axes=("", "", ""))
