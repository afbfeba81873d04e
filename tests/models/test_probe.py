"""The probe: what it says of endpoints that do what is asked, that ignore it, that refuse it, and that are broken."""

import json
from datetime import UTC, datetime

import pytest

from spatial_workbench.engine.core import Cancelled
from spatial_workbench.engine.models.capabilities import (
    Capabilities,
    Feature,
    PictureForm,
    ProbeFinding,
    Result,
    missing_probes,
)
from spatial_workbench.engine.models.contracts import Request
from spatial_workbench.engine.models.library import ModelLibrary
from spatial_workbench.engine.models.probe import list_models, probe
from spatial_workbench.engine.models.settings import ModelSettings
from tests.models.conftest import DONE, ScriptedReply, chat, delta, refuse


def settings(url, **more):
    return ModelSettings(name="test", base_url=url, **({"model": "tiny"} | more))


def results(capabilities):
    return {feature: finding.result for feature, finding in capabilities.findings.items()}


def test_an_endpoint_that_does_what_is_asked_works(llmock):
    by_feature = results(probe(settings(llmock.base_url(), model="gpt-4o")))
    for feature in (Feature.MODEL_LIST, Feature.CHAT, Feature.USAGE, Feature.CHAT_SCHEMA, Feature.RESPONSES_SCHEMA):
        assert by_feature[feature] is Result.WORKS, feature


def test_an_endpoint_that_ignores_everything_accepts_but_does_not_work(server):
    server.answers.append(ScriptedReply([delta("Paris, of course"), delta(finish="stop"), DONE]))
    by_feature = results(probe(settings(server.url)))
    assert by_feature[Feature.CHAT] is Result.WORKS
    for feature in (Feature.USAGE, Feature.CHAT_SCHEMA, Feature.MAX_COMPLETION_TOKENS, Feature.PICTURES):
        assert by_feature[feature] is Result.ACCEPTED, feature


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
    by_feature = results(capabilities)
    assert (by_feature[Feature.CHAT], by_feature[Feature.MAX_TOKENS]) == (Result.WORKS, Result.WORKS)
    plain = {Feature.CHAT, Feature.MAX_TOKENS, Feature.STREAMS, Feature.REASONING}
    refused = set(by_feature) - plain
    assert {by_feature[feature] for feature in refused} == {Result.REFUSED}
    assert "not supported" in capabilities.findings[Feature.PICTURES].note


@pytest.mark.parametrize("answer", [refuse(401, "wrong key"), refuse(503, "busy"), ScriptedReply([b"data: {oops\n\n"])])
def test_trouble_says_nothing_about_features(server, answer):
    server.answers.append(answer)
    by_feature = results(probe(settings(server.url)))
    assert set(by_feature.values()) == {Result.UNKNOWN}


@pytest.mark.slow
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
    corrected = probe(settings(server.url)).corrected(Feature.CHAT_SCHEMA, Result.WORKS, "I know it")
    assert corrected.result(Feature.CHAT_SCHEMA) is Result.WORKS
    assert corrected.findings[Feature.CHAT_SCHEMA].by == "person"


def test_the_record_of_a_probe_survives_storing(server):
    server.answers.append(strict_endpoint)
    probed = probe(settings(server.url))
    assert Capabilities.model_validate(json.loads(probed.model_dump_json())) == probed


def test_a_probe_can_be_cancelled(server):
    server.answers.append(ScriptedReply([5.0]))

    def progress(done, total, text=""):
        if text == Feature.MODEL_LIST:
            raise Cancelled

    with pytest.raises(Cancelled):
        probe(settings(server.url), progress=progress)


def capabilities(settings, **results):
    findings = {Feature[name]: ProbeFinding(result=result) for name, result in results.items()}
    return Capabilities(base_url=settings.url, model=settings.model, probed_at=datetime.now(UTC), findings=findings)


def test_a_newer_probe_keeps_what_it_did_not_find_out():
    own = settings("http://127.0.0.1:1/v1")
    known = capabilities(own, CHAT=Result.WORKS, HOSTED_TOOLS=Result.WORKS).corrected(Feature.EFFORT, Result.REFUSED)
    newer = capabilities(own, CHAT=Result.UNKNOWN, EFFORT=Result.WORKS, PICTURES=Result.WORKS)
    by_feature = results(known.updated(newer))
    assert by_feature == {
        **dict.fromkeys((Feature.CHAT, Feature.HOSTED_TOOLS, Feature.PICTURES), Result.WORKS),
        Feature.EFFORT: Result.REFUSED,
    }


def test_one_feature_can_be_probed_by_itself(llmock):
    llmock.tool_mode("off")
    assert set(probe(settings(llmock.base_url()), only=[Feature.HOSTED_TOOLS]).findings) == {Feature.HOSTED_TOOLS}


def test_only_the_probe_that_is_missing_is_asked_for():
    plain = settings("http://127.0.0.1:1/v1")
    tools = plain.changed(tools=True, api="responses")
    known = capabilities(plain, RESPONSES=Result.WORKS)
    assert Feature.HOSTED_TOOLS not in missing_probes(plain, None)
    assert missing_probes(plain, known) == frozenset()
    assert missing_probes(tools, known) == {Feature.HOSTED_TOOLS}
    assert missing_probes(tools, capabilities(plain, RESPONSES=Result.REFUSED)) == frozenset()


def test_probing_a_model_again_keeps_its_place_and_its_settings(tmp_path):
    library = ModelLibrary(tmp_path / "models.json")
    first, second = (settings("http://127.0.0.1:1/v1").changed(name=name) for name in ("first", "second"))
    library.store_model(first)
    library.store_model(second)
    library.learn("first", capabilities(first, CHAT=Result.WORKS))
    library.store_model(first.changed(temperature=0.5))
    names = [known.settings.name for known in library.all() if known.is_own]
    assert names == ["first", "second"]
    assert library.find("first").capabilities.result(Feature.CHAT) is Result.WORKS


