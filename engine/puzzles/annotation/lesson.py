"""A lesson for annotators: ten minutes with one puzzle, whose steps are checked as they are written.

docs/annotating_puzzles.md has the same text. Nothing that is written in the lesson is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from spatial_workbench.engine.puzzles.annotation.validation import Files, findings
from spatial_workbench.engine.puzzles.annotation.vocabulary import Modality, PuzzleAction, Skill, action_of
from spatial_workbench.engine.puzzles.answers import equal_answers
from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep

PRACTICE = "One_New_Leaf"
"""The folder of the original puzzle that the lesson is about."""
MINUTES = 10


class TaskKind(StrEnum):
    """How a task of the lesson is answered."""

    LINE = "line"
    TEXT = "text"
    CHOICE = "choice"
    TAGS = "tags"
    NOTHING = "nothing"


@dataclass(frozen=True)
class LessonFeedback:
    """Whether an answer is right, and why."""

    is_right: bool
    text: str


@dataclass(frozen=True)
class LessonTask:
    """A part of the lesson.

    Attributes:
        title: What it is about.
        text: What is explained, and asked.
        kind: How it is answered.
        choices: The answers to choose from.
        hint: What helps if nothing comes to mind.
        check: Says whether an answer is right; of tags, the answer is their words, joined by commas.
    """

    title: str
    text: str
    kind: TaskKind
    check: Callable[[str, Puzzle], LessonFeedback]
    choices: tuple[str, ...] = ()
    hint: str = ""


def lesson() -> tuple[LessonTask, ...]:
    """The tasks of the lesson, in order."""
    return _TASKS


def _solved(answer: str, puzzle: Puzzle) -> LessonFeedback:
    if equal_answers(answer, puzzle.solution):
        return LessonFeedback(True, "That is it. Case, blanks and accents do not count.")
    return LessonFeedback(False, "This is not the answer. Solve the clues first, and look at the lengths of the words.")


_GOOD_STEP = "Extraction: answer the clues in the given lengths, which gives WATERS, RAW, WARMEST, STRAW and WARS."
_JUMP = "Extraction: the answer is STEM."
_TWO = "Extraction: answer the clues and then sort the words, and then read the new letters."


def _first_step(answer: str, puzzle: Puzzle) -> LessonFeedback:
    replies = {
        _GOOD_STEP: LessonFeedback(True, "One action, and what it yields. A reader can check it on the page."),
        _JUMP: LessonFeedback(
            False, "This jumps: nobody can see how the answer follows from the page. Reviewers flag it."
        ),
        _TWO: LessonFeedback(False, "These are three actions without a result. Each becomes a step of its own."),
    }
    return replies.get(answer, LessonFeedback(False, "Choose one of the three."))


def _faults(text: str, puzzle: Puzzle, is_last: bool) -> list[str]:
    """What the checks of the annotation page say about a single step."""
    others = puzzle.reasoning[:1] if is_last else ()
    last = () if is_last else puzzle.reasoning[-1:]
    practised = replace(puzzle, reasoning=(*others, PuzzleStep(text), *last))
    place = ("reasoning", len(others))
    found = findings(practised, Files(PRACTICE))
    return [finding.message for finding in found if finding.path[:2] == place and finding.code != "P_VISUAL"]


def _second_step(answer: str, puzzle: Puzzle) -> LessonFeedback:
    if faults := _faults(answer, puzzle, is_last=False):
        return LessonFeedback(False, " ".join(f"{fault}." for fault in faults).replace("..", "."))
    if action_of(answer) not in (PuzzleAction.MANIPULATION, PuzzleAction.DISCOVERY, PuzzleAction.COMBINING):
        return LessonFeedback(
            False, "Putting words in order is a manipulation; noticing what they share is a discovery."
        )
    if not any(word in answer.upper() for word in ("RAW", "WARS", "STRAW", "LETTER", "ANAGRAM")):
        return LessonFeedback(
            False, "Say what comes of it: the words in order, or what each has in common with the next."
        )
    return LessonFeedback(
        True, "An action and its result, in a sentence. The annotation page checks the same as you type."
    )


def _last_step(answer: str, puzzle: Puzzle) -> LessonFeedback:
    if faults := _faults(answer, puzzle, is_last=True):
        return LessonFeedback(False, " ".join(f"{fault}." for fault in faults).replace("..", "."))
    if puzzle.solution.upper() not in answer.upper():
        return LessonFeedback(False, f"The last step names the solution, {puzzle.solution}.")
    return LessonFeedback(True, "The last step names the solution, and says where its letters come from.")


def _tagged(answer: str, puzzle: Puzzle) -> LessonFeedback:
    chosen = {word for word in answer.split(",") if word}
    wanted = {*puzzle.modality, *puzzle.skills}
    if missing := sorted(wanted - chosen):
        return LessonFeedback(False, f"Look again: {_labels(missing)} is missing.")
    if extra := sorted(chosen - wanted):
        return LessonFeedback(False, f"A tag is given if solving needs it; {_labels(extra)} is not needed here.")
    return LessonFeedback(
        True, "Clues are text, and anagrams are wordplay. Pictures that only decorate are not visual."
    )


def _labels(words: Sequence[str]) -> str:
    return ", ".join(word.replace("_", " ") for word in words)


_ACCEPT, _EDIT, _REJECT = "Accept it", "Edit it", "Reject it"


def _reviewed(answer: str, puzzle: Puzzle) -> LessonFeedback:
    replies = {
        _EDIT: LessonFeedback(True, "The idea is right, and its result is missing. You write the words that you want."),
        _ACCEPT: LessonFeedback(False, "A reader cannot check it: it does not say which letters are found."),
        _REJECT: LessonFeedback(
            False, "That deletes the step, although it is needed; a rejection says why a step is wrong."
        ),
    }
    return replies.get(answer, LessonFeedback(False, "Choose one of the three."))


def _done(answer: str, puzzle: Puzzle) -> LessonFeedback:
    return LessonFeedback(True, "")


_TASKS = (
    LessonTask(
        "Solve the puzzle",
        "Whoever writes down the steps of a solution solves the puzzle first. Look at the page, and type its answer: "
        "one word of four letters.",
        TaskKind.LINE,
        _solved,
        hint="The words are WATERS, RAW, WARMEST, STRAW and WARS. In order of length, each has one new letter.",
    ),
    LessonTask(
        "What a step is",
        "A step is one action and what it yields. It begins with one of five actions: pattern discovery, sketching, "
        "manipulation, combining, extraction. Which of these is a good first step?",
        TaskKind.CHOICE,
        _first_step,
        choices=(_JUMP, _GOOD_STEP, _TWO),
    ),
    LessonTask(
        "Write the next step",
        "The clues are answered. What do you do with the five words? Begin with the action and a colon, and say what "
        "comes of it.",
        TaskKind.TEXT,
        _second_step,
        hint="For example: Manipulation: put the words in order of length, which gives RAW, WARS, STRAW, and so on.",
    ),
    LessonTask(
        "Write the last step",
        "Each word has the letters of the one before it, and a new one. Write the last step, which names the solution.",
        TaskKind.TEXT,
        _last_step,
        hint="For example: Extraction: take the added letters in order, S, T, E and M, which reads STEM.",
    ),
    LessonTask(
        "Choose tags",
        "Modality is what has to be looked at: text, visual (pictures, icons, fonts) or structured (tables, graphs, "
        "crosswords). Skills are what solving needs. Tick what fits this puzzle.",
        TaskKind.TAGS,
        _tagged,
        choices=(*Modality, *Skill),
        hint="One modality, and one skill.",
    ),
    LessonTask(
        "Review a step",
        "Others review what you write, and you review what they write; neither sees the other's decision before both "
        "have finished. Somebody wrote: “Combining: compare each word with the next one.” What do you do with it?",
        TaskKind.CHOICE,
        _reviewed,
        choices=(_ACCEPT, _EDIT, _REJECT),
    ),
    LessonTask(
        "Your first puzzle",
        "That is all. In Puzzles › Sets of puzzles, choose a puzzle and Annotate; in Puzzles › Review the chosen set, "
        "Send drafts sends what has no errors to review, and the queue “Waiting for me” says what you are asked to do. "
        "Nothing that you wrote here was kept.",
        TaskKind.NOTHING,
        _done,
    ),
)
