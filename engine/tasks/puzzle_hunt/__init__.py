"""Puzzle hunt: find the word that a page, or several, lead to (PuzzleWorld).

Answer    text: the steps of the solution, and a last line "Answer: ..."
Checks    there is a final answer; it is the solution
Score     1 if the final answer is the solution, else 0. How far a wrong one got is judged apart, step by step

The instances are six original puzzles; sets that a person adds are named in addresses, puzzle_hunt:SET/PUZZLE. The
rules in full: docs/tasks/puzzle_hunt.md.

    bare_texts    formulas, quotes and explanations around a final answer, letter by letter (for the cross-check)
    commands      what can be done to a solution, and asked about a puzzle, by editors, agents and other programs
    crosscheck    finds and compares final answers letter by letter, without the patterns of the default verifier
    drawing       draws the pages of a puzzle side by side, in their pixels
    source        the puzzle behind an instance: an original one, or one of a set that a person added
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import (
    Answer,
    AnswerError,
    Bucket,
    CheckList,
    Figure,
    HoldsCollections,
    Instance,
    InstanceError,
    LiveRule,
    Named,
    Outcome,
    Problem,
    Progress,
    Prompt,
    Scene,
    Task,
    Verdict,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand, TaskQuestion
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.core.families import Family
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.puzzles import prompting
from spatial_workbench.engine.puzzles.answers import FoundBy, extract, solved_as_published
from spatial_workbench.engine.puzzles.sets.folders import SetError, shown_folder
from spatial_workbench.engine.puzzles.sets.known_sets import known_sets, set_named
from spatial_workbench.engine.puzzles.sets.originals import SET_NAME, original, originals
from spatial_workbench.engine.tasks.puzzle_hunt.crosscheck import right_again
from spatial_workbench.engine.tasks.puzzle_hunt.drawing import draw_pages
from spatial_workbench.engine.tasks.puzzle_hunt.source import (
    HuntSource,
    name_in_address,
    parameters_of_added,
    pictures_for_models,
    source_of,
)

MAX_CHARS = 400_000
PICTURED = "Packing_Room"


class Solution(Answer):
    """A solver's text: steps, and the final answer in a line of its own."""

    text: str = Field(max_length=MAX_CHARS, description='The steps of the solution, and a last line "Answer: ..."')

    @classmethod
    def prepare(cls, data: Any, warn: Callable[[str], None]) -> Any:
        """An answer without text is not an answer."""
        text = data.get("text") if isinstance(data, Mapping) else None
        if not isinstance(text, str):
            raise AnswerError("A text is expected", ("text",) if isinstance(data, Mapping) else ())
        return data

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        return f"The text is longer than {MAX_CHARS:,} characters" if kind == "string_too_long" else None


checks = CheckList()


@checks.step("there is a final answer")
def _given(source: HuntSource, answer: Solution) -> Iterator[Problem]:
    if extract(answer.text).found_by is FoundBy.NONE:
        yield Problem('The text has no final answer: a line "Answer: ..."', is_omission=True, is_evident=True)


@checks.step("the final answer is the solution")
def _right(source: HuntSource, answer: Solution) -> Iterator[Problem]:
    final = extract(answer.text)
    if not final.equals(source.puzzle.solution):
        given = final.text
        yield Problem(f"“{given[:80]}” is not the solution")


