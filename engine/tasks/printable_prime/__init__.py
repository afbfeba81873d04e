"""Printable prime: stack printed seven-segment digits into a long prime (SCBench, Constructive, task q31).

Answer    digits with their orientations; the first is the most significant and lies on the build plate
Score     length / length of the best published number, times 0.9 below 70 mm, at most 1; 0 if any check fails

The rules in full: docs/tasks/printable_prime.md.

    commands      what can be done to a stack by editors, agents and other programs
    digits        seven-segment digits as printed bars, and what may stand on what
    drawing       the stack of digits as a scene
    neighbours    the next primes that stack, above and below a number
    primes        primality: the Baillie-PSW test, and Miller-Rabin rounds with other bases to check it by
    prompt        what a solver is told
    rules         the checks of a stack: by the tables, by the published tables, and by geometry
    search        long printable primes by search: a chain of digit classes, then primality by trial
    solids        the stack as boxes in space: for drawing, balance, and the stacking rules by geometry
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import (
    AnswerPart,
    Body,
    Bucket,
    Difficulty,
    Family,
    Figure,
    Instance,
    InstanceError,
    Integer,
    LiveRule,
    NamesWhatItAsks,
    Outcome,
    Progress,
    Prompt,
    ReasonedAnswer,
    Scene,
    Task,
    Verdict,
    WritesBodies,
    at_most,
    silent,
    vary_field,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.printable_prime.digits import DigitPlaced, Orientation, fit, layer_tenths, number_of
from spatial_workbench.engine.tasks.printable_prime.drawing import draw_stack
from spatial_workbench.engine.tasks.printable_prime.prompt import prompt_text
from spatial_workbench.engine.tasks.printable_prime.rules import checks, geometric_checks, published_checks
from spatial_workbench.engine.tasks.printable_prime.search import find_record
from spatial_workbench.engine.tasks.printable_prime.solids import balance_mm, stack_solids

MAX_DIGITS = 1000
SHOWN_DIGITS = slice(24, 44)
"""The digits of the longest number that the catalogue's card shows."""
TOO_LOW_FACTOR = 0.9
MAX_DRAWS = 10
"""How often rules are drawn again because no prime was found under them."""


class DigitItem(AnswerPart):
    """A digit and how it is printed."""

    digit: Annotated[Integer, Field(ge=0, le=9)] = Field(description="0 to 9")
    orientation: Annotated[Orientation, Field(strict=False)] = Field(description="how it lies or stands")


class DigitStack(ReasonedAnswer):
    """A number as a stack of digits."""

    numberSequence: Annotated[tuple[DigitItem, ...], at_most(MAX_DIGITS, "digits")] = Field(
        description="the digits; the first is the most significant and lies on the build plate"
    )

    @classmethod
    def of(cls, stack: Sequence[DigitPlaced], reasoning: str = "") -> DigitStack:
        """An answer from a stack."""
        items = tuple(DigitItem(digit=digit, orientation=orientation) for digit, orientation in stack)
        return cls(numberSequence=items, reasoning=reasoning)

    @cached_property
    def stack(self) -> tuple[DigitPlaced, ...]:
        """The digits in their orientations, the one on the build plate first."""
        return tuple(DigitPlaced(item.digit, item.orientation) for item in self.numberSequence)

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        if path[-1:] == ("digit",) and kind != "missing":
            return f"numberSequence[{path[1]}].digit: a whole number from 0 to 9 expected"
        if path[-1:] == ("orientation",) and kind != "missing":
            return f"numberSequence[{path[1]}].orientation: one of {', '.join(Orientation)} expected"
        return None


class PrimeDifficulty(Difficulty):
    """What a generated instance may use."""

    digits: str = Field("0123456789", pattern=r"^[0-9]{1,10}$", description="digits that may be used")
    group: int = Field(3, ge=2, le=4, description="digits in a group of the repetition rule")
    standing: bool = Field(True, description="whether digits may stand")
    height_goal_mm: float = Field(70.0, ge=0, le=500, description="height below which the score is cut, mm")
    vary: bool = vary_field("digits, groups, orientations and the height")

    def drawn(self, rng: np.random.Generator) -> PrimeDifficulty:
        """This, with what is usual drawn if it is to vary. Some digit that a prime can end with is always there."""
        if not self.vary:
            return self
        last = int(rng.choice([1, 3, 7, 9]))
        others = rng.choice([digit for digit in range(10) if digit != last], int(rng.integers(4, 9)), replace=False)
        drawn = {
            "digits": "".join(map(str, sorted([last, *others.tolist()]))),
            "group": int(rng.integers(2, 5)),
            "standing": bool(rng.random() < 0.5),
            "height_goal_mm": float(5 * rng.integers(6, 21)),
        }
        return self.model_copy(update=drawn | self.model_dump(exclude_defaults=True))


