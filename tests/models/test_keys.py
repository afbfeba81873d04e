"""Where keys come from, and where they never go."""

import json

import pytest

from spatial_workbench.engine.models.contracts import ErrorKind, ModelError, Request
from spatial_workbench.engine.models.endpoint import EndpointModel
from spatial_workbench.engine.models.keys import (
    find_key,
    forget_key,
    give_session_key,
    key_name,
    redact,
    session_keys,
    store_key,
)
from spatial_workbench.engine.models.settings import ModelSettings
from tests.models.conftest import ScriptedReply, ScriptedServer, chat, delta, refuse, sse

KEY = "sk-proj-a1B2c3D4e5F6g7H8i9J0"
HELLO = Request("Hello")


def settings(url="https://models.example/v1", **more):
    return ModelSettings(name="test", model="tiny", base_url=url, **more)


def test_a_key_is_found_in_the_keyring_by_the_name_of_the_host():
    store_key("models.example", KEY)
    assert find_key(settings()).get_secret_value() == KEY


def test_a_key_is_found_in_an_environment_variable_named_after_the_host(monkeypatch):
    monkeypatch.setenv("SPATIAL_WORKBENCH_KEY_MODELS_EXAMPLE", KEY)
    assert find_key(settings()).get_secret_value() == KEY


def test_one_host_may_have_several_keys():
    store_key("lab@models.example", KEY)
    assert find_key(settings()) is None
    assert find_key(settings(account="lab")).get_secret_value() == KEY


@pytest.mark.parametrize("account", ["api.openai.com", "OPENAI_API_KEY", "models.example"])
def test_settings_cannot_send_the_key_of_one_host_to_another(monkeypatch, account):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    store_key("api.openai.com", KEY)
    store_key("models.example", KEY)
    assert find_key(settings("https://elsewhere.example/v1", account=account)) is None


def test_a_redirection_takes_neither_key_nor_prompt_along(server, model_of):
    other = ScriptedServer()
    other.answers.append(chat())
    server.answers.append(ScriptedReply([], 307, {"location": f"{other.url}/chat/completions"}))
    store_key(key_name(settings(server.url)), KEY)
    with pytest.raises(ModelError, match="it redirects to"):
        model_of(server.url).ask(HELLO)
    other.close()
    assert KEY in json.dumps(server.seen[0].headers)
    assert other.seen == []


def test_a_forgotten_key_is_gone():
    store_key("models.example", KEY)
    forget_key("models.example")
    forget_key("models.example")
    assert find_key(settings()) is None


def test_the_key_of_openai_goes_to_openai_only(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert find_key(settings()) is None
    assert find_key(ModelSettings(name="test", provider="openai", model="tiny")).get_secret_value() == KEY


def test_a_key_is_not_sent_unencrypted_to_another_network():
    store_key("models.example", KEY)
    with pytest.raises(ModelError) as caught:
        find_key(settings("http://models.example/v1"))
    assert caught.value.kind is ErrorKind.AUTH


def test_without_a_key_nothing_of_the_environment_is_sent(server, model_of, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, KEY)
    server.answers.append(chat())
    model_of(server.url).ask(HELLO)
    assert KEY not in json.dumps(server.seen[0].headers)


@pytest.mark.parametrize(
    "url",
    ["https://me:secret@models.example/v1", "https://models.example/v1?api_key=secret", "ftp://models.example", "x"],
)
def test_addresses_that_hold_keys_or_are_none_are_refused(url):
    with pytest.raises(ValueError, match=r"address"):
        settings(url)


def test_extra_fields_that_hold_keys_are_refused():
    with pytest.raises(ValueError, match=r"key"):
        settings(extra_json='{"api_key": "secret"}')


@pytest.mark.parametrize(
    "answers",
    [
        [refuse(401, f"Incorrect API key provided: {KEY}")],
        [refuse(400, f"no: Authorization: Bearer {KEY}")],
        [ScriptedReply([sse({"error": {"message": f"bad key {KEY}"}})])],
        [ScriptedReply([f"<html>{KEY}</html>".encode()], 502, content_type="text/html")],
        [ScriptedReply([delta(f"your key is {KEY}"), f"data: {KEY}\n\n".encode()])],
    ],
)
def test_no_error_and_no_record_holds_the_key(server, model_of, answers):
    store_key(key_name(settings(server.url)), KEY)
    server.answers += answers
    with pytest.raises(ModelError) as caught:
        model_of(server.url, max_tries=1).ask(Request(f"My key is {KEY}"))
    error = caught.value
    records = "".join(attempt.model_dump_json() for attempt in error.tries)
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in str(error) + repr(error) + error.detail + records
    assert error.__cause__ is None


def test_an_answer_that_holds_the_key_loses_it(server, model_of):
    store_key(key_name(settings(server.url)), KEY)
    server.answers.append(chat(f"it is {KEY}"))
    assert model_of(server.url).ask(HELLO).text == "it is [key removed]"


def test_a_word_in_place_of_a_key_does_not_vanish_from_answers(server, model_of):
    store_key(key_name(settings(server.url)), "ollama")
    server.answers.append(chat("ollama is a program"))
    assert model_of(server.url).ask(HELLO).text == "ollama is a program"


def test_ordinary_words_are_no_keys():
    text = "unexpected keyword_arguments_of_the_call: sk, key"
    assert redact(text) == text


@pytest.mark.parametrize("sign", ["sk-", "sk_", "gsk_", "key-", "key_", "xai-", "xai_", "AIza", "Bearer "])
def test_what_looks_like_a_key_is_removed_even_if_it_is_not_ours(sign):
    assert "abcdef" not in redact(f"Incorrect API key provided: {sign}abcdef**********wxyz.")


def test_a_model_does_not_show_its_key(server):
    store_key(key_name(settings(server.url)), KEY)
    server.answers.append(chat())
    model = EndpointModel(settings(server.url))
    model.ask(HELLO)
    assert KEY not in repr(model) + repr(vars(model)) + model.settings.model_dump_json()
    model.close()


@pytest.fixture
def session():
    yield
    give_session_key("models.example", "")


def test_a_key_of_the_session_goes_before_all_others_and_is_in_no_keyring(session, monkeypatch, own_keyring):
    monkeypatch.setenv("SPATIAL_WORKBENCH_KEY_MODELS_EXAMPLE", "sk-from-environment")
    give_session_key("models.example", KEY)
    assert find_key(settings()).get_secret_value() == KEY
    assert own_keyring.entries == {}
    give_session_key("models.example", "")
    assert find_key(settings()).get_secret_value() == "sk-from-environment"


def test_only_the_keys_of_the_endpoints_that_are_asked_are_handed_over(session):
    give_session_key("models.example", KEY)
    assert session_keys([settings(), settings("https://other.example/v1")]) == {"models.example": KEY}
    assert session_keys([settings("https://other.example/v1")]) == {}
