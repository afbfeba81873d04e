"""Text is read generously: as it stands first, then with one repair after the other, and what was repaired is said."""

import contextlib
import json
import re
from functools import cache

import pytest

from spatial_workbench.engine.core import AnswerError
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.engine.core.reading.how_read import (
    AROUND,
    COMMAS,
    COMMENTS,
    ENCODED,
    ENVELOPE,
    FENCE,
    FINAL,
    KEYS,
    LINES,
    PYTHON,
    QUOTES,
    THINKING,
    WORDS,
    HowRead,
)
from tests.core.sample_task import SampleTask

SAMPLE = SampleTask()
JSON_TASKS = [task for task in all_tasks() if task.answer_format == "json"]


def fields_of(task):
    """The schema's fields but the reasoning."""
    return {name: field for name, field in task.schema().get("properties", {}).items() if name != "reasoning"}


def holds_one_list(task):
    """Whether an answer is one list in a field. A machine is a bare list anyway, and nothing to be warned about."""
    kinds = [field.get("type") for field in fields_of(task).values()]
    return kinds == ["array"] and not task.id.startswith("machine_")


WRAPPED_LIST_TASKS = [task for task in JSON_TASKS if holds_one_list(task)]
SHELL = {"reasoning": "the shell’s wall, “thick”", "points": [[1, 2]]}


@cache
def solved(task):
    return json.loads(task.format(task.solve(task.instances()[0])))


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        ('{"points": [[1, 2]]}', []),
        (str(SHELL), [PYTHON]),
        (json.dumps(SHELL, ensure_ascii=False), []),
        ("{“points”: [[1, 2]]}", [QUOTES]),
        ("{‘points’: [(1, 2)]}", [QUOTES, PYTHON]),
        ('```json\n{"points": [[1, 2]]}\n```', [FENCE]),
        ("```python\n{'points': [[1, 2]]}\n```", [FENCE, PYTHON]),
        ('I think [3, 4].\n**Final answer:** {"points": [[1, 2]]}\nThanks', [FINAL]),
        ('Final answer:\n{"points": [\n[1, 2]]}', [FINAL]),
        ('It is {"points": [[1, 2]]}, surely.', [AROUND]),
        ("It is {'points': [[1, 2]]}, surely.", [AROUND, PYTHON]),
        ('<think>{"points": [[9, 9]]}</think>{"points": [[1, 2]]}', [THINKING]),
        ('so {"points": [[9, 9]]}</think>\n{"points": [[1, 2]]}', [THINKING]),
        ('[Step 1] I look. {"points": [[1, 2]]}', [AROUND]),
        ('{"points": [[1, 2]]} is the answer', [AROUND]),
        ("{points: [[1, 2]]}", [KEYS]),
        ('{"points": [[1, 2]] // one point\n}', [COMMENTS]),
        ('{"points": [[1, 2],],}', [COMMAS]),
        ('{"reasoning": "one\ntwo", "points": [[1, 2]]}', [LINES]),
        ('{"answer": {"points": [[1, 2]]}}', [ENVELOPE]),
        (json.dumps('{"points": [[1, 2]]}'), [ENCODED]),
        ('{"points": "[[1, 2]]"}', [ENCODED]),
    ],
)
def test_the_verdict_says_how_the_answer_was_read(text, repairs):
    verdict = SAMPLE.verify(SAMPLE.instances()[0], text)
    assert (verdict.passed, list(verdict.warnings)) == (True, [repair.sentence for repair in repairs])
    assert verdict.how_read is (HowRead.MENDED if repairs else HowRead.AS_IT_IS)
    assert verdict.mending == ", ".join(repair.word for repair in repairs)


@pytest.mark.parametrize(
    ("task", "text", "field", "value"),
    [
        ("half_subdivision", "010, 0110", "neighbors", ("010", "0110")),
        ("half_subdivision", "1100, 1010", "neighbors", ("1100", "1010")),
        ("half_subdivision", "Final answer: 0110", "neighbors", ("0110",)),
        ("classify_behaviour", "known behaviour\nambiguous", "labels", ("known behaviour", "ambiguous")),
        ("cube_full_symbolic", "R, U, F'", "moves", ("R", "U", "F'")),
        ("topology_enumeration", "[(0, 1, 1, 0)]", "configs", ((0, 1, 1, 0),)),
    ],
)
def test_words_without_brackets_are_a_list(task, text, field, value):
    answer = task_of(task).parse(text)
    assert getattr(answer, field) == value
    assert WORDS.sentence in answer.warnings or "[" in text


