"""Commands of machines: what each does to the blocks, what a simulation tells, and what wrong arguments are told."""

import json
from itertools import pairwise

import numpy as np
import pytest

from spatial_workbench.engine.core import AnswerError, Instance, State, resolve, task
from spatial_workbench.engine.core.acting.commands import commands_of, questions_of
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.hands.episode import Episode
from spatial_workbench.engine.machines.building.poses import faces_of, poses_of
from spatial_workbench.engine.machines.building.tree import Link, MachineBlock
from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.levels.level import write_level
from spatial_workbench.engine.machines.levels.level_files import read_level_file
from spatial_workbench.engine.physics.machine_results import simulated
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly
from spatial_workbench.engine.tasks.machine.playback import played
from tests.machines.levels.test_level_files import PLAIN
from tests.sweeps import some
from tests.tasks.acting import after

TASK, FIRST = resolve("machine_movement:0")
KINDS = ("machine_movement", "machine_throw", "machine_delivery", "machine_pick")
ROD, BRACE, BEAM, SMALL = 41, 7, 63, 15
TWO_RODS = (("add", {"type": ROD, "parent": 0, "face_id": 0}), ("add", {"type": ROD, "parent": 0, "face_id": 1}))
LEVELS = [(kind, number) for kind in KINDS for number in range(len(task(kind).instances()))]


def blocks(answer):
    return [tuple(row.values()) for row in answer.blocks]


def calls_to(answer):
    """Calls that add the blocks of a machine one by one."""
    for entry in answer.reading.tree[1:]:
        if isinstance(entry, Link):
            first = {"type": entry.type, "parent": entry.parent_a, "face_id": entry.face_a}
            yield "add", {**first, "parent_b": entry.parent_b, "face_id_b": entry.face_b}
        else:
            yield "add", {"type": entry.type, "parent": entry.parent, "face_id": entry.face}


@pytest.mark.parametrize(("kind", "number"), some(LEVELS))
def test_the_reference_machine_is_reached_block_by_block(kind, number):
    judge = task(kind)
    instance = judge.instances()[number]
    reference = judge.solve(instance)
    assert after(judge, instance, *calls_to(reference)).blocks == reference.blocks


def faces_by_way():
    """The faces of the starting block and of a small block that looks each way, by the way that they look."""
    root = (MachineBlock(0, 0, -1, -1),)
    ways = {face.facing: face.face for face in faces_of(root, poses_of(root))}
    trees = {way: (*root, MachineBlock(SMALL, 1, 0, face)) for way, face in ways.items()}
    looks = {
        way: {face.facing: face.face for face in faces_of(tree, poses_of(tree)) if face.block}
        for way, tree in trees.items()
    }
    return looks | {"": ways}


def raft(count):
    """Calls that build a plate of 17 x 17 small blocks, each with more on top, until there are as many as `count`."""
    faces = faces_by_way()
    looks = {0: ""}
    calls = []

    def row(start, way, length):
        places = [start, *range(len(calls) + 1, len(calls) + 1 + length)]
        for parent, block in pairwise(places):
            calls.append(("add", {"type": SMALL, "parent": parent, "face_id": faces[looks[parent]][way]}))
            looks[block] = way
        return places[1:]

    middle = [0, *row(0, "x+", 8), *row(0, "x-", 8)]
    plate = [*middle, *(block for start in middle for way in ("z+", "z-") for block in row(start, way, 8))]
    for start in plate:
        row(start, "y+", 3)
    return calls[: count - 1]


@pytest.mark.slow
def test_a_machine_of_1000_blocks_is_built_by_calls_and_simulated_and_judged():
    answer = after(TASK, FIRST, *raft(1000))
    verdict = TASK.verify(FIRST, answer)
    states = {check.name: check.state for check in verdict.checks}
    assert len(answer.blocks) == 1000
    assert states["the simulation runs to its end"] is State.PASSED
    trace = simulated(answer.reading.tree, level_of("M1"))
    assert trace.positions.shape == (181, 1000, 3)
    assert np.isfinite(trace.positions).all()
    replay = played(level_of("M1"), answer.reading.tree, trace, shows_loads=True)
    assert len(replay.frames) == 181
    assert replay.frames[180]


def test_a_block_hangs_on_the_face_that_was_named():
    assert blocks(after(TASK, FIRST, *TWO_RODS)) == [(0, 0, -1, -1), (ROD, 1, 0, 0), (ROD, 2, 0, 1)]


def test_a_linear_block_goes_from_face_to_face():
    brace = ("add", {"type": BRACE, "parent": 1, "face_id": 0, "parent_b": 2, "face_id_b": 0})
    assert blocks(after(TASK, FIRST, *TWO_RODS, brace))[-1] == (BRACE, 3, 1, 0, 2, 0)


def test_ids_of_later_blocks_become_smaller_when_one_is_removed():
    assert blocks(after(TASK, FIRST, *TWO_RODS, ("remove", {"block": 1}))) == [(0, 0, -1, -1), (ROD, 1, 0, 1)]


