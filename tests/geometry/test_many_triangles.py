"""Meshes of very many triangles are read in time, whatever their shape, or refused in a sentence."""

import numpy as np
import pytest

from spatial_workbench.engine.core import Body
from spatial_workbench.engine.geometry import pieces
from spatial_workbench.engine.geometry.mesh_limits import MAX_BODIES, MeshError
from spatial_workbench.engine.geometry.welding import weld


def separate(count):
    """A body of triangles that share nothing."""
    corners = np.random.default_rng(0).uniform(-50, 50, (3 * count, 3))
    return Body("soup", corners, np.arange(3 * count).reshape(-1, 3))


def test_a_mesh_of_too_many_pieces_is_refused_before_they_are_made():
    with pytest.raises(MeshError, match="falls into 5,001 pieces"):
        pieces.apart(separate(MAX_BODIES + 1))


def test_pieces_keep_their_triangles_in_order():
    body = separate(200)
    assert np.array_equal(
        np.vstack([piece.vertices[piece.triangles[0]] for piece in pieces.apart(body)]), body.vertices
    )


def test_a_hundred_thousand_corners_in_nearly_one_place_are_refused_at_once():
    corners = np.random.default_rng(0).normal(0, 1e-5, (100_000, 3))
    with pytest.raises(MeshError, match="pairs of corners are closer together"):
        weld(corners, np.arange(99_999).reshape(-1, 3), 1e-4)
