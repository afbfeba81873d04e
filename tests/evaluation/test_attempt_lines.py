"""What is written of an attempt is read back equal."""

import json

import pytest

from spatial_workbench.engine.core import Check, Problem, Verdict, resolve
from spatial_workbench.engine.core.solving.aids import Aid
from spatial_workbench.engine.evaluation.attempt_lines import AttemptLine, BatchLine, Header, read_line
from spatial_workbench.engine.evaluation.dossiers import UNANSWERED, dossiers, selected
from spatial_workbench.engine.evaluation.export import export_runs
from spatial_workbench.engine.evaluation.importing.json_lines import restore
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.store import (
    Actor,
    Asked,
    ItemState,
    JudgementSource,
    Project,
    RemarkKind,
    StepJudge,
    Transcript,
)
from tests.evaluation.conftest import store

ADDRESS = "shikaku:0"


@pytest.fixture
def judged(project):
    """A project with a person's attempt about which everything was said, one of a model, and a question without."""
    instance = resolve(ADDRESS)[1]
    check = Check.of("held", [Problem("brick 17 floats", ["brick:17"])])
    given = Verdict(instance=ADDRESS, verifier="default", version="2", score=0.0, passed=False, checks=(check,))
    project.drafts.add_aid(instance, "Show the key", Aid.SOLVING, 2.5, "Ada")
    project.drafts.add_seconds(instance, 3.5, 0.25, "Ada", idle_s=0.5)
    project.drafts.store_sketch(instance, "0", '{"strokes": [[0, 1.5]]}', "Ada")
    number = project.attempts.add(
        instance, '{"a": "ü"}', Actor.PERSON, "Ada", verdicts=(given,), clock=project.drafts.clock(ADDRESS, "Ada")
    )
    project.attempts.add_verdicts(number, [given.model_copy(update={"score": 0.25})])
    project.judgements.override_score(number, 0.5, False, "half right", "Bo")
    project.judgements.withdraw_override(number)
    project.judgements.rule(number, "default", "crosscheck", "neither", "both count wrongly", "Bo")
    project.judgements.add_label(number, "ok", "Evasion / Forfeit", '{"confidence": 0.9}')
    project.remarks.add([number], RemarkKind.TAG, "look again", "Bo")
    project.remarks.withdraw(project.remarks.add([number], RemarkKind.NOTE, "odd", "Bo"))
    project.puzzles.add_step_judgement(
        number, StepJudge(source=JudgementSource.PERSON, name="Bo"), '[{"step": 1, "met": true}]', "2", "well"
    )
    asked = Contender(settings=ModelSettings(name="tiny", model="tiny", provider="recorded"))
    batch, _ = store(project, BatchPlan(name="small", contenders=(asked,), addresses=(ADDRESS, "shikaku:1")))
    project.items.add_try(1, '{"number": 1, "message": "slow"}', seconds=1.5, error="timeout")
    project.items.add_reply(1, 0, "What?", "[]", "Hm.", '{"finish_reason": "stop"}')
    played = Transcript(kind="foreign", record='{"steps": [1, 2]}')
    project.items.finish(
        1,
        project.attempts.add(
            instance, "[]", Actor.MODEL, "tiny", 1.0, (given,), played, Asked(batch=batch, budget=9, cost_usd=0.5)
        ),
    )
    project.items.fail(2, ItemState.ERROR, "timeout", "It was too slow.")
    return project


@pytest.fixture
def other(tmp_path):
    with Project.create(tmp_path / "other.workbench") as opened:
        yield opened


def lines_of(project):
    return [AttemptLine.of(known) for known in dossiers(project, selected(project, states=UNANSWERED), lambda *_: None)]


def as_bytes(line):
    return json.dumps(line.as_data).encode()


def test_a_line_is_read_back_equal(judged):
    lines = lines_of(judged)
    assert len(lines) == 3
    for line in lines:
        assert read_line(AttemptLine, as_bytes(line)).as_data == line.as_data


def test_an_attempt_is_read_back_as_it_is_stored(judged):
    for line in lines_of(judged):
        if line.attempt is not None:
            again = read_line(AttemptLine, as_bytes(line)).stored_attempt
            about_this = {"attempt": line.attempt}
            records = {
                name: tuple(record.model_copy(update=about_this) for record in getattr(again, name))
                for name in ("overrides", "rulings", "labels", "steps")
            }
            stored = judged.archive.attempt(line.attempt)
            records["remarks"] = tuple(
                remark.model_copy(update=about_this | {"number": own.number})
                for remark, own in zip(again.remarks, stored.remarks, strict=True)
            )
            assert again.model_copy(update=records) == stored


def test_requests_and_replies_are_read_back_equal(judged):
    line = next(line for line in lines_of(judged) if line.actor is Actor.MODEL and line.attempt)
    again = read_line(AttemptLine, as_bytes(line))
    ((reply, prompt),) = again.stored_replies()
    ((stored,),) = [judged.runs.replies(1)]
    assert (reply.text, reply.reasoning, reply.record, prompt) == (stored.text, "Hm.", stored.record, "What?")
    assert [request.model_copy(update={"item": 1}) for request in again.stored_tries()] == judged.items.tries(1)


def test_batches_are_read_back_equal(judged):
    header = Header.about(BatchLine.of(judged.archive.batch(1)))
    again = read_line(Header, as_bytes(header))
    assert (again, again.batches[0].stored) == (header, judged.archive.batch(1))


def test_what_an_export_restores_is_what_the_project_had(judged, other, tmp_path):
    export_runs(judged, tmp_path / "all.jsonl", "jsonl")
    restore(other, tmp_path / "all.jsonl")
    assert [other.archive.attempt(number) for number in (1, 2)] == [judged.archive.attempt(n) for n in (1, 2)]
    assert other.archive.batch(1) == judged.archive.batch(1)
