"""What can be done to a solution, and asked about a puzzle: by editors, agents and other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from spatial_workbench.engine.core import Aid, AnswerError, Instance, InstanceError, Number, Progress, WholeNumber
from spatial_workbench.engine.core.acting.commands import (
    Call,
    CommandArguments,
    CommandList,
    QuestionList,
    QuestionReply,
)
from spatial_workbench.engine.puzzles.prompting import answer_line
from spatial_workbench.engine.puzzles.sets.pages import PictureError, part_for_models
from spatial_workbench.engine.tasks.puzzle_hunt import MAX_CHARS, Solution
from spatial_workbench.engine.tasks.puzzle_hunt.source import HuntSource, pictures_for_models, source_of

commands = CommandList()
questions = QuestionList()

MAX_ANSWER_CHARS = 1000
Share = Annotated[Number, Field(ge=0, le=1)]


class WrittenSolution(CommandArguments):
    """A solution."""

    text: Annotated[str, Field(max_length=MAX_ANSWER_CHARS)] = Field(
        description="the final answer, on one line; empty: none yet"
    )
    steps: Annotated[str, Field(max_length=MAX_CHARS // 2)] = Field(
        default="", description="what you did and what it yields, one step a line", json_schema_extra={"rows": 6}
    )


class OnePage(CommandArguments):
    """A page."""

    page: Annotated[WholeNumber, Field(ge=1, le=10_000)] = Field(default=1, description="number of the page, from 1")


class PartOfPage(OnePage):
    """A part of a page."""

    left: Share = Field(description="where it begins, as a share of the page's width from the left, 0 to 1")
    top: Share = Field(description="where it begins, as a share of the page's height from the top")
    right: Share = Field(description="where it ends, as a share of the page's width from the left")
    bottom: Share = Field(description="where it ends, as a share of the page's height from the top")


@commands.add("Write the solution", WrittenSolution)
def answer(instance: Instance, answer: Solution, given: WrittenSolution) -> Solution:
    """Writes the solution, in place of what was written before."""
    if len(given.text.splitlines()) > 1:
        raise AnswerError("text: the final answer has one line; write your steps into steps", ("text",))
    text = given.text.strip()
    return Solution(text="\n".join([*given.steps.splitlines(), *([answer_line(text)] if text else [])]))


@questions.add("Show page", OnePage, Aid.VIEWING, shows_pictures=True)
def page(instance: Instance, answer: Solution, given: OnePage, progress: Progress) -> QuestionReply:
    """Shows a page of the puzzle."""
    source = source_of(instance)
    number = _existing(source, given.page)
    return QuestionReply(f"Page {given.page} of {len(source.pages)}.", (pictures_for_models(source)[number],))


@questions.add("Zoom", PartOfPage, Aid.VIEWING, shows_pictures=True)
def zoom(instance: Instance, answer: Solution, given: PartOfPage, progress: Progress) -> QuestionReply:
    """Shows a part of a page in more detail."""
    if given.left >= given.right or given.top >= given.bottom:
        raise AnswerError("left has to be below right, and top below bottom", ("left",))
    source = source_of(instance)
    name, data = list(source.pages.items())[_existing(source, given.page)]
    try:
        part = part_for_models(data, (given.left, given.top, given.right, given.bottom), name)
    except PictureError as error:
        raise InstanceError(str(error)) from None
    return QuestionReply(f"A part of page {given.page}.", (part,))


@commands.leading
def calls_between(instance: Instance, before: Solution, after: Solution) -> Iterator[Sequence[Call]]:
    """A call that writes the solution anew."""
    lines = after.text.splitlines()
    if lines and lines[-1].startswith(answer_line("")):
        yield [("answer", {"text": lines[-1].removeprefix(answer_line("")), "steps": "\n".join(lines[:-1])})]
    yield [("answer", {"text": "", "steps": after.text})]


def _existing(source: HuntSource, page_number: int) -> int:
    """The index of a page."""
    if page_number > len(source.pages):
        raise AnswerError(f"There is no page {page_number}; pages go from 1 to {len(source.pages)}", ("page",))
    return page_number - 1
