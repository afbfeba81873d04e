"""The construction tree: what is read, and each rule of files."""

import json

import pytest

from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.machines.building.blocks import block_types, quaternions, rotations, turned_directions
from spatial_workbench.engine.machines.building.tree import Link, read_tree, write_tree

EXAMPLES = {
    machine["name"]: machine for machine in json.loads(resource("machines", "examples.json").read_text())["machines"]
}
ROOT = {"type": 0, "id": 0, "parent": -1, "face_id": -1}


def block(type_, id_, parent, face):
    return {"type": type_, "id": id_, "parent": parent, "face_id": face}


def link(type_, id_, *ends):
    return dict(zip(("type", "id", "parent_a", "face_id_a", "parent_b", "face_id_b"), (type_, id_, *ends), strict=True))


def test_there_are_27_types_whose_faces_are_numbered_in_order():
    assert len(block_types()) == 27
    for kind in block_types().values():
        assert [face.id for face in kind.faces] == list(range(len(kind.faces)))


def test_words_quaternions_and_matrices_of_the_facings_agree():
    axes = {"Right": (1, 0, 0), "Left": (-1, 0, 0), "Up": (0, 1, 0), "Down": (0, -1, 0), "Front": (0, 0, 1)}
    units = {"x+": (1, 0, 0), "x-": (-1, 0, 0), "y+": (0, 1, 0), "y-": (0, -1, 0), "z+": (0, 0, 1), "z-": (0, 0, -1)}
    for facing, rows in rotations().items():
        for word, axis in axes.items():
            turned = tuple(sum(a * b for a, b in zip(row, axis, strict=True)) for row in rows)
            assert turned == units[turned_directions()[facing][word]]
        x, y, z, w = quaternions()[facing]
        front = (2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y))
        assert front == pytest.approx(units[facing], abs=1e-6)


@pytest.mark.parametrize("machine", EXAMPLES.values(), ids=EXAMPLES)
def test_the_example_machines_are_read_and_written_as_they_were(machine):
    reading = read_tree(machine["tree"])
    assert not reading.faults
    assert write_tree(reading.tree) == machine["tree"]


def test_the_reference_s_names_are_read_for_the_whole_list():
    rows = [
        {"id": 0, "order_id": 0, "parent": -1, "bp_id": -1},
        {"id": "15", "order_id": "1", "parent": "0", "bp_id": "0"},
        {"id": 7, "order_id": 2, "parent_a": 0, "bp_id_a": 1, "parent_b": 1, "bp_id_b": 0},
    ]
    tree = read_tree(rows).tree
    assert write_tree(tree)[1] == block(15, 1, 0, 0)
    assert isinstance(tree[2], Link)


@pytest.mark.parametrize(
    ("rows", "code", "entry"),
    [
        ("not a list", "NOT_A_LIST", None),
        ([], "NOT_A_LIST", None),
        ([1, 2], "NOT_A_LIST", None),
        ([ROOT] * 10_000, "NOT_A_LIST", None),
        ([ROOT, {"type": 15, "id": 1, "parent": 0}], "BAD_KEYS", 1),
        ([ROOT, {"type": 15, "id": 1, "parent": 0, "face": 3}], "BAD_KEYS", 1),
        ([ROOT, block("log", 1, 0, 0)], "BAD_NUMBER", 1),
        ([ROOT, block(15, 1, 0, float("nan"))], "BAD_NUMBER", 1),
        ([ROOT, block(15, 1, 0, True)], "BAD_NUMBER", 1),
        ([ROOT, block(15, 10**400, 0, 0)], "BAD_NUMBER", 1),
        ([ROOT, block(15, "9" * 5000, 0, 0)], "BAD_NUMBER", 1),
        ([ROOT, block(15, 2, 0, 0)], "BAD_ID", 1),
        ([block(15, 0, -1, -1)], "BAD_ROOT", 0),
        ([ROOT, block(0, 1, 0, 0)], "SECOND_ROOT", 1),
        ([ROOT, block(99, 1, 0, 0)], "UNKNOWN_TYPE", 1),
        ([ROOT, block(15, 1, 1, 0)], "BAD_PARENT", 1),
        ([ROOT, block(15, 1, 2, 0), block(15, 2, 1, 0)], "BAD_PARENT", 1),
        ([ROOT, link(7, 1, 0, 0, 0, 1), block(15, 2, 1, 0)], "BAD_PARENT", 2),
        ([ROOT, block(15, 1, 0, 9), block(15, 2, 1, 0)], "PARENT_INVALID", 2),
        ([ROOT, block(15, 1, 0, 6)], "NO_SUCH_FACE", 1),
        ([ROOT, block(7, 1, 0, 0)], "LINEAR_MISMATCH", 1),
        ([ROOT, link(15, 1, 0, 0, 0, 1)], "LINEAR_MISMATCH", 1),
    ],
)
def test_a_file_that_breaks_a_rule_is_named_with_code_and_entry(rows, code, entry):
    reading = read_tree(rows)
    assert reading.tree is None
    assert (code, entry) in [(fault.code, fault.entry) for fault in reading.faults]


def test_another_parent_of_the_starting_block_is_only_a_warning():
    reading = read_tree([block(0, 0, 0, 3)])
    assert write_tree(reading.tree) == [ROOT]
    assert [warning.code for warning in reading.warnings] == ["BAD_ROOT"]


def test_an_unknown_key_is_a_warning():
    reading = read_tree([ROOT, {**block(15, 1, 0, 0), "order": 3}])
    assert reading.tree is not None
    assert reading.warnings[0].sentence == "Block 1: “order” is not known and was ignored"
