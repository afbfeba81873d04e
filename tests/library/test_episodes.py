"""Episodes from a program: one method a command, under the aids of a condition."""

import pytest

import spatial_workbench as sw
from tests.tasks.test_pack_prisms_commands import calls_to


def test_a_program_builds_the_reference_by_methods_and_hands_it_in():
    acting = sw.episode("pack_prisms:0")
    for name, arguments in calls_to(sw.instance("pack_prisms:0"), sw.solve("pack_prisms:0")):
        getattr(acting, name)(**arguments)
    assert acting.submit().passed
    assert acting.end == "submitted"


def test_what_the_condition_does_not_allow_is_no_method():
    with pytest.raises(AttributeError, match="there is no command “verdict”"):
        sw.episode("pack_prisms:0", condition="hands").verdict()


def test_what_is_wrong_with_a_call_is_told():
    told = sw.episode("pack_prisms:0").place(size=0, corner=[0, 0])
    assert told.is_refused
    assert "corner" in told.text


def test_a_task_without_commands_has_no_episodes(monkeypatch):
    monkeypatch.setattr("spatial_workbench.episodes.HasCommands", type("Nothing", (), {}))
    with pytest.raises(sw.AnswerError, match="no commands"):
        sw.episode("pack_prisms:0")
