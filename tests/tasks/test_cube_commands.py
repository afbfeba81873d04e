"""Commands of the cube: moves, the view of the partly seen cubes, and what is seen in each setting."""

import pytest

from spatial_workbench.engine.core import AnswerError, resolve
from spatial_workbench.engine.cube.notation import parse_moves
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.hands.episode import Episode
from tests.evaluation.hands.scripts import KnownPictures
from tests.tasks.acting import after

SYMBOLIC, SCRAMBLED = resolve("cube_full_symbolic:25")
SETTINGS = ["cube_full_symbolic", "cube_full_visual", "cube_face_view", "cube_vertex_view"]


def episode(name):
    task, instance = resolve(f"{name}:25")
    return Episode(task, instance, HandsOptions(), KnownPictures())


def colours_seen(acting):
    """The colours of the stickers in sight, and their ids."""
    items = [item for item in acting._sight().items if item.name != "backs"]
    return [
        (name, color)
        for item in items
        for name, color in zip(getattr(item, "ids", [item.name]), _colors(item), strict=False)
        if name.startswith("sticker")
    ]


def _colors(item):
    colors = getattr(item, "colors", None) or item.color
    return [colors] if isinstance(colors, str) else colors


@pytest.mark.parametrize("name", SETTINGS)
def test_the_reference_solution_is_reached_with_half_turns(name):
    task, instance = resolve(f"{name}:25")
    answer = after(task, instance, ("move", {"moves": instance.parameters["solution"]}))
    assert answer == task.solve(instance)


def test_a_half_turn_is_two_quarter_turns():
    assert after(SYMBOLIC, SCRAMBLED, ("move", {"moves": "R2U' F"})).moves == ("R", "R", "U'", "F")


def test_the_state_of_the_symbolic_cube_has_its_stickers():
    turned = after(SYMBOLIC, SCRAMBLED, ("move", {"moves": "R"}))
    state = SYMBOLIC.state(SCRAMBLED, turned)
    assert state["moves"] == ["R"]
    assert len(state["stickers"]) == 54
    assert state["stickers"] != SCRAMBLED.parameters["state"]


@pytest.mark.parametrize("name", SETTINGS[1:])
def test_stickers_that_are_seen_are_not_spelled_out(name):
    assert episode(name).call("state").result == '{"moves": []}'


@pytest.mark.parametrize(("name", "count"), [("cube_face_view", 9), ("cube_vertex_view", 27)])
def test_a_partly_seen_cube_shows_no_other_stickers(name, count):
    acting = episode(name)
    assert {sticker for sticker, _ in colours_seen(acting)} == {f"sticker {k}" for k in range(count)}
    acting.call("look", {"view": "back"})
    assert len({sticker for sticker, _ in colours_seen(acting)}) == count


@pytest.mark.parametrize("name", SETTINGS[2:])
def test_the_camera_moves_and_comes_back_without_a_change_of_the_answer(name):
    acting = episode(name)
    before = colours_seen(acting)
    call = acting.call("apply_view_transformation", {"direction": "right"})
    assert (call.result, call.label, call.patch) == ("Done. The camera has moved.", "", [])
    assert colours_seen(acting) != before
    acting.call("apply_view_transformation", {"direction": "left"})
    assert colours_seen(acting) == before


def test_a_camera_at_the_top_stays_there():
    acting = episode("cube_vertex_view")
    assert "already at the top" in acting.call("apply_view_transformation", {"direction": "up"}).result


@pytest.mark.parametrize("name", SETTINGS[:2])
def test_a_cube_that_is_seen_as_a_whole_has_no_camera(name):
    assert "apply_view_transformation" not in episode(name).tools


def test_a_direction_that_does_not_exist_is_refused():
    call = episode("cube_face_view").call("apply_view_transformation", {"direction": "back"})
    assert call.is_refused
    assert "direction" in call.result


def test_solving_turns_every_face_to_one_colour():
    acting = episode("cube_face_view")
    acting.call("move", {"moves": " ".join(parse_moves(acting.instance.parameters["solution"]))})
    assert len({color for _, color in colours_seen(acting)}) == 1


@pytest.mark.parametrize(
    ("moves", "words"), [("R x", "rotation of the whole cube"), ("Rw", "wide move"), ("Q", "no move")]
)
def test_wrong_moves_are_named(moves, words):
    with pytest.raises(AnswerError, match=words):
        after(SYMBOLIC, SCRAMBLED, ("move", {"moves": moves}))
