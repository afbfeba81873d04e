"""Answers as files of other programs, there and back; and what cannot be represented."""

import io
import zipfile

import numpy as np
import pytest

from spatial_workbench.engine.core import Body, Cancelled, CannotRepresent
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.exchange import formats_of, read_answer, write_answer
from spatial_workbench.engine.exchange.apart import read_apart
from spatial_workbench.engine.exchange.importing import answer_in
from spatial_workbench.engine.exchange.meshes import read_bodies, write_bodies
from spatial_workbench.engine.geometry.pieces import apart
from spatial_workbench.engine.tasks.pack_prisms import Packing

LEGO, PACK, PRIME = (task_of(name) for name in ("lego_hemisphere", "pack_prisms", "printable_prime"))
SEPARATE = ("obj", "3mf", "glb", "gltf")
"""Formats that keep bodies apart."""


def there_and_back(task, instance, answer, suffix):
    return answer_in(task, instance, suffix, write_answer(task, instance, answer, suffix))


def first(task):
    return task.instances()[0]


@pytest.mark.parametrize("suffix", SEPARATE)
def test_a_packing_survives_the_way_through_a_file(suffix):
    answer = PACK.solve(PACK.instances()[3])
    assert there_and_back(PACK, PACK.instances()[3], answer, suffix) == answer


def test_touching_boxes_in_an_stl_are_refused_with_advice():
    with pytest.raises(CannotRepresent, match="use OBJ, 3MF or glTF"):
        there_and_back(PACK, first(PACK), PACK.solve(first(PACK)), "stl")


def test_boxes_with_fractions_are_refused():
    body = Body.box("half", np.zeros(3), np.array([1.5, 2, 3]))
    with pytest.raises(CannotRepresent, match="not whole numbers"):
        PACK.from_bodies(first(PACK), [body])


def test_a_body_that_is_no_box_is_refused_by_name():
    body = Body("wedge", np.array([[0, 0, 0], [2, 0, 0], [0, 2, 0], [1, 1, 3.0]]), np.array([[0, 2, 1], [0, 1, 3]]))
    with pytest.raises(CannotRepresent, match="“wedge” is not a box"):
        PACK.from_bodies(first(PACK), [body])


@pytest.mark.parametrize("suffix", ["ldr", "mpd"])
@pytest.mark.parametrize("number", [0, 1])
def test_bricks_survive_the_way_through_ldraw(suffix, number):
    answer = LEGO.solve(LEGO.instances()[number])
    again = there_and_back(LEGO, LEGO.instances()[number], answer, suffix)
    assert len(again.bricks) == len(answer.bricks)
    for brick, reread in zip(answer.bricks, again.bricks, strict=True):
        assert reread.Centroid == pytest.approx(brick.Centroid, abs=1e-4)
        assert reread.RotationDegrees == pytest.approx(brick.RotationDegrees % 360, abs=1e-4)


def test_a_brick_of_ldraw_is_80_units_long_and_24_high():
    line = "1 4 0 -24 0 1 0 0 0 1 0 0 0 1 3001.dat"
    brick = answer_in(LEGO, first(LEGO), "ldr", line.encode()).bricks[0]
    assert brick.Centroid == pytest.approx((0, 0, 4.8))
    turned = "1 4 100 -48 20 0 0 1 0 1 0 -1 0 0 3001.DAT"
    other = answer_in(LEGO, first(LEGO), "ldr", turned.encode()).bricks[0]
    assert other.Centroid == pytest.approx((40, 8, 14.4))
    assert other.RotationDegrees in (90, 270)


