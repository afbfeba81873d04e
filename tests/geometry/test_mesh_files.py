"""Import of meshes: what CAD programs write is read, and what is broken is refused with a sentence."""

import base64
import io
import json
import zipfile

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.geometry import threemf
from spatial_workbench.engine.geometry.mesh_files import read_mesh, read_meshes
from spatial_workbench.engine.geometry.mesh_limits import MAX_NESTING, MeshError
from spatial_workbench.engine.geometry.nesting import NestedTooDeeply, expanded_size
from spatial_workbench.engine.geometry.stl import write_binary_stl, write_stl

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


STL = write_stl(np.eye(4, 3), np.array([[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])).encode()


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
        ("part.step", b"x", r"can be read from \.stl, \.obj, \.3mf"),
        ("a.obj", b"", "no triangles"),
        ("a.obj", b"v 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", "not three coordinates"),
        ("a.obj", b"v 0 0 0\nf 1 2 3", "not there"),
        ("a.obj", b"v 0 0 x", "Line 1"),
        ("a.obj", b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3", "finite"),
        ("a.3mf", b"PK", "not a 3MF file"),
        ("a.3mf", packed(MODEL, "other"), "not a 3MF file"),
        ("a.3mf", packed("<model"), "not a 3MF file"),
        ("a.3mf", packed(MODEL.replace('x="1"', 'x="one"')), "number"),
        ("a.3mf", packed(MODEL.replace('v1="0"', 'v1="9"')), "not there"),
        ("a.3mf", packed(MODEL.replace('objectid="1"', 'objectid="2"')), "nested too deeply"),
        ("a.3mf", packed(MODEL.replace('objectid="1"', 'objectid="7"')), "does not hold"),
    ],
)
def test_what_is_broken_is_refused_with_a_sentence(name, data, words):
    with pytest.raises(MeshError, match=words):
        read_mesh(name, data)


@given(st.sampled_from(["a.obj", "a.3mf", "a.stl", "a.glb", "a.gltf"]), st.binary(max_size=200))
def test_no_bytes_do_anything_but_read_or_be_refused(name, data):
    try:
        vertices, _ = read_mesh(name, data)
    except MeshError:
        return
    assert np.isfinite(vertices).all()


def doubling(levels):
    """A 3MF whose objects each hold the one before twice."""
    objects = "".join(
        f'<object id="{k + 2}"><components><component objectid="{k + 1}"/><component objectid="{k + 1}"/>'
        "</components></object>"
        for k in range(1, levels + 1)
    )
    model = MODEL.replace("</resources>", f"{objects}</resources>")
    return packed(model.replace('item objectid="2"', f'item objectid="{levels + 2}"'))


@pytest.mark.parametrize(("levels", "words"), [(15, "more than 50,000 placed"), (40, "nested too deeply")])
def test_components_that_double_are_counted_before_they_are_built(levels, words):
    with pytest.raises(MeshError, match=words):
        read_mesh("a.3mf", doubling(levels))


def test_parts_are_placed_as_often_as_they_are_named():
    assert expanded_size(["wall"], {"wall": ["brick", "brick"], "brick": []}.__getitem__, len) == 4 + 2 * 5
    chain = {k: [k + 1] for k in range(MAX_NESTING)} | {MAX_NESTING: []}
    assert expanded_size([0], chain.__getitem__, lambda key: 1) == MAX_NESTING + 1
    with pytest.raises(NestedTooDeeply):
        expanded_size([MAX_NESTING, 0], (chain | {MAX_NESTING: [-1], -1: []}).__getitem__, lambda key: 1)


def test_a_3mf_that_unpacks_to_too_much_is_given_up_while_it_is_read(monkeypatch):
    monkeypatch.setattr(threemf, "MAX_UNPACKED_BYTES", 100_000)
    with pytest.raises(MeshError, match="unpacks to more than"):
        read_mesh("a.3mf", packed(MODEL + " " * 200_000))


def test_a_3mf_with_too_many_triangles_is_given_up_while_it_is_read(monkeypatch):
    monkeypatch.setitem(threemf._LIMITS, "triangle", 3)
    with pytest.raises(MeshError, match="more than 3 of the elements “triangle”"):
        read_mesh("a.3mf", packed(MODEL))


