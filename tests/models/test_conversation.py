"""A chat of several turns in the place of a cube agent's model."""

import pytest

from spatial_workbench.engine.core.agents import NoReply, Turn
from spatial_workbench.engine.cube.agent import CubeEnvironment, EndReason, play
from spatial_workbench.engine.cube.facelets import SOLVED, apply_moves
from spatial_workbench.engine.models.contracts import ErrorKind
from spatial_workbench.engine.models.conversation import Conversation
from tests.models.conftest import ScriptedReply, chat, refuse

ONE_AWAY = apply_moves(SOLVED, ["R"])
TALK = (Turn("user", "Solve"), Turn("assistant", "U"), Turn("user", "Seen", (b"png",)))


def test_all_turns_and_pictures_reach_the_model(server, model_of):
    server.answers.append(chat("R", prompt_tokens=70, completion_tokens=3))
    reply = Conversation(model_of(server.url)).reply(TALK, 60.0)
    messages = server.seen[0].body["messages"]
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("R", 70, 3)
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert messages[2]["content"][1]["type"] == "image_url"


def test_an_error_ends_the_run_with_its_sentence(server, model_of):
    server.answers.append(refuse(401, "wrong key"))
    conversation = Conversation(model_of(server.url))
    with pytest.raises(NoReply, match="does not accept the key"):
        conversation.reply(TALK, 60.0)
    assert conversation.failed.kind is ErrorKind.AUTH


def test_a_model_on_a_server_solves_a_cube(server, model_of):
    server.answers.append(chat('I turn it back.\n{"tool": "make_move", "arguments": {"moves": ["R\'"]}}'))
    record = play(CubeEnvironment(ONE_AWAY), Conversation(model_of(server.url)), uses_code=False)
    assert (record.end, record.moves) == (EndReason.SOLVED, ("R'",))
    assert record.steps[0].tokens_out == 5


def test_a_run_whose_time_is_over_while_the_model_thinks_is_out_of_time(server, model_of):
    server.answers.append(ScriptedReply([5.0]))
    conversation = Conversation(model_of(server.url))
    record = play(CubeEnvironment(ONE_AWAY), conversation, uses_code=False, max_seconds=0.3)
    assert record.end is EndReason.TIMEOUT
    assert conversation.failed.kind is ErrorKind.TIMEOUT


def test_a_model_that_is_too_slow_with_time_left_has_failed(server, model_of):
    server.answers.append(ScriptedReply([5.0]))
    with pytest.raises(NoReply, match="took too long"):
        Conversation(model_of(server.url, timeout_s=0.2)).reply(TALK, 60.0)


def test_what_each_turn_took_is_kept(server, model_of):
    server.answers.append(chat("R"))
    conversation = Conversation(model_of(server.url))
    conversation.reply(TALK[:1], 60.0)
    conversation.reply(TALK, 60.0)
    assert [len(response.tries) for response in conversation.responses] == [1, 1]


def test_the_systems_words_come_first_and_are_no_turn(server, model_of):
    server.answers.append(chat("R"))
    Conversation(model_of(server.url)).reply((Turn("system", "Rules"), Turn("user", "Solve")), 60.0)
    messages = server.seen[0].body["messages"]
    assert [(message["role"], message["content"]) for message in messages] == [("system", "Rules"), ("user", "Solve")]
