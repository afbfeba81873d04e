"""The probe: what it says of endpoints that do what is asked, that ignore it, that refuse it, and that are broken."""

import json

import pytest

from engine.core import Cancelled
from engine.models.capabilities import Capabilities, Feature, Result
from engine.models.contracts import Request
from engine.models.probe import probe
from engine.models.settings import ModelSettings
from tests.models.conftest import DONE, Reply, chat, delta, refuse


def settings(url, **more):
    return ModelSettings(name="test", base_url=url, **({"model": "tiny"} | more))


def results(capabilities):
    return {feature: finding.result for feature, finding in capabilities.findings.items()}


def test_an_endpoint_that_does_what_is_asked_works(llmock):
    found = results(probe(settings(llmock.base_url(), model="gpt-4o")))
    for feature in (Feature.MODEL_LIST, Feature.CHAT, Feature.USAGE, Feature.CHAT_SCHEMA, Feature.RESPONSES_SCHEMA):
        assert found[feature] is Result.WORKS, feature


def test_an_endpoint_that_ignores_everything_accepts_but_does_not_work(server):
    server.answers.append(Reply([delta("Paris, of course"), delta(finish="stop"), DONE]))
    found = results(probe(settings(server.url)))
    assert found[Feature.CHAT] is Result.WORKS
    for feature in (Feature.USAGE, Feature.CHAT_SCHEMA, Feature.MAX_COMPLETION_TOKENS, Feature.PICTURES):
        assert found[feature] is Result.ACCEPTED, feature


def strict_endpoint(body):
    """Takes nothing but plain questions."""
    if not body:
        return refuse(404, "no such page")
    if "input" in body:
        return refuse(404, "no such page")
    known = {"model", "messages", "stream", "max_tokens"}
    more = set(body) - known
    pictures = not isinstance(body["messages"][0]["content"], str)
    if more or pictures:
        return refuse(400, f"not supported: {more or 'pictures'}")
    return chat("1 2 3", finish="length" if "max_tokens" in body else "stop")


def test_an_endpoint_that_refuses_is_believed(server):
    server.answers.append(strict_endpoint)
    capabilities = probe(settings(server.url))
    found = results(capabilities)
    assert (found[Feature.CHAT], found[Feature.MAX_TOKENS]) == (Result.WORKS, Result.WORKS)
    refused = set(found) - {Feature.CHAT, Feature.MAX_TOKENS}
    assert {found[feature] for feature in refused} == {Result.REFUSED}
    assert "not supported" in capabilities.findings[Feature.PICTURES].note


@pytest.mark.parametrize("answer", [refuse(401, "wrong key"), refuse(503, "busy"), Reply([b"data: {oops\n\n"])])
def test_trouble_says_nothing_about_features(server, answer):
    server.answers.append(answer)
    found = results(probe(settings(server.url)))
    assert set(found.values()) == {Result.UNKNOWN}


def test_hosted_tools_are_tried_only_when_wanted(llmock):
    llmock.tool_mode("off")
    assert Feature.HOSTED_TOOLS not in probe(settings(llmock.base_url())).findings
    tried = probe(settings(llmock.base_url()), with_tools=True)
    assert tried.result(Feature.HOSTED_TOOLS) is Result.ACCEPTED


def test_what_the_probe_found_is_heeded(server, model_of):
    server.answers.append(strict_endpoint)
    capabilities = probe(settings(server.url))
    before = len(server.seen)
    server.answers.append(chat("{}"))
    server.answers.popleft()
    schema = {"type": "object", "properties": {}}
    response = model_of(server.url, capabilities, max_output_tokens=9).ask(Request("Hello", schema=schema))
    assert len(server.seen) == before + 1
    assert response.structured == "prompt"
    assert server.seen[-1].body["max_tokens"] == 9


def test_a_person_may_put_the_probe_right(server):
    server.answers.append(refuse(503, "busy"))
    found = probe(settings(server.url)).corrected(Feature.CHAT_SCHEMA, Result.WORKS, "I know it")
    assert found.result(Feature.CHAT_SCHEMA) is Result.WORKS
    assert found.findings[Feature.CHAT_SCHEMA].by == "person"


def test_the_record_of_a_probe_survives_storing(server):
    server.answers.append(strict_endpoint)
    found = probe(settings(server.url))
    assert Capabilities.model_validate(json.loads(found.model_dump_json())) == found


def test_a_probe_can_be_cancelled(server):
    server.answers.append(Reply([5.0]))

    def progress(done, total, text=""):
        if text == Feature.MODEL_LIST:
            raise Cancelled

    with pytest.raises(Cancelled):
        probe(settings(server.url), progress=progress)
