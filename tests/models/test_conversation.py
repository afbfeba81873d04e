"""A chat of several turns in the place of a cube agent's model."""

import pytest

from engine.cube.agent.episode import Message, ModelError
from engine.models.contracts import ErrorKind
from engine.models.conversation import Conversation
from tests.models.conftest import Reply, chat, refuse

TALK = (Message("user", "Solve"), Message("assistant", "U"), Message("user", "Seen", (b"png",)))


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
    with pytest.raises(ModelError, match="does not accept the key"):
        conversation.reply(TALK, 60.0)
    assert conversation.failed.kind is ErrorKind.AUTH


def test_the_time_that_is_left_is_all_there_is(server, model_of):
    server.answers.append(Reply([5.0]))
    with pytest.raises(ModelError, match="took too long"):
        Conversation(model_of(server.url)).reply(TALK, 0.2)


def test_what_each_turn_took_is_kept(server, model_of):
    server.answers.append(chat("R"))
    conversation = Conversation(model_of(server.url))
    conversation.reply(TALK[:1], 60.0)
    conversation.reply(TALK, 60.0)
    assert [len(response.tries) for response in conversation.responses] == [1, 1]
