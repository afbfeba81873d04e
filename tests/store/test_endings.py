"""Why runs and replies ended, and what cut them off."""

import json

import pytest

from spatial_workbench.engine.core import Instance
from spatial_workbench.engine.store import Actor, Asked, Project, RunFilter, Transcript
from spatial_workbench.engine.store.endings import cut_off_by, run_end_of

CUBE = Instance.published("cube", 0, {})


@pytest.mark.parametrize(
    ("run_end", "finish_reason", "what"),
    [
        ("step_limit", None, "steps"),
        ("timeout", "stop", "time"),
        ("program_ended", None, "program ended"),
        ("calls", "tool_calls", "calls"),
        ("money", "stop", "spending"),
        ("silent", "stop", None),
        ("solved", "stop", None),
        ("gave_up", "length", None),
        (None, "length", "output limit"),
        (None, "content_filter", "content filter"),
        (None, "stop", None),
        (None, None, None),
    ],
)
def test_a_limit_cuts_off_and_of_a_run_its_own_end_counts(run_end, finish_reason, what):
    assert cut_off_by(run_end, finish_reason) == what


@pytest.mark.parametrize("record", [None, "", "[]", "{", '{"end": 3}', '{"steps": []}'])
def test_a_record_that_does_not_say_how_it_ended_has_no_end(record):
    assert run_end_of(record) is None


def test_attempts_are_filtered_by_what_ended_them(tmp_path):
    with Project.create(tmp_path / "p.workbench") as project:
        for end in ("step_limit", "solved"):
            record = Transcript(kind="cube", record=json.dumps({"end": end}))
            project.attempts.add(CUBE, "{}", Actor.MODEL, "elm", transcript=record, asked=Asked(finish_reason="length"))
        project.attempts.add(CUBE, "{}", Actor.MODEL, "elm", asked=Asked(finish_reason="length"))
        chosen = {
            "cut off": RunFilter(is_cut_off=True),
            "whole": RunFilter(is_cut_off=False),
            "steps": RunFilter(run_ends=("step_limit",)),
            "length": RunFilter(finish_reasons=("length",)),
        }
        found = {name: sorted(project.runs.numbers(run_filter)) for name, run_filter in chosen.items()}
        assert found == {"cut off": [1, 3], "whole": [2], "steps": [1], "length": [1, 2, 3]}
        assert [row.cut_off for row in project.runs.select()] == ["steps", None, "output limit"]
