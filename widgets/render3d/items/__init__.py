"""A drawer for each kind of item.

base            drawers of items: each keeps VTK data up to date with an item and its style
boxes           boxes: one glyph for all bodies of an item and one for all its studs, without those that bricks hide
copies          copies: meshes with the same faces, drawn as one surface and one set of edges
height_field    height fields: a smooth surface with the grid of its cells, or columns
mesh            meshes: smooth where faces meet at small angles, with drawn edges elsewhere
points          points: round markers of a size in pixels
polygon         polygons of flat scenes: faces with an outline
polyline        polylines: lines of a width in pixels, dashed or with an arrow head at their end
rigid_bodies    rigid bodies: one surface and one set of edges for all of them, whose points are moved in place
sheets          sheets: polygons in space, drawn as one surface and one set of outlines
voxels          voxels: the faces between cells and free space, in units of cells
"""

from typing import Any

from spatial_workbench.engine.core.scene import Boxes, HeightField, Mesh, Points, Polygon, Polyline, RigidBodies, Voxels
from spatial_workbench.widgets.render3d.copies import Copies
from spatial_workbench.widgets.render3d.gathering import Drawn
from spatial_workbench.widgets.render3d.items.base import ItemDrawer
from spatial_workbench.widgets.render3d.items.boxes import BoxesDrawer
from spatial_workbench.widgets.render3d.items.copies import CopiesDrawer
from spatial_workbench.widgets.render3d.items.height_field import HeightFieldDrawer
from spatial_workbench.widgets.render3d.items.mesh import MeshDrawer
from spatial_workbench.widgets.render3d.items.points import PointsDrawer
from spatial_workbench.widgets.render3d.items.polygon import PolygonDrawer
from spatial_workbench.widgets.render3d.items.polyline import PolylineDrawer
from spatial_workbench.widgets.render3d.items.rigid_bodies import RigidBodiesDrawer
from spatial_workbench.widgets.render3d.items.sheets import SheetsDrawer
from spatial_workbench.widgets.render3d.items.voxels import VoxelsDrawer
from spatial_workbench.widgets.render3d.shading import Shading
from spatial_workbench.widgets.render3d.sheets import Sheets

_DRAWERS: dict[type, type[ItemDrawer[Any]]] = {
    Boxes: BoxesDrawer,
    Copies: CopiesDrawer,
    HeightField: HeightFieldDrawer,
    Mesh: MeshDrawer,
    Points: PointsDrawer,
    Polygon: PolygonDrawer,
    Polyline: PolylineDrawer,
    RigidBodies: RigidBodiesDrawer,
    Sheets: SheetsDrawer,
    Voxels: VoxelsDrawer,
}


def drawer_for(item: Drawn, shading: Shading) -> ItemDrawer[Any] | None:
    """A drawer for this kind of item; None for labels, which are painted over the picture."""
    kind = _DRAWERS.get(type(item))
    return kind(shading) if kind else None


__all__ = ["BoxesDrawer", "ItemDrawer", "drawer_for"]
