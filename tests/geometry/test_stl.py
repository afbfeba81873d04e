"""Bounded reading of STL: what is written reads back, and no file of a stranger does harm."""

import struct

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spatial_workbench.engine.geometry import stl
from spatial_workbench.engine.geometry.stl import MeshError, read_stl, write_binary_stl, write_stl

TETRAHEDRON = np.array([[0, 0, 0], [10, 0, 0], [0, 10, 0], [0, 0, 10]], float)
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
TEXT = write_stl(TETRAHEDRON, FACES)
BINARY = write_binary_stl(TETRAHEDRON, FACES)

coordinates = st.floats(-1000, 1000, allow_nan=False, width=32)


def corners(mesh):
    vertices, triangles = mesh
    return {tuple(map(tuple, np.round(vertices[row], 4).tolist())) for row in triangles}


@pytest.mark.parametrize("data", [TEXT.encode(), BINARY, TEXT.upper().encode(), TEXT.replace("\n", "\r\n").encode()])
def test_both_forms_read_back_with_welded_corners(data):
    vertices, triangles = read_stl(data)
    assert len(vertices) == 4
    assert corners((vertices, triangles)) == corners((TETRAHEDRON, FACES))


def test_binary_that_begins_with_solid_is_binary():
    assert len(read_stl(b"solid" + BINARY[5:])[1]) == 4


def test_vertices_closer_than_a_ten_thousandth_are_one_wherever_they_lie():
    moved = TETRAHEDRON[FACES] + np.array([0.00005, 0, 0])
    moved[1] += 4e-5
    assert len(stl.weld_corners(moved)[0]) == 4


def test_a_triangle_thinner_than_the_weld_is_left_out():
    thin = np.concatenate([TETRAHEDRON[FACES], [[[0, 0, 0], [5e-5, 0, 0], [0, 10, 0]]]])
    assert len(stl.weld_corners(thin)[1]) == 4


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"solid\nendsolid\n", "no triangles"),
        (b"something else", "neither STL text"),
        (TEXT[:-40].encode(), "cut off"),
        (TEXT.replace("endloop", "endlop", 1).encode(), "Facet 0"),
        (TEXT.replace("vertex 10", "vertex nan", 1).encode(), "not a finite number"),
        (TEXT.replace("vertex 10", "vertex ten", 1).encode(), "not a number"),
        (TEXT.replace("vertex 10", "vertex 1e30", 1).encode(), "finite number of millimetres"),
        (BINARY[:-1], "announces 4 triangles and has room for 3"),
        (BINARY[:80] + struct.pack("<I", 9) + BINARY[84:], "announces 9"),
        (BINARY[:96] + struct.pack("<f", float("nan")) + BINARY[100:], "finite"),
    ],
)
def test_what_is_broken_is_refused_with_a_sentence(data, words):
    with pytest.raises(MeshError, match=words):
        read_stl(data)


def test_files_that_are_too_large_are_refused_before_they_are_parsed(monkeypatch):
    monkeypatch.setattr(stl, "MAX_FILE_BYTES", 100)
    with pytest.raises(MeshError, match="the limit is"):
        read_stl(TEXT.encode())
    monkeypatch.setattr(stl, "MAX_FILE_BYTES", 10_000)
    monkeypatch.setattr(stl, "MAX_TRIANGLES", 3)
    with pytest.raises(MeshError, match="4 triangles; the limit is 3"):
        read_stl(BINARY)


@pytest.mark.slow
@given(st.lists(st.tuples(coordinates, coordinates, coordinates), min_size=3, max_size=12, unique=True))
@example([(0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 9.999999747378752e-05, 1.1920928955078125e-07)])
def test_any_triangles_survive_both_ways_of_writing(points):
    points = np.array(points, float)
    triangles = np.array([[i, i + 1, i + 2] for i in range(len(points) - 2)])
    text = write_stl(points, triangles).encode()
    binary = write_binary_stl(points, triangles)
    # Text holds six decimals; what lies at the limit of welding may fall on its other side by that.
    for data, held in ((text, np.round(points, 6)), (binary, points)):
        expected = stl.weld_corners(held[triangles])
        readback = read_stl(data)
        assert len(readback[1]) == len(expected[1])


@given(st.binary(max_size=400) | st.text(max_size=200).map(lambda text: b"solid " + text.encode()))
def test_no_bytes_do_anything_but_read_or_be_refused(data):
    try:
        vertices, triangles = read_stl(data)
    except MeshError:
        return
    assert np.isfinite(vertices).all()
    assert triangles.max(initial=-1) < len(vertices)


@given(st.integers(0, len(TEXT) - 1), st.sampled_from(["", " ", "x", "-", "\n", "solid", "endfacet", "1e999"]))
def test_a_flaw_anywhere_in_the_text_does_no_harm(place, flaw):
    try:
        vertices, _ = read_stl((TEXT[:place] + flaw + TEXT[place + 1 :]).encode())
    except MeshError:
        return
    assert np.isfinite(vertices).all()
