"""Machines in files of other programs: solids, construction trees and global positions."""

import json

import numpy as np
import pytest
import trimesh

from spatial_workbench.engine.core import CannotRepresent
from spatial_workbench.engine.core.registry import resolve
from spatial_workbench.engine.exchange import format_of, formats_of, write_answer
from spatial_workbench.engine.exchange.importing import answer_in
from spatial_workbench.engine.exchange.meshes import read_bodies
from spatial_workbench.engine.machines.building.poses import boxes_of, poses_of
from spatial_workbench.engine.machines.building.spatial import placed_poses
from spatial_workbench.engine.machines.building.tree import Link, write_tree
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.physics.frames import swapped_all
from spatial_workbench.engine.tasks.machine import MachineAnswer

TASK, INSTANCE = resolve("machine_throw:1")
TREE = references()["T2"].tree
CATAPULT = MachineAnswer.of(TREE)


def written(suffix, answer=CATAPULT):
    return write_answer(TASK, INSTANCE, answer, suffix)


def rows_in(suffix):
    return json.loads(written(suffix))


def test_every_block_is_a_closed_solid_with_its_name():
    bodies = TASK.bodies(INSTANCE, CATAPULT)
    assert [body.name.split(" ", 2)[1] for body in bodies] == [str(k) for k in range(len(TREE))]
    assert bodies[0].name == "block 0 Starting Block"
    assert all(trimesh.Trimesh(body.vertices, body.triangles, process=False).is_volume for body in bodies)


def test_blocks_stand_on_the_ground_where_the_level_draws_them():
    low, high = boxes_of(TREE, poses_of(TREE))
    lift = placed_poses(TREE, poses_of(TREE))
    for body, entry in zip(TASK.bodies(INSTANCE, CATAPULT), TREE, strict=True):
        if not isinstance(entry, Link):
            middle = (body.vertices.min(axis=0) + body.vertices.max(axis=0)) / 2
            box = swapped_all((low[entry.id] + high[entry.id]) / 2 + lift)
            assert np.abs(middle - box).max() < 0.75
            assert (body.vertices.min(axis=0) > swapped_all(low[entry.id] + lift) - 1e-6).all()
            assert (body.vertices.max(axis=0) < swapped_all(high[entry.id] + lift) + 1e-6).all()


def test_linear_blocks_reach_from_face_to_face():
    brace = {"type": 7, "id": 2, "parent_a": 0, "face_id_a": 0, "parent_b": 1, "face_id_b": 0}
    log = {"type": 63, "id": 1, "parent": 0, "face_id": 0}
    answer = TASK.parse([*write_tree(TREE[:1]), log, brace])
    bar = TASK.bodies(INSTANCE, answer)[2]
    assert np.ptp(bar.vertices, axis=0) == pytest.approx((0.2, 3.0, 0.2))


@pytest.mark.parametrize("suffix", ["stl", "obj", "3mf", "glb", "gltf"])
def test_mesh_files_hold_the_machine_in_metres(suffix):
    points = np.vstack([body.vertices for body in read_bodies(written(suffix), suffix, TASK.unit_mm)])
    expected = np.vstack([body.vertices for body in TASK.bodies(INSTANCE, CATAPULT)])
    assert points.min(axis=0) == pytest.approx(expected.min(axis=0), abs=1e-3)
    assert points.max(axis=0) == pytest.approx(expected.max(axis=0), abs=1e-3)


def test_a_tree_survives_the_way_through_a_file():
    assert rows_in("tree.json") == write_tree(TREE)
    assert answer_in(TASK, INSTANCE, "tree.json", written("tree.json")) == CATAPULT


@pytest.mark.parametrize("level", sorted(references()))
def test_every_reference_machine_survives_as_global_positions(level):
    answer = MachineAnswer.of(references()[level].tree)
    again = answer_in(TASK, INSTANCE, "positions.json", written("positions.json", answer))
    boxes = [np.sort(boxes_of(tree, poses_of(tree)), axis=1) for tree in (answer.reading.tree, again.reading.tree)]
    assert np.array_equal(np.isnan(boxes[0]), np.isnan(boxes[1]))
    assert np.nan_to_num(boxes[0]) == pytest.approx(np.nan_to_num(boxes[1]))


def test_either_list_is_read_whatever_the_file_is_called():
    assert answer_in(TASK, INSTANCE, "positions.json", written("tree.json")) == CATAPULT
    assert len(answer_in(TASK, INSTANCE, "tree.json", written("positions.json")).blocks) == len(TREE)
    assert len(TASK.parse(written("positions.json")).reading.tree) == len(TREE)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            '[{"type": 0, "id": 0, "parent": -1, "face_id": -1}, {"type": 15, "id": 1, "parent": 7, "face_id": 0}]',
            "block 1",
        ),
        ('[{"type": 0, "Position": [0, 0, 0], "Rotation": [0, 0, 0, NaN]}]', "block 0"),
        ("[", "line 1: This is not JSON"),
        ("[]", "NOT_A_LIST"),
    ],
)
def test_a_file_that_is_no_machine_is_refused_with_the_place(text, reason):
    with pytest.raises(CannotRepresent, match=reason):
        answer_in(TASK, INSTANCE, "tree.json", text.encode())


@pytest.mark.parametrize("suffix", ["tree.json", "positions.json", "stl"])
def test_a_list_that_is_no_machine_is_not_written(suffix):
    with pytest.raises(CannotRepresent, match=r"block 1: .*UNKNOWN_TYPE"):
        written(suffix, TASK.parse([*write_tree(TREE[:1]), {"type": 99, "id": 1, "parent": 0, "face_id": 0}]))


def test_the_longest_suffix_of_a_name_decides_the_format():
    assert format_of(TASK, "/a.b/Catapult.Positions.JSON", reading=False) == "positions.json"
    assert format_of(TASK, "catapult.json", reading=False) is None
    assert {"tree.json", "positions.json", "bsg"} == set(formats_of(TASK, reading=True))


def test_a_machine_survives_as_a_file_of_the_game():
    assert format_of(TASK, "Catapult.BSG", reading=True) == "bsg"
    assert answer_in(TASK, INSTANCE, "bsg", written("bsg")) == CATAPULT


def test_a_file_of_the_game_that_cannot_be_read_is_refused_with_the_blocks():
    with pytest.raises(CannotRepresent, match="block 0: type 99 is not among"):
        answer_in(TASK, INSTANCE, "bsg", b'<Machine><Blocks><Block id="99"/></Blocks></Machine>')