def test_a_block_moves_to_another_face():
    answer = after(TASK, FIRST, *TWO_RODS, ("move", {"block": 2, "parent": 0, "face_id": 2}))
    assert blocks(answer)[2] == (ROD, 2, 0, 2)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("remove", {"block": 0}), "The starting block cannot be removed"),
        (("remove", {"block": 9}), "There is no block 9"),
        (("remove", {"block": list(range(10_000))}), "block must be a whole number, not a list of 10000"),
        (("add", {"type": 99, "parent": 0, "face_id": 0}), "No block of type 99 can be added"),
        (("add", {"type": ROD, "parent": 0, "face_id": 0}), "Face 0 of block 0 carries block 1"),
        (("add", {"type": ROD, "parent": 0, "face_id": 77}), "has no face 77"),
        (("add", {"type": BRACE, "parent": 0, "face_id": 0, "parent_b": 1}), "belong together"),
        (("add", {"type": "rod", "parent": 0, "face_id": 0}), "type must be a whole number"),
        (("move", {"block": 1, "parent": 2, "face_id": 0}), "The new parent has to have a lower id"),
        (("move", {"block": 1, "parent": float("nan"), "face_id": 0}), "parent must be a whole number"),
        (("move", {"block": 1, "parent": 0, "face_id": 0, "turn": 3}), "turn is not a field"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, FIRST, *TWO_RODS, call)


def test_a_simulation_tells_what_the_machine_did():
    pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")
    told = questions_of(TASK)["simulate"].ask(FIRST, TASK.solve(FIRST), {})
    assert told.text.startswith("Simulated for 5 s.")
    assert "Distance at the end: " in told.text


def test_a_machine_that_breaks_a_rule_is_not_simulated():
    rows = [*TASK.empty(FIRST).blocks, {"type": 99, "id": 1, "parent": 0, "face_id": 0}]
    told = questions_of(TASK)["simulate"].ask(FIRST, TASK.parse({"blocks": rows}), {})
    assert told.text == "The machine is not simulated.\nThere is no block of type 99"


@pytest.mark.parametrize(("condition", "is_offered"), [("hands", False), ("measured", False), ("judged", True)])
def test_simulating_is_judging(condition, is_offered):
    acting = Episode(TASK, FIRST, HandsOptions(condition=condition))
    assert ("simulate" in acting.tools) is is_offered


def test_a_simulation_changes_nothing_in_an_episode():
    pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")
    acting = Episode(TASK, FIRST, HandsOptions(condition="judged"))
    acting.call(*TWO_RODS[0])
    before = acting.answer
    call = acting.call("simulate")
    assert (acting.answer, call.label, call.patch, call.is_refused) == (before, "", [], False)
    assert call.result.startswith("Simulated for 5 s.")
    assert acting.call("simulate", {"seconds": 3}).result == "seconds is not a field of the answer."


# Parameters ----------------------------------------------------------------------------------------------------------


def test_a_parameter_is_refused_where_it_does_not_count_and_keys_are_not():
    judge = task("machine_movement")
    instance = judge.instances()[0]
    run = commands_of(judge)["set_parameter"].apply
    car = judge.solve(instance)
    with pytest.raises(AnswerError, match="“speed” does not count in this level"):
        run(instance, car, {"block": 3, "name": "speed", "value": 2})
    keyed = run(instance, car, {"block": 3, "name": "key", "value": "K"})
    assert keyed.blocks[3]["parameters"] == {"key": "K"}
    assert run(instance, keyed, {"block": 3, "name": "key", "value": ""}) == car


def test_a_parameter_is_set_where_the_level_lets_it_count():
    judge = task("machine_movement")
    level = read_level_file(json.dumps(PLAIN).encode())
    instance = Instance.added(judge.id, f"levels/{level.id}", {"world": write_level(level)})
    run = commands_of(judge)["set_parameter"].apply
    car = judge.solve(instance)
    fast = run(instance, car, {"block": 3, "name": "speed", "value": 2})
    assert fast.blocks[3]["parameters"] == {"speed": 2.0}
    assert run(instance, fast, {"block": 3, "name": "speed", "value": 1}) == car
    for given, words in (
        ({"block": 3, "name": "speed", "value": 9}, "“speed” has to be a number from 0 to 4"),
        ({"block": 3, "name": "speed", "value": "fast"}, "“speed” has to be a number from 0 to 4"),
        ({"block": 0, "name": "speed", "value": 2}, "is no parameter of this block"),
        ({"block": 30, "name": "speed", "value": 2}, "There is no block 30"),
    ):
        with pytest.raises(AnswerError, match=words):
            run(instance, car, given)


def test_blocks_are_mirrored_to_the_other_side_with_what_hangs_on_them():
    built = after(TASK, FIRST, ("add", {"type": ROD, "parent": 0, "face_id": 2}))
    both = after(TASK, FIRST, ("mirror", {"blocks": [1]}), answer=built)
    assert len(both.blocks) == 3
    with pytest.raises(AnswerError, match="other side has all of it"):
        after(TASK, FIRST, ("mirror", {"blocks": [1]}), answer=both)


def test_a_block_is_repeated_along_the_beam_that_it_stands_on():
    beam = after(TASK, FIRST, ("add", {"type": BEAM, "parent": 0, "face_id": 0}))
    faces = [face for block, face in sorted(MachineAssembly(beam.reading.tree).vacant) if block == 1]
    counts = {face: len(repeated(beam, face).blocks) for face in faces}
    assert max(counts.values()) > 3


def repeated(beam, face):
    """The machine with a block on a face of the beam, and on the others of its row if there are any."""
    one = after(TASK, FIRST, ("add", {"type": 15, "parent": 1, "face_id": face}), answer=beam)
    try:
        return after(TASK, FIRST, ("array", {"block": 2}), answer=one)
    except AnswerError:
        return one


def test_the_starting_block_stands_on_no_beam():
    with pytest.raises(AnswerError, match="do not stand on a beam"):
        after(TASK, FIRST, ("array", {"block": 0}))