class PrintablePrime(HasCommands, NamesWhatItAsks, WritesBodies, Task[DigitStack]):
    """Stack printed digits into a long prime."""

    id = "printable_prime"
    title = "Printable prime"
    summary = "Stack seven-segment digits, each resting on the one below, into a long prime number."
    family = Family.SCBENCH
    bucket = Bucket.CONSTRUCTIVE
    live = LiveRule.faults(
        "Whether the number is prime is shown on submission, since a few changes of its last digits would make it one. "
        "The stack shows how digits stand and rest.",
        later=(
            "a prime",
            "score before the cap",
        ),
    )
    answer_type = DigitStack
    hidden = frozenset({"record"})
    difficulty = PrimeDifficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {name: row[name] for name in ("digits", "group", "standing", "height_goal_mm", "record")}

    def draw(self, rng: np.random.Generator, difficulty: PrimeDifficulty) -> Mapping[str, Any]:
        """Other rules, with the longest number that a search finds under them."""
        for _ in range(MAX_DRAWS if difficulty.vary else 0):
            with suppress(InstanceError):
                return _parameters(rng, difficulty.drawn(rng))
        return _parameters(rng, difficulty.drawn(rng))

    def caption(self, instance: Instance) -> str:
        return f"{counted(len(instance.parameters['record']), 'digit')} to match"

    def what_is_asked(self, instance: Instance) -> Mapping[str, Any]:
        """The rules, and the length of the record, which is all that is told of it."""
        return {**self.visible_parameters(instance), "record_digits": len(instance.parameters["record"])}

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(prompt_text(instance.parameters))

    def empty(self, instance: Instance) -> DigitStack:
        return DigitStack(numberSequence=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.printable_prime.commands import commands

        return commands

    @verifier("default", "1", "The rules of docs/tasks/printable_prime.md")
    def _default(self, instance: Instance, answer: DigitStack, progress: Progress) -> Outcome:
        rows = checks.run(instance.parameters, answer.stack, stop_at_first=not answer.stack)
        return _outcome(instance, answer.stack, rows, at_goal_is_high=True)

    @verifier("published", "1", "The published rules: flat orientations do not matter, a head stands on anything")
    def _published(self, instance: Instance, answer: DigitStack, progress: Progress) -> Outcome:
        rows = published_checks.run(instance.parameters, answer.stack)
        return _outcome(instance, answer.stack, rows, at_goal_is_high=False)

    def _crosscheck(self, instance: Instance, answer: DigitStack, progress: Progress) -> Outcome:
        rows = geometric_checks.run(instance.parameters, answer.stack, stop_at_first=not answer.stack)
        return _outcome(instance, answer.stack, rows, at_goal_is_high=True)

    def solve(self, instance: Instance, progress: Progress = silent) -> DigitStack:
        """The longest known number, in the orientations that make it tallest."""
        parameters = instance.parameters
        number = parameters["record"]
        if instance.number is not None:
            number = self.published_rows()[instance.number]["longest"]
        stack = fit([int(digit) for digit in number], _orientations(parameters["standing"]))
        assert stack is not None
        return DigitStack.of(stack)

    def bodies(self, instance: Instance, answer: DigitStack) -> Sequence[Body]:
        """Every bar of every digit, ready to be printed."""
        digits = enumerate(stack_solids(answer.stack))
        return [Body.box(f"digit {k} bar {b}", *bar) for k, bars in digits for b, bar in enumerate(bars)]

    def thumbnail(self) -> Scene:
        """Some digits of the longest number that lie flat; the whole stack would be a thin line."""
        stack = self.solve(self.instances()[0]).stack
        return draw_stack(stack[SHOWN_DIGITS], 0.0)

    def scene(self, instance: Instance, answer: DigitStack | None = None, verdict: Verdict | None = None) -> Scene:
        return draw_stack(answer.stack if answer else (), instance.parameters["height_goal_mm"])


def _outcome(instance: Instance, stack: Sequence[DigitPlaced], rows: Sequence[Any], at_goal_is_high: bool) -> Outcome:
    """Score and figures of a stack that was checked."""
    goal = round(instance.parameters["height_goal_mm"] * 10)
    height = sum(layer_tenths(placed) for placed in stack)
    is_high = height >= goal if at_goal_is_high else height > goal
    record = instance.parameters["record"]
    ratio = len(stack) / len(record)
    valid = all_passed(rows)
    raw = ratio * (1.0 if is_high else TOO_LOW_FACTOR) if valid else 0.0
    warnings = []
    if stack and not is_high:
        warnings.append(_too_low(height, goal))
    if valid and (len(stack), number_of(stack)) > (len(record), record):
        warnings.append(f"This number exceeds the best published one, which has {counted(len(record), 'digit')}")
    if stack and balance_mm(stack) < 0:
        warnings.append("The centre of gravity lies outside the lowest digit; the stack would tip over")
    figures = [
        Figure("digits", len(stack)),
        Figure("height", height / 10, "mm"),
        Figure("length / record", round(ratio, 4)),
        Figure("score before the cap", round(raw, 4)),
    ]
    is_short = len(stack) < len(record)
    shorter = f"{counted(len(stack), 'digit')}; the longest known number has {len(record)}"
    cost = shorter if is_short else _too_low(height, goal)
    return Outcome(min(1.0, raw), rows, figures, warnings, cost=cost)


def _too_low(height: int, goal: int) -> str:
    """Says that the score is cut, and by how much; heights in tenths of a millimetre."""
    high = f"{height / 10:.1f}"
    least = f"{goal / 10:g}"
    if height < goal:
        return f"The stack is {high} mm high; below {least} mm the score is cut by a tenth"
    return f"The stack is {high} mm high; at {least} mm the score is cut by a tenth"


def _parameters(rng: np.random.Generator, wanted: PrimeDifficulty) -> dict[str, Any]:
    """The rules of an instance, with the longest number that a search finds under them.

    Raises:
        InstanceError: It finds none.
    """
    digits = sorted({int(digit) for digit in wanted.digits})
    ways = _orientations(wanted.standing)
    record = find_record(rng, digits, wanted.group, ways, silent)
    highest = sum(map(layer_tenths, fit([int(digit) for digit in record], ways) or ())) / 10
    return {
        "digits": digits,
        "group": wanted.group,
        "standing": wanted.standing,
        "height_goal_mm": min(wanted.height_goal_mm, highest),
        "record": record,
    }


def _orientations(standing: bool) -> tuple[Orientation, ...]:
    return tuple(orientation for orientation in Orientation if standing or orientation.is_flat)
