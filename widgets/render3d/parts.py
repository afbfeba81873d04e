"""Parts draw one data set each, with one actor if they are solid and several if they are see-through.

See-through parts show only their nearest surface, whatever the order of their faces: a first pass writes nothing but
depths, a second the colours. Closed meshes show their inner side before that. So nothing has to be sorted, and what is
behind shines through evenly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper, vtkMapper, vtkPolyDataMapper

from spatial_workbench.widgets.render3d.shading import QUAD_PLACE, Look, Shading
from spatial_workbench.widgets.render3d.vtkdata import (
    COLOR,
    SIZE,
    TURN,
    as_array,
    set_colors,
    set_point_array,
    set_points,
)

MakeMapper = Callable[[vtkPolyData], vtkMapper]


class RenderPart:
    """The actors of one data set."""

    def __init__(self, shading: Shading, look: Look, make_mapper: MakeMapper, clear: bool, inner_side: bool) -> None:
        self.data = vtkPolyData()
        self.clear = clear
        self._shading = shading
        self._look = look
        self._make_mapper = make_mapper
        self._culled: list[vtkActor] = []
        if look == "flat":
            self.actors = [self._actor(False, culled=False)]
        elif clear:
            inner = [self._actor(False, back=True)] if inner_side else []
            self.actors = [*inner, self._actor(True), self._actor(False)]
        else:
            self.actors = [self._actor(False, culled=not inner_side)]
        self.shown = True

    def _actor(self, depth_only: bool, back: bool = False, culled: bool = True) -> vtkActor:
        actor = vtkActor()
        actor.SetMapper(self._make_mapper(self.data))
        actor.SetShaderProperty(self._shading.property(self._look, depth_only))
        actor.ForceOpaqueOn()
        if back:
            actor.GetProperty().FrontfaceCullingOn()
        elif culled:
            actor.GetProperty().BackfaceCullingOn()
            self._culled.append(actor)
        return actor

    def open_up(self, opened: bool) -> None:
        """Also shows the inner sides of closed bodies, which a section opens."""
        for actor in self._culled:
            actor.GetProperty().SetBackfaceCulling(not opened)

    def show(self, shown: bool) -> None:
        """Shows or hides the part."""
        self.shown = shown
        for actor in self.actors:
            actor.SetVisibility(self.visible)

    @property
    def visible(self) -> bool:
        """Whether there is anything to see."""
        return self.shown and self.data.GetNumberOfPoints() > 0

    def set_data(self, data: vtkPolyData) -> None:
        """Replaces the data set."""
        self.data.ShallowCopy(data)
        self.show(self.shown)

    def place(self, origin: tuple[float, float, float], scale: float) -> None:
        """Sets where the data's own coordinates lie in the scene."""
        for actor in self.actors:
            actor.SetPosition(*origin)
            actor.SetScale(scale)

    def set_width(self, pixels: float) -> None:
        """Sets the width of lines and the size of points."""
        for actor in self.actors:
            actor.GetProperty().SetLineWidth(pixels)
            actor.GetProperty().SetPointSize(pixels)

    def paint(self, rgba: NDArray[np.uint8]) -> None:
        """Colours the points (or instances), (n, 4)."""
        set_colors(self.data, rgba)


class SurfacePart(RenderPart):
    """A surface; with the look "flat", lines or points too."""

    def __init__(self, shading: Shading, look: Look = "plain", clear: bool = False, inner_side: bool = False) -> None:
        super().__init__(shading, look, _quads_mapper if look == "quads" else _surface_mapper, clear, inner_side)


class GlyphPart(RenderPart):
    """Many instances of one small mesh."""

    def __init__(self, shading: Shading, look: Look, source: vtkPolyData, clear: bool = False) -> None:
        self._source = source
        super().__init__(shading, look, self._glyph_mapper, clear, inner_side=False)

    def _glyph_mapper(self, data: vtkPolyData) -> vtkMapper:
        mapper = vtkGlyph3DMapper()
        mapper.SetInputData(data)
        mapper.SetSourceData(self._source)
        mapper.SetScaleArray(SIZE)
        mapper.SetScaleModeToScaleByVectorComponents()
        mapper.SetOrientationArray(TURN)
        mapper.SetOrientationModeToRotation()
        mapper.SetScalarModeToUsePointFieldData()
        mapper.SelectColorArray(COLOR)
        mapper.SetColorModeToDirectScalars()
        return mapper

    def set_instances(
        self, centers: NDArray[np.floating], sizes: NDArray[np.floating], angles_deg: NDArray[np.floating]
    ) -> None:
        """Sets where the instances stand: centres and sizes (n, 3), turned about z by angles (n,)."""
        data = vtkPolyData()
        set_points(data, centers)
        set_point_array(data, SIZE, sizes)
        turn = np.zeros((len(centers), 3), np.float32)
        turn[:, 2] = angles_deg
        set_point_array(data, TURN, turn)
        data.GetPointData().AddArray(as_array(np.zeros((len(centers), 4), np.uint8), COLOR))
        self.set_data(data)

    def paint(self, rgba: NDArray[np.uint8]) -> None:
        self.data.GetPointData().AddArray(as_array(rgba.reshape(-1, 4), COLOR))
        self.data.Modified()


def _surface_mapper(data: vtkPolyData) -> vtkMapper:
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(data)
    mapper.SetColorModeToDirectScalars()
    mapper.SetVBOShiftScaleMethod(0)  # The shaders read the data's own coordinates.
    return mapper


def _quads_mapper(data: vtkPolyData) -> vtkMapper:
    mapper: Any = _surface_mapper(data)  # a vtkOpenGLPolyDataMapper
    mapper.MapDataArrayToVertexAttribute(QUAD_PLACE, QUAD_PLACE, vtkDataObject.FIELD_ASSOCIATION_POINTS)
    surface: vtkMapper = mapper
    return surface