def test_a_submodel_is_put_in_its_place():
    text = """0 FILE main.ldr
1 16 0 0 0 1 0 0 0 1 0 0 0 1 wall.ldr
1 16 0 -24 0 1 0 0 0 1 0 0 0 1 wall.ldr
0 FILE wall.ldr
1 4 0 -24 0 1 0 0 0 1 0 0 0 1 3001.dat
1 4 80 -24 0 1 0 0 0 1 0 0 0 1 3001.dat
"""
    bricks = answer_in(LEGO, first(LEGO), "mpd", text.encode()).bricks
    assert sorted(brick.Centroid for brick in bricks) == [(0, 0, 4.8), (0, 0, 14.4), (32, 0, 4.8), (32, 0, 14.4)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 4 0 0 0 1 0 0 0 1 0 0 0 1 3003.dat", "Line 1 places the part 3003.dat"),
        ("0 hello\n1 4 0 0 0 1 0 0 0 0 -1 0 1 0 3001.dat", "Line 2 places a brick that is tipped"),
        ("1 4 0 0 0 2 0 0 0 1 0 0 0 1 3001.dat", "tipped, scaled or mirrored"),
        ("1 4 0 0 0 -1 0 0 0 1 0 0 0 1 3001.dat", "mirrored"),
        ("1 4 0 0 zero 1 0 0 0 1 0 0 0 1 3001.dat", "Line 1 is not a complete reference"),
        ("1 4 0 0 nan 1 0 0 0 1 0 0 0 1 3001.dat", "Line 1 is not a complete reference"),
        ("1 4 0 0 0 1 0 0", "Line 1 is not a complete reference"),
        ("3 4 0 0 0 1 1 1 2 2 2", "draws a line or a face"),
        ("0 FILE a.ldr\n1 4 0 0 0 1 0 0 0 1 0 0 0 1 a.ldr", "hold each other"),
        ("", "no 2 x 4 brick"),
        ("\x00\xff", "no 2 x 4 brick"),
    ],
)
def test_what_ldraw_holds_beyond_upright_bricks_is_refused_by_line(text, reason):
    with pytest.raises(CannotRepresent, match=reason):
        answer_in(LEGO, first(LEGO), "ldr", text.encode("utf-8"))


@pytest.mark.parametrize("task", [LEGO, PRIME])
@pytest.mark.parametrize("suffix", ["stl", *SEPARATE])
def test_solids_are_written_with_their_size(task, suffix):
    instance = first(task)
    answer = task.solve(instance)
    bodies = read_bodies(write_answer(task, instance, answer, suffix), suffix, task.unit_mm)
    points = np.vstack([body.vertices for body in bodies])
    expected = np.vstack([body.vertices for body in task.bodies(instance, answer)])
    assert points.min(axis=0) == pytest.approx(expected.min(axis=0), abs=1e-3)
    assert points.max(axis=0) == pytest.approx(expected.max(axis=0), abs=1e-3)


@pytest.mark.parametrize("suffix", SEPARATE)
def test_names_and_orientation_of_faces_are_kept(suffix):
    boxes = [Body.box("a", np.zeros(3), np.ones(3)), Body.box("b", np.ones(3), np.array([2.0, 3, 4]))]
    again = read_bodies(write_bodies(boxes, suffix, 10.0), suffix, 10.0)
    volumes = [np.sum(np.linalg.det(body.vertices[body.triangles])) / 6 for body in again]
    assert volumes == pytest.approx([1, 6])


def test_lengths_in_files_that_state_a_unit_are_millimetres_or_metres():
    box = [Body.box("a", np.zeros(3), np.ones(3))]
    as_mm = read_bodies(write_bodies(box, "3mf", 10.0), "3mf", 1.0)
    assert np.ptp(as_mm[0].vertices, axis=0) == pytest.approx([10, 10, 10])
    in_metres = read_bodies(write_bodies(box, "glb", 10.0), "glb", 1000.0)
    assert np.ptp(in_metres[0].vertices, axis=0) == pytest.approx([0.01, 0.01, 0.01])


def test_pieces_that_share_no_edge_are_told_apart():
    boxes = [Body.box("a", np.zeros(3), np.ones(3)), Body.box("b", np.full(3, 5.0), np.full(3, 6.0))]
    joined = read_bodies(write_bodies(boxes, "stl", 1.0), "stl", 1.0)[0]
    assert len(apart(joined)) == 2


@pytest.mark.parametrize("suffix", ["stl", *SEPARATE])
@pytest.mark.parametrize(
    "data", [b"", b"junk", b"\x00" * 500, b"solid x\nfacet", b"v 1 2 nan\nf 1 2 3", b"PK\x03\x04rest"]
)
def test_broken_files_are_refused_with_a_sentence(suffix, data):
    with pytest.raises(CannotRepresent):
        answer_in(PACK, first(PACK), suffix, data)


def test_a_format_that_a_task_does_not_know_is_refused():
    with pytest.raises(CannotRepresent, match=r"read from \.ldr, \.mpd, not \.stl"):
        read_answer(LEGO, first(LEGO), "a.stl", b"")
    with pytest.raises(CannotRepresent, match="no files of other programs"):
        write_answer(task_of("shikaku"), first(task_of("shikaku")), None, "stl")


def test_an_empty_answer_has_nothing_to_write():
    with pytest.raises(CannotRepresent, match="nothing solid"):
        write_answer(PACK, first(PACK), Packing(boxes=()), "stl")


