"""The pieces of a triangle mesh."""

from __future__ import annotations

import numpy as np

from spatial_workbench.engine.core import Body
from spatial_workbench.engine.core.scene import Ints
from spatial_workbench.engine.geometry.mesh_limits import MAX_BODIES, MeshError


def apart(body: Body) -> list[Body]:
    """The pieces of a body that share no edge, to separate solids that were written into one STL file.

    Raises:
        MeshError: There are more than MAX_BODIES.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    edges = np.sort(np.vstack([body.triangles[:, pair] for pair in ([0, 1], [1, 2], [2, 0])]), axis=1)
    owner = np.tile(np.arange(len(body.triangles)), 3)
    _, group = np.unique(edges, axis=0, return_inverse=True)
    order = np.argsort(group.reshape(-1), kind="stable")
    same = group.reshape(-1)[order][1:] == group.reshape(-1)[order][:-1]
    first, second = owner[order][:-1][same], owner[order][1:][same]
    links = coo_array((np.ones(len(first)), (first, second)), shape=(len(body.triangles),) * 2)
    pieces, labels = connected_components(links, directed=False)
    if pieces > MAX_BODIES:
        raise MeshError(f"The mesh falls into {pieces:,} pieces; the limit is {MAX_BODIES:,}")
    by_piece = np.argsort(labels, kind="stable")
    borders = np.cumsum(np.bincount(labels, minlength=pieces))[:-1]
    return [_piece(body, mine, k) for k, mine in enumerate(np.split(by_piece, borders))]


def _piece(body: Body, mine: Ints, k: int) -> Body:
    """The piece of the triangles with these indices."""
    used, index = np.unique(body.triangles[mine], return_inverse=True)
    return Body(f"{body.name} {k}", body.vertices[used], index.reshape(-1, 3))