def test_a_published_preset_that_was_probed_stays_where_it_was(tmp_path):
    library = ModelLibrary(tmp_path / "models.json")
    before = [known.settings.name for known in library.all()]
    preset = library.find("claude-sonnet-4-5-HighReasoning").settings
    library.learn(preset.name, capabilities(preset, CHAT=Result.WORKS))
    assert [known.settings.name for known in library.all()] == before


def test_a_model_can_be_renamed(tmp_path):
    library = ModelLibrary(tmp_path / "models.json")
    own = settings("http://127.0.0.1:1/v1")
    library.store_model(own)
    library.store_model(own.changed(name="other"), renamed_from=own.name)
    assert [known.settings.name for known in library.all() if known.is_own] == ["other"]


def test_top_p_and_extra_fields_are_sent(server, model_of):
    server.answers.append(chat("hi"))
    model_of(server.url, top_p=0.5, temperature=0.2, extra_json='{"top_k": 20}').ask(Request("Hello"))
    body = server.seen[-1].body
    assert (body["top_p"], body["temperature"], body["top_k"]) == (0.5, 0.2, 20)


def test_extra_fields_that_are_no_json_are_refused_with_a_sentence():
    with pytest.raises(ValueError, match="have to be a JSON object, such as"):
        settings("http://127.0.0.1:1/v1").changed(extra_json="{top_k: 20}")


def seeing(body, form):
    """An endpoint that sees pictures in one form only, thinks, answers in one piece and calls functions."""
    if not body:
        return ScriptedReply([b'{"data": [{"id": "tiny"}, {"id": "other"}]}'], content_type="application/json")
    if "input" in body:
        return refuse(404, "no such page")
    content = body["messages"][-1]["content"]
    message = {"content": "hello", "reasoning_content": "hm"}
    if "tools" in body:
        message["tool_calls"] = [{"id": "1", "function": {"name": "turn_face", "arguments": "{}"}}]
    if not isinstance(content, str):
        if not isinstance(content[1]["image_url"], form):
            return refuse(422, "image_url has another form")
        message["content"] = "Red."
    if body.get("reasoning_effort") in ("minimal", "max"):
        return refuse(400, "no such effort")
    data = {"choices": [{"message": message, "finish_reason": "stop"}]}
    return ScriptedReply([json.dumps(data).encode()], content_type="application/json")


@pytest.mark.parametrize(
    ("form", "found"), [(dict, PictureForm.IMAGE_URL), (str, PictureForm.PLAIN_IMAGE_URL), (list, None)]
)
def test_the_form_in_which_pictures_are_seen_is_found_out(server, form, found):
    server.answers.append(lambda body: seeing(body, form))
    known = probe(settings(server.url))
    assert (known.picture_form, known.sees_pictures) == (found, found is not None)


def test_pictures_are_sent_in_the_form_that_the_probe_found(server, model_of):
    server.answers.append(lambda body: seeing(body, str))
    known = probe(settings(server.url))
    response = model_of(server.url, known).ask(Request("Which colour?", pictures=(b"png",)))
    assert (response.text, response.adaptations) == ("Red.", ("pictures as plain image_url",))


def test_streams_tools_reasoning_models_and_efforts_are_found_out(server):
    server.answers.append(lambda body: seeing(body, dict))
    known = probe(settings(server.url))
    assert known.calls_functions
    assert known.models == ("other", "tiny")
    assert (known.result(Feature.STREAMS), known.result(Feature.REASONING)) == (Result.ACCEPTED, Result.WORKS)
    assert known.efforts["minimal"] is known.efforts["max"] is Result.REFUSED
    assert known.efforts["low"] is known.efforts["xhigh"] is Result.ACCEPTED
    assert not known.has_failed
    assert "pictures" in known.words


def test_a_probe_that_found_nothing_says_in_one_line_why(server):
    server.answers.append(refuse(401, "wrong\nkey"))
    known = probe(settings(server.url))
    assert known.has_failed
    assert known.words.startswith("The probe failed: ")
    assert "wrong key" in known.words


def test_an_endpoint_that_refuses_both_interfaces_has_failed(server):
    server.answers.append(refuse(404, "no such model"))
    known = probe(settings(server.url))
    assert (known.has_failed, known.words) == (True, "The probe failed: Error code: 404 - no such model")


def test_a_failed_probe_keeps_what_was_known_and_still_looks_failed(server):
    server.answers.append(lambda body: seeing(body, str))
    before = probe(settings(server.url))
    server.answers.append(refuse(503, "busy"))
    server.answers.popleft()
    known = before.updated(probe(settings(server.url)))
    assert (known.picture_form, known.has_failed) == (PictureForm.PLAIN_IMAGE_URL, True)
    assert known.result(Feature.FUNCTIONS) is Result.WORKS


def test_the_models_of_an_endpoint_are_listed_without_a_probe(server):
    server.answers.append(lambda body: seeing(body, dict))
    assert list_models(settings(server.url)) == ("other", "tiny")
    assert len(server.seen) == 1


def test_probes_of_earlier_versions_can_be_read(server):
    older = {"base_url": "http://a/v1", "model": "m", "probed_at": "2026-01-01T00:00:00Z"}
    read = Capabilities.model_validate({**older, "findings": {"Chat Completions": {"result": "works"}}})
    assert (read.has_failed, read.picture_form, read.models) == (False, None, ())
