"""The Responses API: its stream, its ends, hosted tools."""

from datetime import UTC, datetime

import pytest

from spatial_workbench.engine.models.capabilities import Capabilities, Feature, ProbeFinding, Result
from spatial_workbench.engine.models.contracts import ErrorKind, ModelError, Request
from tests.models.conftest import ScriptedReply, event

HELLO = Request("Hello")
COUNTS = {"input_tokens": 9, "output_tokens": 30, "output_tokens_details": {"reasoning_tokens": 20}}


def ended(kind, status, output=(), **more):
    response = {"id": "r1", "model": "tiny", "status": status, "output": list(output), "usage": COUNTS, **more}
    return event(f"response.{kind}", response=response)


def said(text, *more):
    return ScriptedReply(
        [event("response.created", response={}), event("response.output_text.delta", delta=text), *more]
    )


def test_an_answer_comes_from_the_responses_api(llmock, model_of):
    llmock.reply("42")
    response = model_of(llmock.base_url(), api="responses").ask(Request("Say", system="Be brief"))
    assert (response.text, response.finish_reason) == ("42", "stop")
    assert llmock.last_request.body["store"] is False


def test_the_summary_of_the_reasoning_and_its_tokens_are_kept(server, model_of):
    thought = event("response.reasoning_summary_text.delta", delta="Hm")
    server.answers.append(ScriptedReply([thought, *said("4").parts, ended("completed", "completed")]))
    response = model_of(server.url, api="responses", show_reasoning=True, effort="low").ask(HELLO)
    assert (response.text, response.reasoning, response.usage.reasoning_tokens) == ("4", "Hm", 20)
    assert server.seen[0].body["reasoning"] == {"effort": "low", "summary": "auto"}


def test_the_cap_ends_an_answer_by_length(server, model_of):
    cap = {"incomplete_details": {"reason": "max_output_tokens"}}
    server.answers.append(said("4", ended("incomplete", "incomplete", **cap)))
    assert model_of(server.url, api="responses").ask(HELLO).finish_reason == "length"


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (said("4"), ErrorKind.CUT_OFF),
        (said("4", ended("failed", "failed", error={"message": "oh"})), ErrorKind.SERVER),
        (said("4", event("error", message="oh")), ErrorKind.SERVER),
        (said("4", event("response.completed", response=None)), ErrorKind.SERVER),
        (
            ScriptedReply([event("response.refusal.delta", delta="No"), ended("completed", "completed")]),
            ErrorKind.REFUSED,
        ),
        (
            said("", ended("incomplete", "incomplete", incomplete_details={"reason": "content_filter"})),
            ErrorKind.REFUSED,
        ),
    ],
)
def test_ends_that_are_no_answer_are_told_apart(server, model_of, reply, kind):
    server.answers.append(reply)
    with pytest.raises(ModelError) as caught:
        model_of(server.url, api="responses", max_tries=1).ask(HELLO)
    assert caught.value.kind is kind


def shown(result):
    findings = {Feature.HOSTED_TOOLS: ProbeFinding(result=result)}
    return Capabilities(base_url="", model="tiny", probed_at=datetime.now(UTC), findings=findings)


def test_what_hosted_tools_did_is_kept(server, model_of):
    ran = {"type": "code_interpreter_call", "code": "print(1)", "outputs": [{"type": "logs", "logs": "1"}]}
    server.answers.append(said("1", ended("completed", "completed", [ran])))
    response = model_of(server.url, shown(Result.WORKS), api="responses", tools=True).ask(HELLO)
    assert [(call.tool, call.input) for call in response.tool_calls] == [("code_interpreter_call", "print(1)")]
    assert [tool["type"] for tool in server.seen[0].body["tools"]] == ["code_interpreter", "web_search"]


@pytest.mark.parametrize("found", [None, shown(Result.ACCEPTED), shown(Result.REFUSED)])
def test_hosted_tools_are_asked_for_only_where_they_were_seen_to_work(server, model_of, found):
    with pytest.raises(ModelError) as caught:
        model_of(server.url, found, api="responses", tools=True).ask(HELLO)
    assert caught.value.kind is ErrorKind.BAD_REQUEST
    assert not server.seen


def test_hosted_tools_need_the_responses_api(server, model_of):
    with pytest.raises(ModelError):
        model_of(server.url, shown(Result.WORKS), tools=True).ask(HELLO)
