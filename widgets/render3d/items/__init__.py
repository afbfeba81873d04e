"""A drawer for each kind of item."""

from typing import Any

from spatial_workbench.engine.core.scene import Boxes, HeightField, Mesh, Points, Polygon, Polyline, RigidBodies, Voxels
from spatial_workbench.widgets.render3d.copies import Copies
from spatial_workbench.widgets.render3d.gathering import Drawn
from spatial_workbench.widgets.render3d.items.base import Drawer
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

_DRAWERS: dict[type, type[Drawer[Any]]] = {
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


def drawer_for(item: Drawn, shading: Shading) -> Drawer[Any] | None:
    """A drawer for this kind of item; None for labels, which are painted over the picture."""
    kind = _DRAWERS.get(type(item))
    return kind(shading) if kind else None


__all__ = ["BoxesDrawer", "Drawer", "drawer_for"]
