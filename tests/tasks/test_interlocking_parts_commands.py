"""Commands of cage parts: what each does, what the state lists, and what it says about wrong arguments."""

import numpy as np
import pytest

from spatial_workbench.engine.core import Aid, AnswerError, resolve
from spatial_workbench.engine.tasks.interlocking_parts.editing import bounds_of, pose_of
from spatial_workbench.engine.tasks.interlocking_parts.making import make
from tests.tasks.acting import after

TASK, FIRST = resolve("interlocking_parts:0")
REFERENCE = TASK.solve(FIRST)
PANEL = ("panel", {"across_mm": 50, "up_mm": 30, "pitch_mm": 20})
SOURCE = ("place", {"contents": "cube(10);", "file_type": "OpenSCAD", "x_mm": 5})


def calls_to(answer):
    """Calls that add the parts of an answer one by one."""
    for part in answer.parts:
        position, turns = pose_of(part.matrix)
        place = dict(zip(("x_mm", "y_mm", "z_mm"), position, strict=True))
        place |= dict(zip(("turn_x_deg", "turn_y_deg", "turn_z_deg"), turns, strict=True))
        yield "place", {"contents": part.fileContents, "file_type": part.fileType, **place}


def box(*parts):
    return [corner.round(6).tolist() for corner in bounds_of(parts)]


def volume(part):
    return make(part).solid.volume


def test_the_reference_cage_is_reached_part_by_part():
    assert after(TASK, FIRST, *calls_to(REFERENCE)).parts == REFERENCE.parts


def test_a_panel_lies_on_the_floor_with_bars_along_its_edges():
    (part,) = after(TASK, FIRST, PANEL).parts
    assert box(part) == [[-25, -15, 0], [25, 15, 10]]


def test_parts_move_by_a_step_and_turn_about_the_middle_of_their_box():
    moved = after(TASK, FIRST, PANEL, ("move", {"parts": [0], "x_mm": 100, "z_mm": 1}))
    assert box(*moved.parts) == [[75, -15, 1], [125, 15, 11]]
    turned = after(TASK, FIRST, ("turn", {"parts": [0], "axis": "z", "turn_deg": 90}), answer=moved)
    assert box(*turned.parts) == [[85, -25, 1], [115, 25, 11]]


def test_a_part_is_put_where_position_and_angles_say():
    answer = after(TASK, FIRST, PANEL, ("put", {"part": 0, "z_mm": 40, "turn_x_deg": 90}))
    assert box(*answer.parts) == [[-25, -10, 25], [25, 0, 55]]


def test_a_panel_stands_on_a_face_as_the_reference_does():
    south = REFERENCE.parts[2]
    height = south.matrix[2, 3]
    lying = after(TASK, FIRST, ("place", {"contents": south.fileContents, "file_type": "STL"}))
    answer = after(TASK, FIRST, ("stand", {"parts": [0], "face": "south", "height_mm": height}), answer=lying)
    assert answer.parts == (south,)


def test_copies_lie_a_step_away_or_on_the_opposite_side():
    answer = after(TASK, FIRST, PANEL, ("move", {"parts": [0], "y_mm": -50}), ("copy_opposite", {"parts": [0]}))
    assert box(answer.parts[1]) == [[-25, 35, 0], [25, 65, 10]]
    copied = after(TASK, FIRST, PANEL, ("duplicate", {"parts": [0], "x_mm": 60}))
    assert box(copied.parts[1])[0] == [35, -15, 0]


def test_a_bar_is_cut_out_of_all_parts_that_are_alike_unless_told_not_to():
    cut = {"part": 0, "u_low_mm": -10, "v_low_mm": -20, "u_high_mm": -4, "v_high_mm": 20, "adds": False}
    two = after(TASK, FIRST, PANEL, PANEL)
    whole = volume(two.parts[0])
    both = after(TASK, FIRST, ("box", cut), answer=two)
    assert both.parts[0].fileContents == both.parts[1].fileContents
    assert volume(both.parts[0]) < whole
    one = after(TASK, FIRST, ("box", {**cut, "alike": False}), answer=two)
    assert volume(one.parts[1]) == pytest.approx(whole)