@pytest.mark.parametrize("suffix", ["stl", *SEPARATE])
@pytest.mark.parametrize("number", [4, 16, 21])
def test_a_polyhedron_survives_the_way_through_a_file(suffix, number):
    task = task_of("csg_union")
    instance = task.instances()[number]
    assert task.verify(instance, there_and_back(task, instance, task.solve(instance), suffix)).passed


@pytest.mark.parametrize("suffix", SEPARATE)
def test_tetrahedra_survive_the_way_through_a_file(suffix):
    task = task_of("tetrahedra_shadow")
    answer = task.solve(first(task))
    again = there_and_back(task, first(task), answer, suffix)
    assert len(again.tetrahedrons) == len(answer.tetrahedrons)
    assert task.verify(first(task), again).score == pytest.approx(task.verify(first(task), answer).score, abs=1e-3)


def test_a_body_that_is_no_unit_tetrahedron_is_refused():
    task = task_of("tetrahedra_shadow")
    body = Body.box("cube", np.zeros(3), np.ones(3))
    with pytest.raises(CannotRepresent, match="not a regular tetrahedron"):
        task.from_bodies(first(task), [body])


def test_voxels_are_written_as_cubes():
    task = task_of("voxel_projection")
    bodies = read_bodies(write_answer(task, first(task), task.solve(first(task)), "3mf"), "3mf", task.unit_mm)
    assert {round(float(np.ptp(body.vertices))) for body in bodies} <= set(range(1, 10))
    assert len(bodies) == first(task).parameters["count"]


@pytest.mark.slow
def test_the_cage_survives_the_way_through_a_file():
    task = task_of("interlocking_parts")
    answer = task.solve(first(task))
    again = there_and_back(task, first(task), answer, "3mf")
    assert len(again.parts) == len(answer.parts)
    assert task.verify(task.instances()[5], again).passed


def test_the_formats_of_a_task_are_listed():
    assert set(formats_of(LEGO, reading=True)) == {"ldr", "mpd"}
    assert {"ldr", "stl", "glb"} <= set(formats_of(LEGO, reading=False))
    assert formats_of(task_of("shikaku"), reading=True) == {}


@pytest.mark.slow
def test_a_file_is_read_in_a_process_of_its_own():
    answer = PACK.solve(first(PACK))
    assert read_answer(PACK, first(PACK), "boxes.3MF", write_answer(PACK, first(PACK), answer, "3mf")) == answer


def test_what_that_process_refuses_is_said():
    with pytest.raises(CannotRepresent, match="not a zip archive"):
        read_answer(PACK, first(PACK), "boxes.3mf", b"junk")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limits", "words"), [({"time_limit_s": 0.01}, "longer than"), ({"memory_limit_mb": 1}, "of memory")]
)
def test_reading_is_given_up_at_its_limits(limits, words):
    with pytest.raises(CannotRepresent, match=words):
        read_apart("tests.exchange.readers:greedy", b"", allowed=("tests.",), **limits)


def test_reading_can_be_cancelled():
    def stop(done, total, text=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        read_apart("tests.exchange.readers:endless", b"", stop, allowed=("tests.",))


def test_a_box_in_inches_is_the_box_in_millimetres():
    data = write_answer(PACK, first(PACK), PACK.solve(first(PACK)), "3mf")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        model = archive.read("3D/3dmodel.model").replace(b'unit="millimeter"', b'unit="inch"')
    inches = io.BytesIO()
    with zipfile.ZipFile(inches, "w") as archive:
        archive.writestr("3D/3dmodel.model", model)
    in_mm = np.ptp(np.vstack([body.vertices for body in read_bodies(data, "3mf", 1.0)]), axis=0)
    in_inches = np.ptp(np.vstack([body.vertices for body in read_bodies(inches.getvalue(), "3mf", 1.0)]), axis=0)
    assert in_inches == pytest.approx(25.4 * in_mm)


@pytest.mark.parametrize(("levels", "words"), [(15, "at most 5,000 bricks"), (30, "nested too deeply")])
def test_submodels_that_double_are_counted_before_they_are_built(levels, words):
    place = "1 16 0 0 0 1 0 0 0 1 0 0 0 1"
    models = [f"0 FILE {k}.ldr\n{place} {k + 1}.ldr\n{place} {k + 1}.ldr" for k in range(levels)]
    text = "\n".join([*models, f"0 FILE {levels}.ldr", f"{place} 3001.dat"])
    with pytest.raises(CannotRepresent, match=words):
        answer_in(LEGO, first(LEGO), "mpd", text.encode())
