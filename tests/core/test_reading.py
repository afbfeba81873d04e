"""Text is read generously: as it stands first, then with one repair after the other, and what was repaired is said."""

import contextlib
import json
from functools import cache

import pytest

import engine
from engine.core import AnswerError
from engine.core.reading import AROUND, FENCE, FINAL, PYTHON, QUOTES, THINKING, WORDS, read_loosely
from tests.core.sample_task import SampleTask

SAMPLE = SampleTask()
JSON_TASKS = [task for task in engine.all_tasks() if task.answer_format == "json"]
LIST_TASKS = [task for task in JSON_TASKS if task.id not in ("csg_union", "polynomial_fit")]
# A machine is a bare list anyway, which is nothing to be warned about.
WRAPPED_LIST_TASKS = [task for task in LIST_TASKS if not task.id.startswith("machine_")]
SHELL = {"reasoning": "the shell’s wall, “thick”", "points": [[1, 2]]}


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
    ],
)
def test_the_verdict_says_how_the_answer_was_read(text, repairs):
    verdict = SAMPLE.verify(SAMPLE.instances()[0], text)
    assert (verdict.passed, list(verdict.warnings)) == (True, repairs)


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
    answer = engine.task(task).parse(text)
    assert getattr(answer, field) == value
    assert WORDS in answer.warnings or "[" in text


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


@pytest.mark.parametrize(
    "text",
    [
        *(
            "[" * 100_000,
            "(" * 100_000 + ")" * 100_000,
            "1e999999, {" * 1000,
            "9" * 100_000,
            "{'a': " + "9" * 9000 + "}",
        ),
        *("<think>" * 500_000, "</think>" * 500_000, "{" + '"\\"' * 300_000, "final answer:\n" * 200_000),
        *("“" * 900_000, "```\n" * 900_000, "[1, 2] " * 500_000, "a,\n" * 500_000, "\\" * 1_000_000),
    ],
    ids=range(14),
)
@pytest.mark.timeout(30)
def test_texts_made_to_hurt_are_read_or_refused(text):
    with contextlib.suppress(AnswerError):
        list(read_loosely(text))


@cache
def solved(task):
    return json.loads(task.format(task.solve(task.instances()[0])))


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