def test_a_hole_for_a_rod_takes_material_away():
    before = after(TASK, FIRST, PANEL)
    after_it = after(TASK, FIRST, ("hole", {"part": 0, "kind": "round", "u_mm": 20, "v_mm": 10}), answer=before)
    assert volume(after_it.parts[0]) < volume(before.parts[0])


def test_a_mirror_image_is_another_part_in_the_same_place():
    cut = ("hole", {"part": 0, "kind": "round", "u_mm": 20, "v_mm": 10})
    answer = after(TASK, FIRST, PANEL, cut, ("mirror", {"part": 0}))
    first, second = (make(part).solid.vertices for part in answer.parts)
    assert np.sort(first[:, 0]) == pytest.approx(np.sort(-second[:, 0]), abs=1e-4)
    assert first[:, 0].mean() != pytest.approx(second[:, 0].mean())


def test_a_source_is_replaced_and_a_part_deleted():
    edited = after(TASK, FIRST, SOURCE, ("edit", {"part": 0, "contents": "sphere(3);", "file_type": "OpenSCAD"}))
    assert edited.parts[0].fileContents == "sphere(3);"
    assert after(TASK, FIRST, PANEL, SOURCE, ("delete", {"parts": [0]})).parts[0].fileType == "OpenSCAD"


def test_a_state_lists_places_and_leaves_long_contents_out():
    panel, source = TASK.state(FIRST, after(TASK, FIRST, PANEL, SOURCE))["parts"]
    assert source == {
        "id": 1,
        "file_type": "OpenSCAD",
        "position_mm": [5, 0, 0],
        "turns_deg": [0, 0, 0],
        "contents": "cube(10);",
    }
    assert panel["contents_characters"] > 2000
    assert "contents" not in panel


def test_no_command_runs_a_program():
    with pytest.raises(AnswerError, match="not a solid"):
        after(TASK, FIRST, SOURCE, ("hole", {"part": 0, "kind": "round", "u_mm": 0}))
    with pytest.raises(AnswerError, match="None of these parts has a mesh"):
        after(TASK, FIRST, SOURCE, ("turn", {"parts": [0], "axis": "z", "turn_deg": 90}))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("move", {"parts": [1], "x_mm": 1}), "There is no part 1; ids go from 0 to 0"),
        (("move", {"parts": [0], "x_mm": float("nan")}), "x_mm must be a finite number"),
        (("delete", {"parts": list(range(10_001))}), "Too many numbers"),
        (("place", {"contents": 5, "file_type": "STL"}), "contents must be text"),
        (("place", {"contents": "", "file_type": "BREP"}), "file_type"),
        (("panel", {"across_mm": 5, "up_mm": 5, "pitch_mm": 5}), "wider than two bars"),
        (("panel", {"across_mm": 5000, "up_mm": 5000, "pitch_mm": 0.001}), "pitch_mm"),
        (("panel", {"across_mm": 5000, "up_mm": 5000, "pitch_mm": 2}), "more than 400 bars"),
        (
            ("box", {"part": 0, "u_low_mm": 3, "v_low_mm": 0, "u_high_mm": 3, "v_high_mm": 1, "adds": True}),
            "Each upper end has to be above the lower one",
        ),
        (
            ("box", {"part": 0, "u_low_mm": -99, "v_low_mm": -99, "u_high_mm": 99, "v_high_mm": 99, "adds": False}),
            "Nothing would be left",
        ),
        (("hole", {"part": 0, "kind": "square", "u_mm": 0}), "kind"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, FIRST, PANEL, call)


def test_the_inside_and_the_rods_are_shown_only_to_who_may_measure():
    seen = [{item.name for item in TASK.sight(FIRST, after(TASK, FIRST, PANEL), aids).items} for aids in ((), Aid)]
    assert ["free inside" in names for names in seen] == [False, True]
    assert all("part 0" in names for names in seen)


def test_a_part_that_does_not_exist_is_told_at_its_argument():
    with pytest.raises(AnswerError, match="There is no part 3; there are 1, counted from 0") as told:
        after(TASK, FIRST, PANEL, ("put", {"part": 3}))
    assert told.value.path == ("part",)
