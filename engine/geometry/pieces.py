"""The pieces of a triangle mesh."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.core import Body


def apart(body: Body) -> list[Body]:
    """The pieces of a body that share no edge, to separate solids that were written into one STL file."""
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
    return [_piece(body, labels == k, k) for k in range(pieces)]


def _piece(body: Body, mine: Any, k: int) -> Body:
    used, index = np.unique(body.triangles[mine], return_inverse=True)
    return Body(f"{body.name} {k}", body.vertices[used], index.reshape(-1, 3))
