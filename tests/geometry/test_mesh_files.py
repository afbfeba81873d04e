"""Import of meshes: what CAD programs write is read, and what is broken is refused with a sentence."""

import io
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.mesh_files import read_mesh
from engine.geometry.stl import MeshError, write_binary_stl

OBJ = b"""# a box, with quads, normals and numbers from the end
v 0 0 0\nv 2 0 0\nv 2 3 0\nv 0 3 0\nv 0 0 4\nv 2 0 4\nv 2 3 4\nv 0 3 4\nvn 0 0 1
f 4//1 3//1 2//1 1//1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf -8 -4 -1 -5
"""
MODEL = """<?xml version="1.0"?>
<model unit="centimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>
<object id="1"><mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/>
<vertex x="0" y="0" z="1"/></vertices><triangles><triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3"/>
<triangle v1="1" v2="2" v3="3"/><triangle v1="2" v2="0" v3="3"/></triangles></mesh></object>
<object id="2"><components><component objectid="1" transform="1 0 0 0 1 0 0 0 1 5 0 0"/></components></object>
</resources><build><item objectid="2" transform="1 0 0 0 1 0 0 0 1 0 7 0"/></build></model>"""


def packed(model, name="3D/3dmodel.model"):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(name, model)
    return data.getvalue()


def volume(mesh):
    a, b, c = mesh[0][mesh[1]].transpose(1, 0, 2)
    return np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6


def test_an_obj_is_cut_into_triangles():
    mesh = read_mesh("box.OBJ", OBJ)
    assert (len(mesh[0]), len(mesh[1])) == (8, 12)
    assert volume(mesh) == pytest.approx(24)


def test_a_3mf_is_placed_and_brought_to_millimetres():
    vertices, triangles = read_mesh("part.3mf", packed(MODEL))
    assert vertices.min(axis=0).tolist() == [50, 70, 0]
    assert volume((vertices - vertices.min(axis=0), triangles)) == pytest.approx(1000 / 6)


def test_an_stl_is_read_as_ever():
    data = write_binary_stl(np.eye(4, 3), np.array([[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]))
    assert len(read_mesh("a.stl", data)[1]) == 4


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("part.step", b"x", "STL, OBJ and 3MF"),
        ("a.obj", b"", "no triangles"),
        ("a.obj", b"v 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", "not three coordinates"),
        ("a.obj", b"v 0 0 0\nf 1 2 3", "not there"),
        ("a.obj", b"v 0 0 x", "Line 1"),
        ("a.obj", b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3", "finite"),
        ("a.3mf", b"PK", "no 3MF file"),
        ("a.3mf", packed(MODEL, "other"), "no 3MF file"),
        ("a.3mf", packed("<model"), "no 3MF file"),
        ("a.3mf", packed(MODEL.replace('x="1"', 'x="one"')), "number"),
        ("a.3mf", packed(MODEL.replace('v1="0"', 'v1="9"')), "not there"),
        ("a.3mf", packed(MODEL.replace('objectid="1"', 'objectid="2"')), "nested too deeply"),
        ("a.3mf", packed(MODEL.replace('objectid="1"', 'objectid="7"')), "does not hold"),
    ],
)
def test_what_is_broken_is_refused_with_a_sentence(name, data, words):
    with pytest.raises(MeshError, match=words):
        read_mesh(name, data)


@given(st.sampled_from(["a.obj", "a.3mf", "a.stl"]), st.binary(max_size=200))
def test_no_bytes_do_anything_but_read_or_be_refused(name, data):
    try:
        vertices, _ = read_mesh(name, data)
    except MeshError:
        return
    assert np.isfinite(vertices).all()
