"""Edit commands: each rule of docs/machines.md once."""

import pytest

from spatial_workbench.engine.machines.building.edits import (
    Add,
    EditError,
    EditOutcome,
    Move,
    Remove,
    apply_lines,
    read_command,
)
from spatial_workbench.engine.machines.building.tree import read_tree, write_tree
from tests.machines.building.test_tree import ROOT, block, link

# A beam with a wheel at either side, a block on top, and a brace between two of them.
ROWS = [ROOT, block(1, 1, 0, 0), block(2, 2, 1, 2), block(2, 3, 1, 4), block(15, 4, 1, 5), link(7, 5, 0, 4, 4, 0)]
TREE = read_tree(ROWS).tree


def edit(*lines):
    return apply_lines(TREE, lines)


def reason(*lines):
    """Why the last of some lines was refused."""
    *done, last = edit(*lines).steps
    assert all(step.outcome is EditOutcome.SUCCESS for step in done)
    assert last.outcome is EditOutcome.ERROR
    return last.reason


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("Add [15] to [3] in [0]", Add(15, 3, 0)),
        ("add 15 to 3 in 0", Add(15, 3, 0)),
        ("Add [9] to [0] in [4] to [4] in [1]", Add(9, 0, 4, (4, 1))),
        ("Remove [2]  (the left wheel of 2)", Remove(2)),
        ("Move [4] to [0] in [4]", Move(4, 0, 4)),
    ],
)
def test_a_line_is_read_by_its_brackets_or_by_its_numbers(line, command):
    assert read_command(line) == command
    assert read_command(str(command)) == command


@pytest.mark.parametrize("line", ["", "Turn [3]", "Add [15] to [3]", "Move [5] to [0] in [1] to [2] in [3]", "Add [x]"])
def test_what_is_no_command_is_refused(line):
    with pytest.raises(EditError, match="no command"):
        read_command(line)


def test_a_batch_is_carried_out_and_ids_are_made_consecutive():
    edited = edit("Remove [2]", "Add [15] to [0] in [1]", "Move [3] to [0] in [3]")
    assert edited.is_complete
    assert write_tree(edited.tree) == [
        ROOT,
        block(1, 1, 0, 0),
        block(2, 2, 0, 3),
        block(15, 3, 1, 5),
        link(7, 4, 0, 4, 3, 0),
        block(15, 5, 0, 1),
    ]
    assert edited.renamed == {0: 0, 1: 1, 3: 2, 4: 3, 5: 4, 6: 5}


def test_steps_stop_at_the_first_that_fails_and_the_rest_is_unverified():
    edited = edit("Remove [2]", "Remove [1]", "Remove [3]")
    assert [step.outcome.value for step in edited.steps] == ["Success", "Error", "Unverified"]
    assert edited.success_rate == pytest.approx(1 / 3)
    assert len(edited.tree) == 5


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["Add [0] to [1] in [0]"], "No block of type 0 can be added"),
        (["Add [99] to [1] in [0]"], "No block of type 99 can be added"),
        (["Add [15] to [9] in [0]"], "There is no block 9"),
        (["Add [15] to [1] in [9]"], "Block 1, Wooden Block, has no face 9"),
        (["Add [15] to [1] in [2]"], "Face 2 of block 1 carries block 2"),
        (["Add [15] to [5] in [0]"], "Block 5, Brace, has no face 0"),
        (["Add [7] to [1] in [0]"], "Type 7, Brace, goes to two faces"),
        (["Add [15] to [0] in [1] to [1] in [0]"], "Type 15, Small Wooden Block, goes to one face"),
        (["Add [15] to [0] in [1]", "Add [15] to [6] in [0]"], "There is no block 6"),
        (["Remove [2]", "Add [15] to [2] in [0]"], "Block 2 was removed"),
        (["Remove [0]"], "The starting block cannot be removed"),
        (["Remove [1]"], "Block 1 carries 2, 3, 4"),
        (["Remove [4]"], "Block 4 carries 5"),
        (["Add [15] to [2] in [0]", "Remove [2]"], "Something was put on block 2 before in this batch"),
        (["Move [0] to [1] in [0]"], "Block 0 cannot be moved"),
        (["Move [5] to [1] in [0]"], "Block 5 cannot be moved"),
        (["Move [1] to [2] in [0]"], "The new parent has to have a lower id than 1"),
        (["Move [2] to [1] in [2]"], "Block 2 is there already"),
        (["Move [2] to [1] in [4]"], "Face 4 of block 1 carries block 3"),
        (["Add [46] to [0] in [3]"], "Block 6 would stand at (0.5, 0, 0) facing x+; there overlap 3 and 6"),
    ],
)
def test_each_refusal_names_its_reason(lines, words):
    assert reason(*lines).startswith(words)


def test_a_subtree_moves_as_a_whole():
    edited = edit("Move [1] to [0] in [4]")
    assert edited.is_complete
    assert write_tree(edited.tree)[1] == block(1, 1, 0, 4)


def test_growing_beyond_the_limit_names_the_size_before_and_after():
    beam = [ROOT, *(block(63, k, k - 1, 0) for k in range(1, 6)), block(15, 6, 5, 0)]
    (step,) = apply_lines(read_tree(beam).tree, ["Add [15] to [6] in [0]"]).steps
    assert step.reason == "The machine grows from 1 × 1 × 17 m to 1 × 1 × 18 m; at most 17 × 9.5 × 17 m are allowed"


def test_a_level_may_allow_less_than_the_usual_size():
    (step,) = apply_lines(TREE, ["Add [63] to [0] in [4]"], (17, 4, 17)).steps
    assert step.reason.endswith("at most 17 × 4 × 17 m are allowed")


def test_linear_blocks_are_not_checked_for_space_and_may_use_used_faces():
    assert edit("Add [9] to [0] in [0] to [1] in [2]").is_complete