def test_of_several_lists_in_prose_the_one_that_makes_an_answer_counts():
    text = "The edges [0, 1, 2, 3, 4, 5, 6] are wrong, so the answer is [[2, 3]] as shown."
    assert SAMPLE.parse(text).points == ((2, 3),)


@pytest.mark.parametrize("text", ['{"points": [[1, 2], [3', "[[1, 2], [3, 4", '{"points": [[1, 2], oops]}'])
def test_parts_of_data_that_is_cut_off_or_broken_are_no_answer(text):
    with pytest.raises(AnswerError, match="not JSON"):
        SAMPLE.parse(text)


@pytest.mark.parametrize("text", ["", "<think>only thoughts</think>", "I do not know what to say here, sorry."])
def test_where_there_is_no_data_the_reader_says_so(text):
    with pytest.raises(AnswerError, match=r"empty|No JSON"):
        SAMPLE.parse(text)


# Some of these fill megabytes: each is made in its test, not while tests are collected.
HURTING = {
    "brackets that never close": lambda: "[" * 100_000,
    "parentheses": lambda: "(" * 100_000 + ")" * 100_000,
    "numbers beyond floats": lambda: "1e999999, {" * 1000,
    "one long number": lambda: "9" * 100_000,
    "a long number in Python's notation": lambda: "{'a': " + "9" * 9000 + "}",
    "thoughts that open": lambda: "<think>" * 500_000,
    "thoughts that close": lambda: "</think>" * 500_000,
    "escaped quotes": lambda: "{" + '"\\"' * 300_000,
    "announcements": lambda: "final answer:\n" * 200_000,
    "curly quotes": lambda: "“" * 900_000,
    "fences": lambda: "```\n" * 900_000,
    "lists": lambda: "[1, 2] " * 500_000,
    "trailing commas": lambda: "a,\n" * 500_000,
    "backslashes": lambda: "\\" * 1_000_000,
}


@pytest.mark.parametrize("name", HURTING)
@pytest.mark.timeout(30)
def test_texts_made_to_hurt_are_read_or_refused(name):
    with contextlib.suppress(AnswerError):
        SAMPLE.parse(HURTING[name]())


@pytest.mark.parametrize("task", JSON_TASKS, ids=lambda task: task.id)
def test_every_task_welcomes_reasoning_and_passes_over_other_fields(task):
    data = solved(task)
    answer = task.parse({"confidence": 0.9, **data, "reasoning": "because"})
    assert answer.model_dump(exclude={"reasoning"}) == task.parse(data).model_dump(exclude={"reasoning"})
    assert answer.warnings == ("confidence is not a field of the answer and was ignored",)


@pytest.mark.parametrize("task", JSON_TASKS, ids=lambda task: task.id)
def test_every_task_takes_its_answer_out_of_a_list_of_one(task):
    data = solved(task)
    answer = task.parse(json.dumps([data]))
    assert answer.model_dump() == task.parse(data).model_dump()
    assert answer.warnings == ("The answer was the only entry of a list and was taken out of it",)


@pytest.mark.parametrize("task", JSON_TASKS, ids=lambda task: task.id)
def test_every_task_names_the_nearest_field_where_one_is_missing(task):
    data = solved(task)
    field = next(name for name in data if name != "reasoning")
    with pytest.raises(AnswerError, match=f"{field} is missing; {field}_list is not known; is it {field}"):
        task.parse({f"{field}_list": data[field]})


@pytest.mark.parametrize("task", WRAPPED_LIST_TASKS, ids=lambda task: task.id)
def test_every_task_with_one_list_takes_a_bare_list(task):
    data = solved(task)
    field = next(name for name in data if name != "reasoning")
    answer = task.parse(json.dumps(data[field]))
    assert answer.model_dump(exclude={"reasoning"}) == task.parse(data).model_dump(exclude={"reasoning"})
    assert answer.warnings == (f"The answer is a bare list; it was read as {field}",)


@pytest.mark.parametrize("task", JSON_TASKS, ids=lambda task: task.id)
def test_every_task_reads_python_literals_within_prose(task):
    data = solved(task)
    answer = task.parse(f"The shell’s wall.\n```python\n{data}\n```\nDone.")
    assert answer.model_dump() == task.parse(data).model_dump()