class PuzzleHunt(HasCommands, HoldsCollections, Task[Solution]):
    """Find the word that a page of pictures and hints leads to."""

    title = "Puzzle hunt"
    summary = "Work out what to do with a page of pictures, words and hints, and find the word that it hides."
    family = Family.PUZZLES
    bucket = Bucket.PUZZLES
    has_one_answer = True
    live = LiveRule.of_form(
        "there is a final answer",
        why="If a wrong final answer were refused, people could guess words instead of solving the puzzle.",
    )
    answer_type = Solution
    answer_format = "text"
    generates = False

    # Instances ---------------------------------------------------------------------------------------------------

    def published_rows(self) -> tuple[dict[str, Any], ...]:
        return tuple({"set": SET_NAME, "puzzle": puzzle.folder, "version": puzzle.version} for puzzle in originals())

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return row

    def draw(self, rng: np.random.Generator, difficulty: Any) -> Mapping[str, Any]:
        raise InstanceError("Puzzles are not generated; add a set of puzzles instead")

    def named(self) -> Sequence[Named]:
        """The puzzles of the sets that a person added; a set that cannot be read is left out."""
        return tuple(entry for name in known_sets() for entry in _puzzles_of(name))

    def instance_named(self, name: str) -> Instance:
        return Instance.added(self.id, name, parameters_of_added(name))

    def caption(self, instance: Instance) -> str:
        parameters = instance.parameters
        if parameters["set"] == SET_NAME:
            return original(parameters["puzzle"]).puzzle.title
        return shown_folder(str(parameters["puzzle"]))

    # Answers -----------------------------------------------------------------------------------------------------

    def prompt(self, instance: Instance) -> Prompt:
        source = source_of(instance)
        text = prompting.user_text(source.puzzle, len(source.pages))
        return Prompt(text, pictures_for_models(source), prompting.SYSTEM)

    def empty(self, instance: Instance) -> Solution:
        return Solution(text="")

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.puzzle_hunt.commands import commands

        return commands

    def questions(self) -> Sequence[TaskQuestion]:
        from spatial_workbench.engine.tasks.puzzle_hunt.commands import questions

        return questions

    def parse_text(self, text: str) -> Solution:
        """The text as it is."""
        return self.parse({"text": text})

    def format(self, answer: Solution) -> str:
        return answer.text

    # Verdicts ----------------------------------------------------------------------------------------------------

    @verifier("default", "3", "The final answer, extracted and compared without regard to case, accents and blanks")
    def _default(self, instance: Instance, answer: Solution, progress: Progress) -> Outcome:
        rows = checks.run(source_of(instance), answer)
        final = extract(answer.text)
        figures = [Figure("final answer", final.text[:80] or "none"), Figure("found by", final.found_by.value)]
        return Outcome(float(all_passed(rows)), rows, figures)

    @verifier("published", "1", "As published: the solution occurs anywhere in the text, case kept")
    def _published(self, instance: Instance, answer: Solution, progress: Progress) -> Outcome:
        rows = _PUBLISHED.run(source_of(instance), answer)
        return Outcome(float(all_passed(rows)), rows)

    def _crosscheck(self, instance: Instance, answer: Solution, progress: Progress) -> Outcome:
        """Reads the text letter by letter, without the patterns of the default verifier."""
        return Outcome(float(right_again(answer.text, source_of(instance).puzzle.solution)), [])

    # Solution and drawing ----------------------------------------------------------------------------------------

    def solve(self, instance: Instance, progress: Progress = silent) -> Solution:
        """The annotated steps and the answer."""
        return Solution(text=prompting.solution_text(source_of(instance).puzzle))

    def scene(self, instance: Instance, answer: Solution | None = None, verdict: Verdict | None = None) -> Scene:
        """The pages side by side."""
        return draw_pages(source_of(instance).pages)

    def thumbnail(self) -> Scene:
        """A page without its answer."""
        return self.scene(next(i for i in self.instances() if i.parameters["puzzle"] == PICTURED))


_PUBLISHED = CheckList()


@_PUBLISHED.step("the solution occurs in the text")
def _occurs(source: HuntSource, answer: Solution) -> Iterator[Problem]:
    if not solved_as_published(answer.text, source.puzzle.solution):
        yield Problem("The solution does not occur in the text")


def _puzzles_of(set_name: str) -> Iterator[Named]:
    try:
        names = set_named(set_name).names()
    except SetError:
        return
    yield from (Named(name_in_address(set_name, name), shown_folder(name)) for name in names)
