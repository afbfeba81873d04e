"""Polyhedra with polygonal faces: measures, edges and crossings, triangles to faces and back, modelling."""

from spatial_workbench.engine.geometry.polyhedron.crossing import Crossing, crossings
from spatial_workbench.engine.geometry.polyhedron.edges import Edge, EdgeTable, Shell, shells_of, winding_numbers
from spatial_workbench.engine.geometry.polyhedron.faces import (
    Face,
    Faces,
    area,
    deviation,
    fan_volumes,
    flattened,
    loop_arrays,
    newell,
    normals_of,
    signed_volume,
    triangles_of,
    unit,
)
from spatial_workbench.engine.geometry.polyhedron.planar import (
    FLAT,
    WELD,
    cut_open,
    is_straight,
    planar_faces,
    planar_regions,
)

__all__ = [
    "FLAT",
    "WELD",
    "Crossing",
    "Edge",
    "EdgeTable",
    "Face",
    "Faces",
    "Shell",
    "area",
    "crossings",
    "cut_open",
    "deviation",
    "fan_volumes",
    "flattened",
    "is_straight",
    "loop_arrays",
    "newell",
    "normals_of",
    "planar_faces",
    "planar_regions",
    "shells_of",
    "signed_volume",
    "triangles_of",
    "unit",
    "winding_numbers",
]
