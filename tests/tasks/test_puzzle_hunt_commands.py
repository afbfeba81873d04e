"""Commands and questions of puzzles: writing the solution, pages and parts of pages, and wrong arguments."""

import io

import pytest
from PIL import Image

from spatial_workbench.engine.core import AnswerError, resolve
from spatial_workbench.engine.core.acting.commands import questions_of
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.hands.episode import Episode
from tests.tasks.acting import after

TASK, FIRST = resolve("puzzle_hunt:0")
WHOLE = {"left": 0, "top": 0, "right": 1, "bottom": 1}


def asked(name, **arguments):
    return questions_of(TASK)[name].ask(FIRST, TASK.empty(FIRST), arguments)


def picture(told):
    (png,) = told.pictures
    return Image.open(io.BytesIO(png))


@pytest.mark.parametrize("instance", TASK.instances(), ids=str)
def test_the_reference_is_reached_with_its_steps_and_its_answer(instance):
    reference = TASK.solve(instance)
    *steps, last = reference.text.splitlines()
    given = {"text": last.removeprefix("Answer: "), "steps": "\n".join(steps)}
    assert after(TASK, instance, ("answer", given)) == reference


def test_a_solution_takes_the_place_of_the_one_before():
    answer = after(TASK, FIRST, ("answer", {"text": "DOCK"}), ("answer", {"text": " harbour "}))
    assert answer.text == "Answer: harbour"


def test_a_page_is_shown_as_the_prompt_shows_it():
    assert asked("page", page=1).pictures == TASK.prompt(FIRST).pictures


def test_a_part_of_a_page_has_more_detail():
    """A quarter of the page in each direction is drawn with the page's own pixels, or as many as models are shown."""
    whole, part = picture(asked("page")), picture(asked("zoom", left=0.25, top=0.5, right=0.5, bottom=0.75))
    assert max(part.size) > max(whole.size) / 4
    assert part.width / part.height == pytest.approx(whole.width / whole.height, rel=0.01)


def test_the_whole_of_a_page_is_the_page():
    assert picture(asked("zoom", **WHOLE)).tobytes() == picture(asked("page")).tobytes()


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("page", {"page": 2}, "There is no page 2; pages go from 1 to 1"),
        ("page", {"page": 0}, "page"),
        ("page", {"page": "first"}, "page must be a whole number"),
        ("zoom", {**WHOLE, "page": 7}, "There is no page 7"),
        ("zoom", {**WHOLE, "left": 1}, "left has to be below right"),
        ("zoom", {**WHOLE, "top": float("nan")}, "top must be a finite number"),
        ("zoom", {**WHOLE, "right": 300}, "right"),
        ("zoom", {}, "left is missing"),
    ],
)
def test_questions_with_wrong_arguments_are_answered_with_their_place(name, arguments, words):
    with pytest.raises(AnswerError, match=words):
        asked(name, **arguments)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"text": "one\ntwo"}, "the final answer has one line"),
        ({"text": 7}, "text must be text, not 7"),
        ({"text": "x" * 10_000}, "text"),
        ({"text": ["A"] * 10_000}, "text must be text"),
    ],
)
def test_wrong_solutions_are_named(arguments, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, FIRST, ("answer", arguments))


def test_pages_count_as_pictures_and_run_out():
    acting = Episode(TASK, FIRST, HandsOptions(pictures=1))
    assert len(acting.call("page").pictures) == 1
    call = acting.call("zoom", WHOLE)
    assert (call.result, call.pictures) == ("No pictures are left.", ())


def test_who_sees_only_text_is_shown_no_pages():
    tools = Episode(TASK, FIRST, HandsOptions(sees="text")).tools
    assert {"page", "zoom"}.isdisjoint(tools)
    assert "answer" in tools


def test_a_verdict_tells_only_that_there_is_an_answer():
    told = []
    for text in ("ANCHOR", "DOCK"):
        acting = Episode(TASK, FIRST, HandsOptions(condition="judged"))
        acting.call("answer", {"text": text})
        told.append(acting.call("verdict").result.replace(text, ""))
    assert told[0] == told[1]
    assert "Score" not in told[0]