@pytest.mark.parametrize("unit", ["micron", "inch", "foot", "meter"])
def test_a_3mf_is_read_in_the_unit_that_it_states(unit):
    vertices, _ = read_mesh("a.3mf", packed(MODEL.replace("centimeter", unit)))
    assert vertices.min(axis=0) == pytest.approx([5 * threemf.UNITS_MM[unit], 7 * threemf.UNITS_MM[unit], 0])


def test_a_unit_that_3mf_does_not_know_is_refused():
    with pytest.raises(MeshError, match="“cubit”; 3MF knows micron"):
        read_mesh("a.3mf", packed(MODEL.replace("centimeter", "cubit")))


def test_objects_in_other_models_of_a_3mf_are_read():
    other = MODEL.replace('id="1"', 'id="9"')
    main = MODEL.replace('component objectid="1"', 'component p:path="/3D/other.model" objectid="9"')
    data = io.BytesIO(packed(main.replace("xmlns=", 'xmlns:p="production" xmlns=')))
    with zipfile.ZipFile(data, "a") as archive:
        archive.writestr("3D/other.model", other)
    assert len(read_mesh("a.3mf", data.getvalue())[1]) == 4


def test_groups_of_an_obj_are_bodies_where_there_are_no_objects():
    meshes = read_meshes("obj", OBJ.replace(b"f 5 6 7 8", b"g lid\nf 5 6 7 8")).meshes
    assert [(mesh.name, len(mesh.triangles)) for mesh in meshes] == [("solid", 2), ("lid", 10)]


def gltf(**changes):
    """A glTF of one triangle, text."""
    content = base64.b64encode(np.eye(3, dtype="<f4").tobytes()).decode()
    tree = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"uri": f"data:application/octet-stream;base64,{content}", "byteLength": 36}],
    }
    return json.dumps(tree | changes).encode()


def test_a_gltf_is_read_in_metres_with_y_up():
    file = read_meshes("gltf", gltf())
    assert file.unit_mm == 1000
    assert np.allclose(file.meshes[0].vertices, [[1, 0, 0], [0, 0, 1], [0, -1, 0]])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"nodes": [{"mesh": 0, "children": [0]}]}, "hold themselves"),
        ({"nodes": [{"mesh": 0}, {"children": [2]}, {"children": [1]}]}, "hold themselves"),
        ({"nodes": [{"children": [k + 1] * 2} for k in range(16)] + [{"mesh": 0}]}, "more than 5,000 bodies"),
        ({"nodes": [{"children": [k + 1]} for k in range(99)] + [{"mesh": 0}]}, "nested too deeply"),
        ({"nodes": [{"mesh": 0}] * 6000, "scenes": [{"nodes": list(range(6000))}]}, "more than 5,000 bodies"),
        ({"accessors": [{"componentType": 5126, "count": 10**9, "type": "VEC3"}]}, "rows of data"),
        ({"accessors": [{"componentType": 5126, "count": "3", "type": "VEC3"}]}, "not a number"),
        ({"buffers": [{"uri": "/etc/passwd", "byteLength": 36}]}, "names other files"),
        ({"nodes": [{"mesh": 7}]}, "broken"),
        ({"nodes": [{"children": ["a"]}]}, "not there"),
        ({"meshes": [{"primitives": [{"attributes": {}}]}]}, "broken"),
        ({"nodes": 5}, "broken"),
    ],
)
def test_a_gltf_that_is_broken_or_too_much_is_refused(changes, words):
    with pytest.raises(MeshError, match=words):
        read_meshes("gltf", gltf(**changes))


@pytest.mark.slow
def test_an_stl_of_450_000_triangles_is_read():
    corners = np.arange(900_000).reshape(-1, 3) % 1000
    vertices = np.column_stack([np.arange(1000), np.arange(1000) % 7, np.arange(1000) % 11]).astype(float)
    data = write_binary_stl(vertices, np.vstack([corners, corners[:150_000]]))
    assert len(data) > 20_000_000
    assert len(read_mesh("a.stl", data)[0]) == 1000


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cut.stl", STL[:-40]),
        ("broken.stl", STL.replace(b"endloop", b"endlop", 1)),
        ("short.obj", b"v 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3"),
        ("vertex.3mf", packed(MODEL.replace('v1="0"', 'v1="9"'))),
        ("doubling.3mf", doubling(15)),
    ],
)
def test_what_trimesh_reads_without_a_word_is_refused(name, data):
    trimesh.load_scene(io.BytesIO(data), file_type=name.rpartition(".")[2], process=False)
    with pytest.raises(MeshError):
        read_mesh(name, data)
