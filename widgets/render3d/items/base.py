"""Drawers of items: each keeps VTK data up to date with an item and its style."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkPolyData

from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.render3d.parts import RenderPart, SurfacePart
from spatial_workbench.widgets.render3d.shading import Look, Shading
from spatial_workbench.widgets.render3d.style import Bytes, Style

I = TypeVar("I", bound=Any)  # noqa: E741


class ItemDrawer(Generic[I]):
    """Draws one item; `builds` counts how often its geometry has been made."""

    def __init__(self, shading: Shading) -> None:
        self.shading = shading
        self.item: I
        self.parts: list[RenderPart] = []
        self.builds = 0

    def set_item(self, item: I) -> None:
        """Sets a new version of the item; `paint` is called afterwards."""
        raise NotImplementedError

    def paint(self, style: Style) -> None:
        """Applies the colours of a style."""
        raise NotImplementedError

    def set_coarse(self, coarse: bool) -> None:
        """Leaves out details, or draws them again."""

    def fit_pixels(self, camera: Camera, height_px: float, ratio: float) -> None:
        """Sizes what is measured in pixels; `ratio` is the drawn pixels per pixel of a width in the scene."""


@dataclass(frozen=True, eq=False)
class Layer:
    """A data set of an item with a single element; `tint` derives its colour from the element's."""

    look: Look
    data: vtkPolyData
    width_px: float = 0.0
    inner_side: bool = False
    tint: Callable[[Bytes, Style], Bytes] = lambda rgba, style: rgba
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    scale: float = 1.0


class LayerDrawer(ItemDrawer[I]):
    """Draws an item with a single element, in layers."""

    def __init__(self, shading: Shading) -> None:
        super().__init__(shading)
        self._layers: Sequence[Layer] = ()
        self._clear: bool | None = None

    def layers(self, item: I) -> Sequence[Layer]:
        """The data sets of the item."""
        raise NotImplementedError

    def set_item(self, item: I) -> None:
        self.item = item
        self._layers = self.layers(item)
        self._clear = None
        self.builds += 1

    def paint(self, style: Style) -> None:
        rgba = style.rgba(self.item)[0]
        if (clear := bool(rgba[3] < 255)) != self._clear:
            self._clear = clear
            self.parts = [self._part(layer, clear) for layer in self._layers]
        for layer, part in zip(self._layers, self.parts, strict=True):
            part.show(bool(rgba[3]))
            part.paint(np.tile(layer.tint(rgba, style), (layer.data.GetNumberOfPoints(), 1)))

    def _part(self, layer: Layer, clear: bool) -> RenderPart:
        part = SurfacePart(self.shading, layer.look, clear, layer.inner_side)
        part.set_data(layer.data)
        part.place(layer.origin, layer.scale)
        return part

    def fit_pixels(self, camera: Camera, height_px: float, ratio: float) -> None:
        for layer, part in zip(self._layers, self.parts, strict=True):
            if layer.width_px:
                part.set_width(layer.width_px * ratio)


def edge_tint(rgba: Bytes, style: Style) -> Bytes:
    """The colours (..., 4) of edges on surfaces: darker, or lighter where they are nearly black."""
    rgb = rgba[..., :3].astype(float)
    is_bright = rgb @ [0.3, 0.59, 0.11] > 50
    tinted = np.where(is_bright[..., None], rgb * 0.5, rgb + 50)
    opacity = np.minimum(255, rgba[..., 3:].astype(int) * 2)
    return np.concatenate([np.round(tinted), opacity], axis=-1).astype(np.uint8)
