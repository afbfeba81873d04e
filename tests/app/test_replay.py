"""A recorded run of an agent, replayed step by step."""

import json

import pytest

from spatial_workbench.app.attempts.replays import replay_of
from spatial_workbench.app.workspace.replay import ReplayPage, moves_of
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.agents import HANDS, AgentPlan
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.cube.agent import RunRecord
from spatial_workbench.engine.cube.facelets import SOLVED, apply_moves
from spatial_workbench.engine.evaluation.hands.playing import play_with_hands
from spatial_workbench.engine.store import Actor, Project, Transcript
from tests.evaluation.hands.scripts import BOX, SUBMIT, ScriptedModel, said
from tools.studio.quickstart import make_example

RECORD = RunRecord.model_validate_json(resource("cube", "recorded_run.json").read_text("utf-8"))


@pytest.fixture
def page(qtbot):
    page = ReplayPage(RECORD, "Replay")
    qtbot.addWidget(page, before_close_func=lambda w: w.close_page())
    page.resize(1100, 700)
    with qtbot.waitExposed(page):
        page.show()
    return page


def test_the_recorded_run_solves_its_cube():
    assert apply_moves(RECORD.state, RECORD.moves) == SOLVED
    assert [move for step in RECORD.steps for move in moves_of(step)] == list(RECORD.moves)


def test_each_step_shows_what_was_said_run_and_seen(page):
    page.steps.setCurrentRow(1)
    text = page.words.toPlainText()
    assert "half turn" in text
    assert "E_MOVE" in text
    assert page.steps.item(1).text().endswith("1 refused")


def test_the_moves_of_a_step_are_played_from_where_the_step_before_ended(page):
    page.steps.setCurrentRow(2)
    assert len(page._scene.frames) > len(moves_of(RECORD.steps[2]))
    page.timeline.pause()


@pytest.mark.slow
def test_the_example_project_holds_the_recorded_run(tmp_path):
    with Project.open(make_example(tmp_path / "example.workbench")) as project:
        rows = [row for row in project.attempts.newest() if row.has_transcript]
        assert len(rows) == 1
        assert RunRecord.model_validate_json(project.attempts.transcript(rows[0].number).record) == RECORD
        assert project.attempts.get(rows[0].number).passed


def test_a_model_with_hands_is_replayed_as_a_persons_edits_are(tmp_path):
    task, instance = resolve("pack_prisms:0")
    model = ScriptedModel(said(BOX, ("move", {"boxes": [0], "x": 4})), said(("no_tool", {})), SUBMIT)
    run = play_with_hands(task, instance, AgentPlan(kind=HANDS), model)
    with Project.create(tmp_path / "hands.workbench") as project:
        transcript = Transcript(kind=run.kind, record=run.record)
        number = project.attempts.add(instance, run.answer, Actor.MODEL, "tiny", transcript=transcript)
        history = replay_of(project, number)
    assert [edit.label for edit in history.edits] == ["Place box", "Move boxes"]
    assert json.loads(history.answer_after(2)) == {"boxes": [{"XyzMin": [4, 0, 0], "XyzMax": [9, 3, 2]}]}
