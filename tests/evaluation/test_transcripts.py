"""Transcripts: what a model said and did, in one form for all kinds of runs."""

import json

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.agents import HANDS, AgentPlan
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.evaluation.hands.playing import play_with_hands
from spatial_workbench.engine.evaluation.transcripts import (
    PartKind,
    TranscriptPart,
    has_more_than_a_reply,
    read_transcript,
    transcript_of,
)
from spatial_workbench.engine.store import StoredReply, Transcript
from tests.evaluation.conftest import run
from tests.evaluation.hands.scripts import BOX, PNG, SUBMIT, KnownPictures, ScriptedModel, said
from tests.models.conftest import chat

TASK, SEVEN = resolve("pack_prisms:0")
USAGE = {"usage": {"input_tokens": 7, "output_tokens": 3}, "seconds": 2.5, "cost_usd": 0.25}


def reply(number, text, reasoning=None, **record):
    return StoredReply(number=number, prompt=number, text=text, reasoning=reasoning, record=json.dumps(record))


def kinds(step):
    return [part.kind.value for part in step.parts]


def test_a_single_question_is_a_step_with_prompt_reasoning_and_reply_and_its_figures():
    (step,) = transcript_of([reply(0, "Done.", "I think.", **USAGE)], None, "Prompt {}".format)
    assert [part.text for part in step.parts] == ["Prompt 0", "I think.", "Done."]
    assert (step.seconds, step.tokens_in, step.tokens_out, step.cost_usd) == (2.5, 7, 3, 0.25)
    assert not has_more_than_a_reply([step])


def test_hosted_tools_are_shown_with_what_they_were_asked_and_what_came():
    calls = [
        {"tool": "code_interpreter_call", "input": "print(1)", "output": "1"},
        {"tool": "web_search_call", "input": "prisms", "output": ""},
    ]
    (step,) = transcript_of([reply(0, "Done.", tool_calls=calls)], None, str)
    assert kinds(step) == ["told", "code", "output", "search", "reply"]
    assert has_more_than_a_reply([step])


def hands_record(*replies, drawer=None):
    run = play_with_hands(TASK, SEVEN, AgentPlan(kind=HANDS), ScriptedModel(*replies), drawer)
    return Transcript(kind=run.kind, record=run.record)


def test_calls_of_hands_stand_between_their_reply_and_the_next():
    texts = (said(BOX, ("fly", {})), said(("look", {})), SUBMIT)
    record = hands_record(*texts, drawer=KnownPictures())
    steps = transcript_of([reply(k, text) for k, text in enumerate(texts)], record, "Prompt {}".format)
    assert [kinds(step) for step in steps] == [
        ["told", "reply", "call", "result", "call", "result"],
        ["reply", "call", "result"],
        ["reply", "call", "result"],
    ]
    assert steps[0].parts[-1].is_refused
    assert steps[1].parts[-1] == TranscriptPart(PartKind.RESULT, "See the picture.", "look", (PNG,))


def test_a_record_without_replies_tells_the_run_alone():
    steps = transcript_of([], hands_record(said(BOX), SUBMIT), str)
    assert kinds(steps[0]) == ["told", "reply", "call", "result"]


def test_a_run_on_the_cube_tells_code_calls_and_what_was_seen():
    record = Transcript(kind="cube", record=resource("cube", "recorded_run.json").read_text("utf-8"))
    steps = transcript_of([], record, str)
    assert {"reply", "code", "call", "result", "output"} <= {kind for step in steps for kind in kinds(step)}


def test_a_run_that_goes_on_is_told_as_far_as_it_went(project, batch_of, server):
    batch, plan = batch_of(server.url, "pack_prisms:0", agent=AgentPlan(kind=HANDS))
    project.items.add_reply(1, 0, "Build", said(BOX), None, '{"finish_reason": "stop"}', is_last=False)
    assert [kinds(step) for step in read_transcript(project, 1, None)] == [["told", "reply"]]
    server.answers.append(chat(SUBMIT))
    run(project, batch, plan)
    assert len(read_transcript(project, 1, 1)) == 2


def test_a_record_that_cannot_be_read_is_an_error():
    with pytest.raises(ValueError, match="validation"):
        transcript_of([], Transcript(kind=HANDS, record="{}"), str)
