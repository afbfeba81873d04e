"""How an answer was built, as frames: every edit, no verdict before the end, and nothing of what comes later."""

import json
from itertools import pairwise

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.agents import HANDS, AgentPlan
from spatial_workbench.engine.core.formats.patch import diff
from spatial_workbench.engine.evaluation.hands.playing import play_with_hands
from spatial_workbench.engine.reporting.site.attempt_drawing import DrawingOrder
from spatial_workbench.engine.reporting.site.built_scene import BEGINNING, built_scene, history_text
from spatial_workbench.engine.reporting.site.choice import SiteChoice
from spatial_workbench.engine.reporting.site.contents import site_contents
from spatial_workbench.engine.reporting.site.listing import listing
from spatial_workbench.engine.reporting.site.scene_data import MOST_FRAMES
from spatial_workbench.engine.store import Actor, Project, Transcript
from tests.evaluation.hands.scripts import BOX, SUBMIT, ScriptedModel, said
from tests.reporting.site.hostile import KEY, attempt_drawer, unpacked

ADDRESS = "pack_prisms:0"
TASK, INSTANCE = resolve(ADDRESS)
WHOLE = json.loads(TASK.format(TASK.solve(INSTANCE)))
STATES = [WHOLE | {"boxes": WHOLE["boxes"][:count]} for count in range(4)]


def text(states, label="Place"):
    edits = [[label, diff(old, new)] for old, new in pairwise(states)]
    return json.dumps({"start": states[0], "edits": edits})


def scene_of(state):
    answer = TASK.parse(json.dumps(state))
    return TASK.scene(INSTANCE, answer, TASK.verify(INSTANCE, json.dumps(state)))


def boxes_in(scene):
    return sum(len(item.ids) for item in scene.items if hasattr(item, "ids") and any("box" in one for one in item.ids))


def test_there_is_a_frame_before_the_first_edit_and_after_each():
    built = built_scene(TASK, INSTANCE, text(STATES), scene_of(STATES[-1]))
    assert [boxes_in(built.at(k)) for k in range(4)] == [0, 1, 2, 3]
    assert [frame.caption for frame in built.frames] == [BEGINNING, "1. Place", "2. Place", "3. Place"]


def test_the_last_frame_is_the_answer_with_its_verdict():
    whole = scene_of(STATES[-1])
    built = built_scene(TASK, INSTANCE, text(STATES), whole)
    assert list(built.at(3).items) == list(whole.items)


def test_a_long_history_keeps_as_many_frames_as_a_page_plays():
    built = built_scene(TASK, INSTANCE, text(STATES[:2] * 100), scene_of(STATES[1]))
    assert len(built.frames) == MOST_FRAMES
    assert built.frames[-1].time == 199


@pytest.mark.parametrize("history", ["{", text([STATES[0]]), json.dumps({"start": {"boxes": 1}, "edits": [["a", []]]})])
def test_what_cannot_be_replayed_is_shown_as_it_ended(history):
    whole = scene_of(STATES[-1])
    assert built_scene(TASK, INSTANCE, history, whole) is whole


@pytest.mark.parametrize(("moves", "frames"), [(True, 4), (False, 0)])
def test_a_drawing_is_replayed_unless_motion_is_left_out(moves, frames):
    order = DrawingOrder(ADDRESS, json.dumps(STATES[3]), None, frozenset(), history=text(STATES), moves=moves)
    drawing = attempt_drawer().drawn(order)
    assert drawing.frames == len(json.loads(unpacked(drawing.script.decode()))["frames"]) == frames


@pytest.mark.parametrize("address", ["cube_full_symbolic:3", "terrain_levelling:0"])
def test_without_motion_nothing_is_played_or_simulated(address):
    task, instance = resolve(address)
    answer = task.format(task.solve(instance) if task.id != "terrain_levelling" else task.empty(instance))
    assert attempt_drawer().drawn(DrawingOrder(address, answer, None, frozenset(), moves=False)).frames == 0


def add_by_person(project, address, states, label="Place"):
    _, instance = resolve(address)
    project.drafts.begin(instance, states[0], "Ada")
    for old, new in pairwise(states):
        project.drafts.add_edit(address, label, diff(old, new), "Ada")
    return project.attempts.add(instance, json.dumps(states[-1]), Actor.PERSON, "Ada", 1.0)


@pytest.fixture
def project(tmp_path):
    """A project with an attempt that a person built, whose edits have a key in their labels, and one with hands."""
    with Project.create(tmp_path / "runs.workbench") as opened:
        empty = TASK.empty(INSTANCE).model_dump(mode="json")
        boxes = [empty | {"boxes": WHOLE["boxes"][:count]} for count in range(3)]
        add_by_person(opened, ADDRESS, boxes, f"Place {KEY}")
        plan = AgentPlan(kind=HANDS, minutes=30)
        run = play_with_hands(TASK, INSTANCE, plan, ScriptedModel(said(BOX), said(BOX, ("undo", {})), SUBMIT), None)
        record = Transcript(kind=run.kind, record=run.record)
        opened.attempts.add(INSTANCE, run.answer, Actor.MODEL, "oak", 1.0, transcript=record)
        yield opened


def contents_of(project, **choice):
    return site_contents(project, SiteChoice(named=("Ada",), **choice))


def test_edits_of_people_and_calls_of_models_are_histories_without_keys_and_times(project):
    contents = contents_of(project)
    person, model = (json.loads(one.history) for one in contents.attempts.values())
    assert [len(history["edits"]) for history in (person, model)] == [2, 3]
    assert KEY not in json.dumps(person)
    assert all(len(edit) == 2 for edit in person["edits"])
    assert "2 with every step of how they were built" in dict(listing(contents).parts)["Attempts"]


def test_a_wrong_answer_that_may_have_been_right_on_the_way_has_no_history(project):
    task, instance = resolve("shikaku:0")
    right = json.loads(task.format(task.solve(instance)))
    number = add_by_person(
        project, "shikaku:0", [task.empty(instance).model_dump(mode="json"), right, {"rectangles": []}]
    )
    assert contents_of(project).attempts[number].history == ""


@pytest.mark.parametrize("choice", [{"motion": False}, {"pictures": False}])
def test_without_motion_or_pictures_there_are_no_histories(project, choice):
    assert {one.history for one in contents_of(project, **choice).attempts.values()} == {""}


def test_a_history_tells_labels_and_changes(project):
    from spatial_workbench.engine.evaluation.edit_histories import history_of_person

    (row,) = [row for row in project.attempts.newest() if row.actor is Actor.PERSON]
    told = json.loads(history_text(history_of_person(ADDRESS, row.number, project.attempts.edits(row.number))))
    assert told["edits"][0][1] == diff(told["start"], told["start"] | {"boxes": WHOLE["boxes"][:1]})
