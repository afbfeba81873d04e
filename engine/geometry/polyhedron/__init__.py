"""Polyhedra with polygonal faces: measures, edges and crossings, triangles to faces and back, modelling.

crossing     where faces of a polyhedron cross
edges        edges of polyhedra (open, crowded, or used twice in one direction), and shells and how they are nested
faces        polygonal faces in space: normals, planes, triangles, volume
modelling    modelling with polygonal faces: pure functions that return a new body
planar       from triangles to the fewest planar faces: welds vertices, merges coplanar triangles
"""

from spatial_workbench.engine.geometry.polyhedron.crossing import Crossing, crossings, touching_distance
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
    "touching_distance",
    "triangles_of",
    "unit",
    "winding_numbers",
]
