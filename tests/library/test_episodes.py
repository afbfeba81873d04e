"""Episodes from a program: one method a command, under the aids of a condition."""

import pytest

import spatial_workbench as sw
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.store import Actor, Project
from tests.tasks.test_pack_prisms_commands import calls_to


def test_a_program_builds_the_reference_by_methods_and_hands_it_in():
    acting = sw.episode("pack_prisms:0")
    for name, arguments in calls_to(sw.instance("pack_prisms:0"), sw.solve("pack_prisms:0")):
        getattr(acting, name)(**arguments)
    assert acting.submit().passed
    assert acting.end == "submitted"


def test_what_the_condition_does_not_allow_is_no_method():
    with pytest.raises(AttributeError, match="There is no command “verdict”"):
        sw.episode("pack_prisms:0", condition="hands").verdict()


def test_what_is_wrong_with_a_call_is_told():
    told = sw.episode("pack_prisms:0").place(size=0, corner=[0, 0])
    assert told.is_refused
    assert "corner" in told.text


def test_a_task_without_commands_has_no_episodes(monkeypatch):
    monkeypatch.setattr("spatial_workbench.episodes.HasCommands", type("Nothing", (), {}))
    with pytest.raises(sw.AnswerError, match="no commands"):
        sw.episode("pack_prisms:0")


def test_a_persons_stored_attempt_is_replayed_to_the_same_answer(tmp_path):
    board, task = sw.instance("shikaku:0"), sw.task("shikaku")
    answer = '{"rectangles": [[0, 0, 1, 1]]}'
    with Project.create(tmp_path / "work.workbench") as project:
        project.drafts.begin(board, {"reasoning": "", "rectangles": []}, "Ada")
        project.drafts.add_edit("shikaku:0", "Draw rectangle", [[["rectangles"], 0, [], [[0, 0, 1, 1]]]], "Ada")
        project.attempts.add(board, answer, Actor.PERSON, "Ada")
        project.attempts.add(board, answer, Actor.MODEL, "elm")
    acting = sw.episode("shikaku:0")
    acting.replay(sw.calls(tmp_path / "work.workbench", 1))
    assert packed(task, acting.answer) == packed(task, task.parse(answer))
    with pytest.raises(ValueError, match="no edits and no calls"):
        sw.calls(tmp_path / "work.workbench", 2)
