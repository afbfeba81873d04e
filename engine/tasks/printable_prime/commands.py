"""What can be done to a stack of digits: the commands of editors, agents and other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from spatial_workbench.engine.core import Aid, AnswerError, Instance, WholeNumber, at_most
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList
from spatial_workbench.engine.core.acting.elements import Numbers, chosen
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.printable_prime import MAX_DIGITS, DigitStack
from spatial_workbench.engine.tasks.printable_prime.digits import DigitPlaced, Orientation, fit, number_of
from spatial_workbench.engine.tasks.printable_prime.neighbours import neighbouring_prime

commands = CommandList()

Decimals = Annotated[str, Field(pattern="^[0-9]*$", max_length=MAX_DIGITS)]
Way = Annotated[Orientation, Field(strict=False)]


class WholeStack(CommandArguments):
    """A number with the orientations of its digits."""

    text: Decimals = Field(description="the number; its first digit lies on the build plate")
    orientations: Annotated[tuple[Way, ...], at_most(MAX_DIGITS, "orientations")] = Field(
        description="orientation of each digit; a single one holds for all of them"
    )


class NewDigit(CommandArguments):
    """A digit and where it goes."""

    digit: Annotated[WholeNumber, Field(ge=0, le=9)] = Field(description="0 to 9")
    orientation: Way = Field(default=Orientation.FLAT, description="how it lies or stands")
    place: Annotated[WholeNumber, Field(ge=-1, le=MAX_DIGITS)] = Field(
        default=-1, description="its place from the build plate, from 0; -1: on top"
    )


class ChosenDigits(CommandArguments):
    """Some digits."""

    digits: Numbers = Field(description="ids of digits; 0 lies on the build plate")


class TurnedDigits(ChosenDigits):
    """An orientation for some digits."""

    orientation: Way = Field(description="how they lie or stand")


class MovedDigit(CommandArguments):
    """A digit and its new place."""

    digit: WholeNumber = Field(description="id of a digit")
    place: WholeNumber = Field(description="the id that it gets")


class WholeDigits(CommandArguments):
    """A number."""

    text: Decimals = Field(description="the number; its first digit lies on the build plate")


class PrimeWay(CommandArguments):
    """Which prime is wanted."""

    way: Literal["larger", "smaller"] = Field(default="larger", description="which of its neighbours")


@commands.add("Set number", WholeStack, name="set")
def set_stack(instance: Instance, answer: DigitStack, given: WholeStack) -> DigitStack:
    """Makes the whole stack."""
    ways = given.orientations * len(given.text) if len(given.orientations) == 1 else given.orientations
    if len(ways) != len(given.text):
        raise AnswerError(
            f"{counted(len(given.text), 'orientation is', 'orientations are')} needed, or one", ("orientations",)
        )
    return _of(answer, [DigitPlaced(int(digit), way) for digit, way in zip(given.text, ways, strict=True)])


@commands.add("Add digit", NewDigit)
def add(instance: Instance, answer: DigitStack, given: NewDigit) -> DigitStack:
    """Adds a digit on top, or at a place."""
    stack = list(answer.stack)
    if given.place > len(stack):
        raise AnswerError(f"There is no place {given.place}; there are places 0 to {len(stack)}", ("place",))
    if len(stack) >= MAX_DIGITS:
        raise AnswerError(f"A number has at most {MAX_DIGITS} digits")
    stack.insert(len(stack) if given.place < 0 else given.place, DigitPlaced(given.digit, given.orientation))
    return _of(answer, stack)


@commands.add("Turn digits", TurnedDigits)
def turn(instance: Instance, answer: DigitStack, given: TurnedDigits) -> DigitStack:
    """Gives digits another orientation."""
    stack = list(answer.stack)
    for k in chosen(given.digits, len(stack), "digit", "digits"):
        stack[k] = stack[k]._replace(orientation=given.orientation)
    return _of(answer, stack)


@commands.add("Move digit", MovedDigit)
def move(instance: Instance, answer: DigitStack, given: MovedDigit) -> DigitStack:
    """Moves a digit to another place."""
    stack = list(answer.stack)
    chosen((given.digit, given.place), len(stack), "digit")
    stack.insert(given.place, stack.pop(given.digit))
    return _of(answer, stack)


@commands.add("Delete digits", ChosenDigits)
def delete(instance: Instance, answer: DigitStack, given: ChosenDigits) -> DigitStack:
    """Deletes digits; the ids of later ones become smaller."""
    gone = set(chosen(given.digits, len(answer.stack), "digit", "digits"))
    return _of(answer, [placed for k, placed in enumerate(answer.stack) if k not in gone])


@commands.add("Set number", WholeDigits, Aid.SOLVING)
def fitted(instance: Instance, answer: DigitStack, given: WholeDigits) -> DigitStack:
    """Makes the stack of a number in the orientations that hold and make it tallest."""
    stack = fit([int(digit) for digit in given.text], _allowed(instance))
    if stack is None:
        raise AnswerError("These digits do not stack in any orientations", ("text",))
    return _of(answer, stack)


@commands.add("Next prime", PrimeWay, Aid.SOLVING)
def next_prime(instance: Instance, answer: DigitStack, given: PrimeWay) -> DigitStack:
    """Goes to the next larger or smaller prime of the same length that stacks, in the orientations that hold."""
    if not answer.stack:
        raise AnswerError("There are no digits yet")
    way = 1 if given.way == "larger" else -1
    stack = neighbouring_prime(number_of(answer.stack), way, _allowed(instance))
    if stack is None:
        raise AnswerError("There is no such prime near this number")
    return _of(answer, stack)


@commands.leading
def calls_between(instance: Instance, before: DigitStack, after: DigitStack) -> Iterator[Sequence[Call]]:
    """Calls that add, turn or delete digits, or make the whole stack."""
    old, new = list(before.stack), list(after.stack)
    same = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    if len(new) == len(old) + 1:
        given = {"digit": new[same].digit, "orientation": new[same].orientation.value}
        yield [("add", {**given, "place": same if same < len(old) else -1})]
    if len(new) == len(old) and same < len(new):
        turned = [k for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
        yield [("turn", {"digits": turned, "orientation": new[same].orientation.value})]
    if len(new) == len(old) - 1:
        yield [("delete", {"digits": [same]})]
    ways = [placed.orientation.value for placed in new]
    yield [("set", {"text": "".join(str(placed.digit) for placed in new), "orientations": ways})]


def _allowed(instance: Instance) -> list[Orientation]:
    """The orientations that the rules of an instance allow."""
    return [way for way in Orientation if way.is_flat or instance.parameters["standing"]]


def _of(answer: DigitStack, stack: Sequence[DigitPlaced]) -> DigitStack:
    return DigitStack.of(stack, answer.reasoning)
