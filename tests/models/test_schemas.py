"""How a schema reaches a model."""

import json
import threading
import time

import pytest

from spatial_workbench.engine.core import tasks
from spatial_workbench.engine.models.contracts import ErrorKind, ModelError, Request
from spatial_workbench.engine.models.structured import strict
from tests.models.conftest import chat, refuse

SCHEMA = {
    "type": "object",
    "properties": {"moves": {"type": "array", "items": {"type": "string"}}},
    "required": ["moves"],
}
ASKED = Request("Solve it", schema=SCHEMA)


def objects_in(schema):
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from objects_in(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from objects_in(value)


@pytest.mark.parametrize("task", tasks(), ids=lambda task: task.id)
def test_the_schema_of_every_task_has_a_strict_form(task):
    schema = strict(task.schema())
    for part in objects_in(schema):
        assert part["additionalProperties"] is False
        assert list(part["properties"]) == part["required"]
    assert not {"prefixItems", "default", "oneOf", "title"} & set(str(schema).replace("'", " ").split())


def test_tuples_become_lists_of_their_length():
    pair = {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "minItems": 2, "maxItems": 2}
    assert strict(pair) == {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}


def test_reasoning_is_asked_for_first():
    schema = {"type": "object", "properties": {"moves": {}, "reasoning": {}}, "required": ["reasoning", "moves"]}
    assert list(strict(schema)["properties"]) == ["reasoning", "moves"]


def test_an_endpoint_gets_the_schema(llmock, model_of):
    response = model_of(llmock.base_url()).ask(ASKED)
    assert response.structured == "native"
    assert "moves" in json.loads(response.text)


def test_where_the_endpoint_refuses_the_schema_it_is_put_in_words(server, model_of):
    server.answers += [refuse(400, "response_format is not supported"), chat('{"moves": []}')]
    response = model_of(server.url).ask(ASKED)
    assert response.structured == "prompt"
    assert response.adaptations == ("schema in the prompt",)
    assert "response_format" not in server.seen[1].body
    assert '"moves"' in server.seen[1].body["messages"][0]["content"]


def test_what_an_endpoint_refused_once_is_not_tried_again(server, model_of):
    server.answers += [refuse(400, "response_format is not supported"), chat("{}")]
    model = model_of(server.url)
    model.ask(ASKED)
    model.ask(ASKED)
    assert len(server.seen) == 3


def test_questions_that_are_refused_at_the_same_time_all_learn_from_it(server, model_of):
    def answer(body):
        time.sleep(0.1)
        return refuse(400, "no response_format") if "response_format" in body else chat("{}")

    server.answers.append(answer)
    model = model_of(server.url)
    forms = []
    threads = [threading.Thread(target=lambda: forms.append(model.ask(ASKED).structured)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert forms == ["prompt"] * 3


def test_a_schema_that_has_to_be_native_is_never_put_in_words(server, model_of):
    server.answers.append(refuse(400, "response_format is not supported"))
    with pytest.raises(ModelError) as caught:
        model_of(server.url, structured="native").ask(ASKED)
    assert caught.value.kind is ErrorKind.BAD_REQUEST


def test_older_servers_get_the_cap_under_its_older_name(server, model_of):
    server.answers += [refuse(400, "Unsupported parameter: 'max_completion_tokens'"), chat()]
    response = model_of(server.url, max_output_tokens=77).ask(Request("Hello"))
    assert server.seen[1].body["max_tokens"] == 77
    assert response.adaptations == ("max_tokens in place of max_completion_tokens",)


def test_a_refused_effort_is_an_error_and_never_left_out(server, model_of):
    server.answers.append(refuse(400, "Unsupported value: 'reasoning_effort'"))
    with pytest.raises(ModelError):
        model_of(server.url, effort="xhigh").ask(Request("Hello"))
    assert len(server.seen) == 1
