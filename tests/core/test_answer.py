"""Answers are read strictly, and what cannot be read is refused with its place."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.core import AnswerError
from spatial_workbench.engine.core.errors import sentence_of
from spatial_workbench.engine.core.formats.jsonlayout import layout
from spatial_workbench.engine.core.formats.jsontext import format_path, locate
from spatial_workbench.engine.core.reading.limits import MAX_TEXT_CHARS
from tests.core.sample_task import SampleTask
from tests.sweeps import few

TASK = SampleTask()


def refusal(raw) -> AnswerError:
    with pytest.raises(AnswerError) as error:
        TASK.parse(raw)
    return error.value


@pytest.mark.parametrize(
    "raw",
    [
        '{"points": [[1, 2]]}',
        {"points": [[1, 2]]},
        b'{"points": [[1, 2]]}',
        'Here it is:\n```json\n{"points": [[1, 2]]}\n```\nDone.',
        'I think {"points": [[1, 2]]} is right.',
        '{"reasoning": "because", "points": [[1.0, 2.0]]}',
    ],
    ids=["json", "plain data", "bytes", "fenced", "embedded in prose", "with reasoning"],
)
def test_the_answer_is_found_in(raw):
    assert TASK.parse(raw).points == ((1.0, 2.0),)


def test_unknown_fields_beside_the_answer_are_a_warning():
    answer = TASK.parse('{"colour": "red", "points": [[1, 2]], "size": 4}')
    assert answer.points == ((1.0, 2.0),)
    assert answer.warnings == ("colour and size are not fields of the answer and were ignored",)


def test_the_verdict_carries_the_warnings_under_every_verifier():
    verdicts = TASK.verify_all(TASK.instances()[0], '{"colour": "red", "points": [[1, 2]]}')
    assert [(v.passed, *v.warnings) for v in verdicts] == [
        (True, "colour is not a field of the answer and was ignored")
    ] * 3


def test_many_unknown_fields_are_counted():
    answer = TASK.parse({"points": [], **{f"field {n}": n for n in range(5000)}})
    assert "field 4 and 4995 more are not fields" in answer.warnings[0]


@pytest.mark.parametrize("reasoning", [None, 7, ["first", "second"], {"step": 1}])
def test_reasoning_that_is_no_text_is_passed_over(reasoning):
    answer = TASK.parse({"reasoning": reasoning, "points": [[1, 2]]})
    assert (answer.reasoning, answer.warnings) == ("", ("reasoning is not text and was ignored",))


def test_a_bare_list_stands_for_the_only_list_field():
    answer = TASK.parse("[[1, 2]]")
    assert answer.points == ((1.0, 2.0),)
    assert answer.warnings == ("The answer is a bare list; it was read as points",)


def test_an_answer_in_a_list_of_one_is_taken_out():
    assert TASK.parse('[{"points": [[1, 2]]}]').points == ((1.0, 2.0),)


def test_an_answer_is_taken_as_it_is():
    answer = TASK.parse({"points": []})
    assert TASK.parse(answer) is answer


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("", "empty"),
        ("no idea", "No JSON"),
        ('{"points": [[1, 2]', "not JSON"),
        ('{"points": [[1, "2"]]}', 'points[0][1] must be a number, not "2"'),
        ('{"points": [[1, true]]}', "points[0][1] must be a number, not true"),
        ('{"points": [[1, NaN]]}', "points[0][1] must be a finite number"),
        ('{"points": [[1, 1e999]]}', "points[0][1] must be a finite number"),
        ("{}", "points is missing"),
        ('{"point": [[1, 2]]}', "points is missing; point is not known; is it points?"),
        ('{"coordinates": [], "size": 3}', "points is missing; coordinates and size are not known"),
        ("7", "The answer must be an object"),
        ('{"points": [[1, 1000000001]]}', "points[0][1] must be a finite number of at most ±1,000,000,000"),
        ('{"points": [[1]]}', "points[0]"),
        ('{"points": ' + "[" * 100_000 + "]" * 100_000 + "}", "deep"),
        ('{"points": [[1, ' + "9" * 5000 + "]]}", "points[0][1] must be a finite number"),
        (b"\xff\xfe\x00", "UTF-8"),
    ],
)
def test_bad_answers_are_refused_with_the_place(raw, words):
    assert words in str(refusal(raw))


def test_the_line_of_a_syntax_error_is_named():
    assert refusal('{\n  "points": [\n    [1; 2]\n  ]\n}').line == 3


def test_the_line_of_a_wrong_value_is_named():
    assert refusal('{\n  "points": [\n    [1, 2],\n    [1, "x"]\n  ]\n}').line == 4


def test_the_line_counts_from_the_start_of_the_text_around_the_json():
    assert refusal('Well,\nI say\n```json\n{"points": [[1, "x"]]}\n```').line == 4


def test_a_list_that_is_too_long_is_refused_before_its_entries_are_read():
    assert str(refusal({"points": ["nonsense"] * 101})) == "Too many points (limit 100)"


@pytest.mark.timeout(30)
def test_a_hundred_megabytes_are_refused_at_once():
    text = "x" * 100_000_000
    assert "100 MB long" in str(refusal(text))


@pytest.mark.parametrize(
    "piece",
    ["```json\n", "[1,", "x [", '{"a": "', "[[[[1, 2], ", "}{"],
    ids=["fences", "list", "brackets", "text", "nested", "braces"],
)
def test_text_that_is_made_to_be_slow_is_refused_soon(piece):
    text = "well " + piece * (few(1_000_000, 8_000_000) // len(piece))
    with contextlib.suppress(AnswerError):
        TASK.parse(text)


@pytest.mark.parametrize("number", [10**5000, -(10**400), 1e300, float("inf"), float("nan"), 10**9 + 1], ids=range(6))
def test_numbers_beyond_the_limit_are_refused_before_a_task_sees_them(number):
    assert "points[0][1] must be a finite number" in str(refusal({"points": [[1, number]]}))


def test_data_within_itself_is_refused():
    endless: list = []
    endless.append(endless)
    assert "nested too deeply" in str(refusal({"points": endless}))


def test_too_many_values_are_refused():
    assert "too many values" in str(refusal({"points": [[0] * 1_000_001] * 2}))


def test_halves_of_surrogate_pairs_are_replaced_and_whole_pairs_are_kept():
    answer = TASK.parse('{"reasoning": "\\ud800 and \\ud83d\\ude00", "points": []}')
    assert answer.reasoning == "\ufffd and \U0001f600"
    assert TASK.parse(TASK.format(answer)) == answer


def test_text_up_to_the_limit_is_read():
    text = '{"points": []}'.ljust(MAX_TEXT_CHARS)
    assert TASK.parse(text).points == ()


def test_the_schema_asks_a_model_for_its_reasoning_first():
    assert TASK.schema()["required"] == ["reasoning", "points"]


def test_formatting_and_parsing_gives_the_same_answer():
    answer = TASK.parse({"points": [[0.5, 2], [3, 4]]})
    assert TASK.parse(TASK.format(answer)) == answer


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.slow
@given(JSON)
def test_layout_never_changes_the_data(data):
    assert json.loads(layout(data)) == data


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused_and_nothing_else(text):
    with contextlib.suppress(AnswerError):
        TASK.parse(text)


def test_places_in_text_are_found():
    text = '{"a": [1, {"b": 2}], "c": "x"}'
    assert text[locate(text, ("a", 1, "b")) :].startswith("2")
    assert text[locate(text, ("c",)) :].startswith('"x"')
    assert format_path(("a", 1, "b")) == "a[1].b"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (AnswerError("bricks are missing"), "bricks are missing"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
        (KeyError(), "KeyError"),
    ],
)
def test_our_own_errors_speak_for_themselves_and_others_are_named(error, sentence):
    assert sentence_of(error) == sentence