# The same in all tasks -----------------------------------------------------------------------------------------------


def wrapped(data, key):
    return json.dumps({key: data})


def with_bare_names(data):
    return re.sub(r'"(\w+)": ', r"\1: ", json.dumps(data))


def with_comment(data):
    return json.dumps(data).replace("{", "{ // what I found\n", 1)


def with_commas(data):
    return json.dumps(data).rstrip("}") + ",}" * (len(json.dumps(data)) - len(json.dumps(data).rstrip("}")))


FORMS = {
    "as it is": (json.dumps, "as it is", ""),
    "a code block": (lambda data: f"```json\n{json.dumps(data)}\n```", "mended", "code block"),
    "after a marker": (lambda data: f"Well.\nFinal answer: {json.dumps(data)}", "mended", "after a marker"),
    "in prose": (lambda data: f"It is {json.dumps(data)}, I think.", "mended", "out of text"),
    "after thinking": (lambda data: f"<think>hm</think>{json.dumps(data)}", "mended", "after thinking"),
    "in a field “answer”": (lambda data: wrapped(data, "answer"), "mended", "taken out of “answer”"),
    "in a field “final_answer”": (lambda data: wrapped(data, "final_answer"), "mended", "taken out of “answer”"),
    "names without quotes": (with_bare_names, "mended", "names without quotes"),
    "a comment": (with_comment, "mended", "comments"),
    "commas at the end": (with_commas, "mended", "commas"),
    "encoded twice": (lambda data: json.dumps(json.dumps(data)), "mended", "JSON within text"),
    "encoded in a field": (
        lambda data: wrapped(json.dumps(data), "answer"),
        "mended",
        "taken out of “answer”, JSON within text",
    ),
    "twice the same": (lambda data: f"{json.dumps(data)}\nSo: {json.dumps(data)}", "mended", "out of text"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("task", JSON_TASKS, ids=lambda task: task.id)
def test_every_task_reads_the_same_forms(task, form):
    write, how, mending = FORMS[form]
    data = {name: value for name, value in solved(task).items() if name != "reasoning"}
    answer = task.parse(write(data))
    if task.id.startswith("machine_") and mending == "code block":
        how = "as it is"
        mending = ""
    assert answer.model_dump() == task.parse(data).model_dump()
    assert (answer.how.how, answer.how.mending) == (how, mending)


def parts_of(data, path=()):
    """The places of all objects within an answer."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in list(entries)[:3]:
        if isinstance(value, dict):
            yield (*path, key), value
        yield from parts_of(value, (*path, key))


def has_parts(task):
    """Whether an answer holds objects; the schema of machines does not say so."""
    parts = task.schema().get("$defs", {}).values()
    return task.id.startswith("machine_") or any(part.get("type") == "object" for part in parts)


PARTS_TASKS = [task for task in JSON_TASKS if has_parts(task)]


@pytest.mark.parametrize("task", PARTS_TASKS, ids=lambda task: task.id)
def test_every_task_passes_over_unknown_fields_of_parts(task):
    data = json.loads(json.dumps(solved(task)))
    places = [place for place, part in parts_of(data) if part.update(note="mine") is None]
    answer = task.parse(data)
    assert places
    if task.id.startswith("machine_"):
        assert "“note” is not known and was ignored" in answer.reading.warnings[0].sentence
        assert answer.reading.tree == task.parse(solved(task)).reading.tree
    else:
        assert answer.model_dump() == task.parse(solved(task)).model_dump()
        assert "ignored" in answer.warnings[0]


def numbers_as_text(data):
    if isinstance(data, dict):
        return {name: numbers_as_text(value) for name, value in data.items()}
    if isinstance(data, list):
        return [numbers_as_text(value) for value in data]
    return str(data) if isinstance(data, int | float) else data


WITHOUT_NUMBERS = ("classify_behaviour", "half_subdivision", "polynomial_fit")
# Machines take texts of digits: their specification says so.
NUMBERED = [
    task for task in JSON_TASKS if task.id not in WITHOUT_NUMBERS and not task.id.startswith(("machine_", "cube_"))
]


@pytest.mark.parametrize("task", NUMBERED, ids=lambda task: task.id)
def test_no_task_takes_texts_for_numbers(task):
    with pytest.raises(AnswerError):
        task.parse(numbers_as_text(solved(task)))


# Which candidate counts ----------------------------------------------------------------------------------------------

RIGHT = '{"points": [[1, 2]]}'
WRONG = '{"points": [[9, 9], [8, 8]]}'
SEVERAL = "The text holds 2 different answers; the last one was read"


@pytest.mark.parametrize(
    "text",
    [
        f"First try: {WRONG} no. Final: {RIGHT}",
        f"First try: {WRONG}\n```json\n{RIGHT}\n```",
        f"```json\n{WRONG}\n```\nBetter: {RIGHT} as I said.",
        f"```json\n{WRONG}\n```\nBetter:\n```json\n{RIGHT}\n```",
        f"Final answer: {WRONG}\nNo. Final answer: {RIGHT}",
        f"{WRONG}\n\n{RIGHT}",
        f"{WRONG} and\n{{'points': [(1, 2)]}}",
        f'{WRONG} is wrong. {RIGHT}\n{{"confidence": 0.9}}',
        f"{WRONG} is wrong. {RIGHT} has [1, 2] and [[3, 4]].",
    ],
)
def test_the_last_candidate_that_is_an_answer_counts(text):
    verdict = SAMPLE.verify(SAMPLE.instances()[0], text)
    assert (verdict.score, verdict.how_read) == (1, HowRead.SEVERAL)
    assert verdict.warnings[0] == SEVERAL


def test_the_reverse_order_scores_0():
    verdict = SAMPLE.verify(SAMPLE.instances()[0], f"First try: {RIGHT} no. Final: {WRONG}")
    assert (verdict.score, verdict.warnings[0]) == (0, SEVERAL)


def test_candidates_that_are_the_same_are_one():
    answer = SAMPLE.parse(f'{RIGHT} and {{"reasoning": "so", "points": [[1.0, 2]]}}')
    assert answer.how.count == 1


def test_an_object_within_another_is_no_candidate():
    text = f'{{"first": {RIGHT}, "second": {WRONG}}}'
    with pytest.raises(AnswerError, match="points is missing"):
        SAMPLE.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        f"Look: {RIGHT[:-3]}",
        f"{RIGHT} or rather {WRONG[:-5]}",
        f"```json\n{RIGHT[:-3]}",
        f"<think>it may be {RIGHT}",
        '{"reasoning": "it may be',
        "[[1, 2], [3",
    ],
)
def test_a_text_that_ends_within_the_answer_was_cut_off(text):
    verdict = SAMPLE.verify(SAMPLE.instances()[0], text)
    expected = HowRead.NO_ANSWER if "think" in text else HowRead.TRUNCATED
    assert (verdict.score, verdict.how_read) == (0, expected)


@pytest.mark.parametrize(
    "text",
    [
        f"The interval [0, 1) holds it: {RIGHT}",
        f"[Step 1] I look. [see {{above}}] {RIGHT}",
        f"\\boxed{{ {RIGHT} }}",
        f'```json\n{{"points": [[1, 2], ...\n```\nis the form. {RIGHT}',
        f'{{"points": [...]}} is the form. {RIGHT}',
        f"Final answer: [x, y] is\n{RIGHT}",
    ],
)
def test_brackets_of_prose_do_not_hide_the_answer(text):
    assert SAMPLE.parse(text).points == ((1.0, 2.0),)


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("", HowRead.NO_ANSWER),
        ("I do not know what to say here, sorry.", HowRead.NO_ANSWER),
        ('{"points": [[1, "2"]]}', HowRead.UNREADABLE),
        ('{"points": [[1, 2], oops]}', HowRead.UNREADABLE),
    ],
)
def test_why_there_is_no_answer_is_told_apart(text, how):
    assert SAMPLE.verify(SAMPLE.instances()[0], text).how_read is how


@pytest.mark.parametrize(
    ("how", "finish_reason", "expected"),
    [
        (HowRead.UNREADABLE, "length", HowRead.TRUNCATED),
        (HowRead.NO_ANSWER, "length", HowRead.TRUNCATED),
        (HowRead.NO_ANSWER, "content_filter", HowRead.REFUSED),
        (HowRead.MENDED, "length", HowRead.MENDED),
        (HowRead.NO_ANSWER, "stop", HowRead.NO_ANSWER),
    ],
)
def test_the_end_of_a_reply_explains_a_missing_answer(how, finish_reason, expected):
    assert how.given(finish_reason) is expected
