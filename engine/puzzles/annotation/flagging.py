"""The flagging pass: a model looks for steps that are unclear or do not follow (docs/puzzles.md, "Review")."""

from __future__ import annotations

from pydantic import ValidationError

from spatial_workbench.engine.puzzles.annotation.review import Flag, FlagKind
from spatial_workbench.engine.puzzles.annotation.vocabulary import PuzzleAction
from spatial_workbench.engine.puzzles.judging import last_object
from spatial_workbench.engine.puzzles.puzzle import Puzzle

SYSTEM = f"""\
You check the annotation of a puzzle before people review it. A puzzle's solution is annotated as numbered steps. Each \
step is one of five actions, and names the intermediate result that the action yields:
{chr(10).join(f"- {action.label}: {action.meaning.lower()}" for action in PuzzleAction)}

For each step ask two questions. Does its result follow from the puzzle and the earlier steps? Is it a single action? \
Flag a step if the answer to either is no, or if its text is wrong or hard to follow. Do not flag a step for its style.

The kinds of flags are: unclear (it cannot be followed), jump (something is left out before it), wrong (its result is \
not right), typo (a slip of the pen changes the meaning), format (it is several actions in one, or names no result).

Answer with a JSON object and nothing else: {{"flags": [{{"step": 3, "kind": "jump", "reason": "..."}}]}}. Step 0 \
stands for the annotation as a whole. If there is nothing to object to, answer {{"flags": []}}."""


class UnreadableFlags(ValueError):
    """A model's answer holds no list of flags; says why. The puzzle has not been checked by the model then."""


def user_text(puzzle: Puzzle, pages: int) -> str:
    """The puzzle with its solution and numbered steps. Pages are attached first, then the figures in their order."""
    steps = []
    pictures = pages
    for i, step in enumerate(puzzle.reasoning, 1):
        figure = ""
        if step.figure:
            pictures += 1
            figure = f" (picture {pictures})"
        steps.append(f"{i}.{figure} {step.explanation}")
    first = "The first picture is its page" if pages == 1 else f"The first {pages} pictures are its pages"
    return (
        f"Title: {puzzle.title}\nIntroductory text: {puzzle.flavor_text.strip() or '(none)'}\n{first}.\n"
        f"Solution: {puzzle.solution}\n\nSteps\n" + "\n".join(steps)
    )


def read_flags(text: str, steps: int) -> tuple[Flag, ...]:
    """The flags in a model's answer.

    Raises:
        UnreadableFlags: There is no list of flags, or one of them cannot be used.
    """
    data = last_object(text)
    entries = data.get("flags") if data else None
    if not isinstance(entries, list):
        raise UnreadableFlags("The answer holds no list “flags”")
    try:
        flags = tuple(Flag.model_validate(entry) for entry in entries)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        kinds = ", ".join(FlagKind)
        raise UnreadableFlags(f"A flag cannot be read: {fault['msg']} (kinds are {kinds})") from None
    if beyond := [flag.step for flag in flags if flag.step > steps]:
        raise UnreadableFlags(f"There is no step {beyond[0]}; the annotation has {steps}")
    return flags
