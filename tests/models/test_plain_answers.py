"""Endpoints that answer a streamed request with plain JSON."""

import json

import pytest

from spatial_workbench.engine.models import ErrorKind, ModelError, Request
from tests.models.conftest import ScriptedReply, delta

CHAT = {
    "id": "c1",
    "model": "tiny",
    "choices": [{"message": {"role": "assistant", "content": "hello", "reasoning": "hm"}, "finish_reason": "length"}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 5},
}
RESPONSES = {
    "id": "r1",
    "status": "completed",
    "output": [{"type": "message", "content": [{"type": "output_text", "text": "hello"}]}],
    "usage": {"input_tokens": 10, "output_tokens": 5},
}


def plain(data):
    return ScriptedReply([json.dumps(data).encode()], content_type="application/json; charset=utf-8")


def test_chat_completions_in_one_piece_are_an_answer(server, model_of):
    server.answers.append(plain(CHAT))
    response = model_of(server.url).ask(Request("Hello"))
    assert (response.text, response.reasoning, response.finish_reason) == ("hello", "hm", "length")
    assert (response.usage.input_tokens, response.usage.output_tokens, response.model) == (10, 5, "tiny")


def test_calls_of_functions_come_in_one_piece_too(server, model_of):
    called = {"id": "f1", "type": "function", "function": {"name": "turn", "arguments": '{"face": "U"}'}}
    message = {"role": "assistant", "content": None, "tool_calls": [called]}
    server.answers.append(plain({**CHAT, "choices": [{"message": message, "finish_reason": "tool_calls"}]}))
    (call,) = model_of(server.url).ask(Request("Turn")).tool_calls
    assert (call.tool, call.input, call.id) == ("turn", '{"face": "U"}', "f1")


def test_responses_in_one_piece_are_an_answer(server, model_of):
    server.answers.append(plain(RESPONSES))
    response = model_of(server.url, api="responses").ask(Request("Hello"))
    assert (response.text, response.finish_reason, response.usage.output_tokens) == ("hello", "stop", 5)


def test_an_answer_without_a_finish_reason_is_whole_if_its_json_is(server, model_of):
    server.answers.append(plain({"choices": [{"message": {"content": "hello"}}]}))
    assert model_of(server.url).ask(Request("Hello")).finish_reason == "stop"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ([1], ErrorKind.BAD_RESPONSE),
        ({}, ErrorKind.BAD_RESPONSE),
        ({"error": {"message": "out of memory"}}, ErrorKind.SERVER),
    ],
)
def test_json_that_is_no_answer_is_none(server, model_of, data, kind):
    server.answers.append(plain(data))
    with pytest.raises(ModelError) as raised:
        model_of(server.url, max_tries=1).ask(Request("Hello"))
    assert raised.value.kind is kind


def test_half_of_a_json_answer_is_none(server, model_of):
    server.answers.append(ScriptedReply([json.dumps(CHAT).encode()[:-20]], content_type="application/json"))
    with pytest.raises(ModelError):
        model_of(server.url, max_tries=1).ask(Request("Hello"))


def test_a_stream_is_still_read_as_one(server, model_of):
    server.answers.append(ScriptedReply([delta("hel"), delta("lo", finish="stop")]))
    assert model_of(server.url).ask(Request("Hello")).text == "hello"
