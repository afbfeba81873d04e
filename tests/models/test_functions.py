"""Functions that models are offered: how they are sent, how calls are read, and how results go back."""

import json

import pytest

from spatial_workbench.engine.core.agents import ToolOffer, ToolUse, Turn
from spatial_workbench.engine.models import EndpointModel, ModelSettings, Request
from spatial_workbench.engine.models.conversation import Conversation
from tests.models.conftest import ScriptedReply, called, chat, event

UNDO = ToolOffer("undo", "Takes back.", {"type": "object", "properties": {"steps": {"type": "integer"}}})
ASKED = [Turn("user", "Build.")]
AFTERWARDS = [
    *ASKED,
    Turn("assistant", "", uses=(ToolUse("call-0", "undo", '{"steps": 2}'),)),
    Turn("user", "", (b"PNG",), results=(("call-0", "Done."),)),
]


def conversation(server, api="chat"):
    settings = ModelSettings(name="tiny", model="tiny", base_url=server.url, api=api, timeout_s=10, silence_s=5)
    return Conversation(EndpointModel(settings), Request(""), native_tools=True)


def test_calls_that_come_in_pieces_are_read_in_their_order(server):
    server.answers.append(called(("undo", {"steps": 2}), ("undo", {}), text="Back."))
    reply = conversation(server).reply_with_tools(ASKED, [UNDO], 10)
    assert [(use.id, json.loads(use.arguments)) for use in reply.uses] == [("call-0", {"steps": 2}), ("call-1", {})]
    assert reply.text == "Back."


def test_functions_are_offered_with_their_schemas(server):
    server.answers.append(chat())
    conversation(server).reply_with_tools(ASKED, [UNDO], 10)
    (offered,) = server.seen[0].body["tools"]
    assert offered["function"] == {"name": "undo", "description": "Takes back.", "parameters": UNDO.schema}


def test_without_an_offer_nothing_is_said_of_tools(server):
    server.answers.append(chat())
    conversation(server).reply(ASKED, 10)
    assert "tools" not in server.seen[0].body


def test_results_go_back_under_the_ids_of_their_calls_and_pictures_after_them(server):
    server.answers.append(chat())
    conversation(server).reply_with_tools(AFTERWARDS, [UNDO], 10)
    _, calls, result, pictures = server.seen[0].body["messages"]
    assert calls["tool_calls"][0]["function"] == {"name": "undo", "arguments": '{"steps": 2}'}
    assert result == {"role": "tool", "tool_call_id": "call-0", "content": "Done."}
    assert pictures["content"][1]["type"] == "image_url"


@pytest.mark.slow
def test_the_newer_api_has_items_for_calls_and_results(server):
    output = [{"type": "function_call", "call_id": "c7", "name": "undo", "arguments": '{"steps": 1}'}]
    last = event("response.completed", response={"id": "r1", "model": "tiny", "status": "completed", "output": output})
    server.answers.append(ScriptedReply([last]))
    reply = conversation(server, "responses").reply_with_tools(AFTERWARDS, [UNDO], 10)
    _, call, result, _ = server.seen[0].body["input"]
    assert call == {"type": "function_call", "call_id": "call-0", "name": "undo", "arguments": '{"steps": 2}'}
    assert result == {"type": "function_call_output", "call_id": "call-0", "output": "Done."}
    assert server.seen[0].body["tools"][0]["name"] == "undo"
    assert reply.uses == (ToolUse("c7", "undo", '{"steps": 1}'),)
