"""Where films come from: answers, edits, the runs of agents, and what a page plays."""

import json
from datetime import UTC, datetime

import pytest

from spatial_workbench.app.attempts.replays import MachineRun
from spatial_workbench.app.video.choices import VideoError
from spatial_workbench.app.video.films import AnswerFilm, EditsFilm, MovesFilm, film_of_replay
from spatial_workbench.engine.core import resolve, silent
from spatial_workbench.engine.core.formats.patch import diff
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.cube.agent import RunRecord
from spatial_workbench.engine.evaluation.edit_histories import EditHistory
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.search.run_tree import lone_machine
from spatial_workbench.engine.store import Edit

RECORD = RunRecord.model_validate_json(resource("cube", "recorded_run.json").read_text("utf-8"))


def edits():
    """Two rectangles, drawn one after the other."""
    task, instance = resolve("shikaku:0")
    states = [task.empty(instance).model_dump(mode="json")]
    for rectangle in ([0, 0, 1, 1], [2, 0, 3, 1]):
        states.append({**states[-1], "rectangles": [*states[-1]["rectangles"], rectangle]})
    at = datetime(2026, 5, 4, tzinfo=UTC)
    labels = ("Draw a rectangle", "Draw another")
    steps = enumerate(zip(labels, states[:-1], states[1:], strict=True), 1)
    made = [Edit(number=number, label=label, patch=diff(old, new), at=at) for number, (label, old, new) in steps]
    return EditHistory("shikaku:0", states[0], tuple(made))


def test_an_answer_that_moves_is_a_film():
    film = AnswerFilm("Rain", "fluid_simulation:5", solved("fluid_simulation:5")).film(silent)
    (side,) = film.sides
    assert side.scene.frames
    assert side.scene.frame_unit == "drops"


def solved(address):
    task, instance = resolve(address)
    return task.solve(instance).model_dump_json()


def test_an_answer_that_does_not_move_is_refused():
    with pytest.raises(VideoError, match="Nothing moves in this answer to Shikaku"):
        AnswerFilm("x", "shikaku:0", solved("shikaku:0")).film(silent)


def test_an_answer_that_cannot_be_read_is_refused_with_the_reason():
    with pytest.raises(VideoError, match="cannot be read"):
        AnswerFilm("x", "fluid_simulation:5", '{"earthworks": 3}').film(silent)


def test_edits_are_a_film_with_a_frame_after_each():
    (side,) = EditsFilm("Attempt 3", edits()).film(silent).sides
    captions = [frame.caption for frame in side.scene.frames]
    assert captions == ["before the first edit", "Draw a rectangle", "Draw another"]
    shown = [len(side.scene.at(k).items) for k in range(3)]
    assert shown[0] < shown[1] < shown[2]


def test_a_run_of_an_agent_is_a_film_of_all_its_moves():
    (side,) = MovesFilm("Run", RECORD).film(silent).sides
    assert side.scene.frames[-1].time == len(RECORD.moves)


def test_what_can_be_replayed_can_be_filmed():
    tree = references()["M1"].tree
    run = MachineRun("machine_movement:0", "Replay", lone_machine("", tree, ""))
    assert isinstance(film_of_replay(edits(), 3), EditsFilm)
    assert isinstance(film_of_replay(RECORD, 3), MovesFilm)
    film = film_of_replay(run, 3)
    assert isinstance(film, AnswerFilm)
    assert len(json.loads(film.text)["blocks"]) == len(tree)


def test_what_cannot_be_replayed_is_said_in_a_sentence():
    assert film_of_replay("Attempt 3 no longer exists.", 3) == "Attempt 3 no longer exists."
    without = MachineRun("machine_movement:0", "Replay", lone_machine("", None, "no list"))
    assert "no machine" in film_of_replay(without, 3)
