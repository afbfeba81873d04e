"""What can be done to a crowd: the commands of editors, agents and other programs. All lengths in metres."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import Aid, AnswerError, Instance, Number, WholeNumber
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList
from spatial_workbench.engine.core.acting.elements import Numbers, SeedArguments, chosen
from spatial_workbench.engine.core.acting.retelling import ways_of_list
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.hide_and_seek import MAX_PEOPLE, Crowd
from spatial_workbench.engine.tasks.hide_and_seek.editing import sprayed
from spatial_workbench.engine.tasks.hide_and_seek.field import PERSON_M, CrowdField

commands = CommandList()

DECIMALS = 7
MOST_SPRAY_M = 1000.0
Count = Annotated[WholeNumber, Field(ge=1, le=MAX_PEOPLE)]


class NewPerson(CommandArguments):
    """Where a person stands."""

    x_m: Number = Field(description="x of the centre")
    y_m: Number = Field(description="y of the centre")


class BlockOfPeople(NewPerson):
    """Where the people of a block stand; the centre is that of its first person."""

    columns: Count = Field(description="how many people stand along x")
    rows: Count = Field(default=1, description="how many along y")
    spacing_m: Annotated[Number, Field(gt=0)] = Field(default=PERSON_M, description="from centre to centre")


class SprayedPeople(NewPerson, SeedArguments):
    """Where people are strewn; the point is the middle of a circle."""

    radius_m: Annotated[Number, Field(gt=0, le=MOST_SPRAY_M)] = Field(default=2.0, description="radius of the circle")
    spacing_m: Annotated[Number, Field(gt=0)] = Field(default=PERSON_M, description="from centre to centre at least")


class ChosenPeople(CommandArguments):
    """Some people."""

    people: Numbers = Field(description="ids of people")


class MovedPeople(ChosenPeople):
    """A step of some people."""

    x_m: Number = Field(default=0.0, description="step along x")
    y_m: Number = Field(default=0.0, description="step along y")


@commands.add("Place person", NewPerson)
def person(instance: Instance, answer: Crowd, given: NewPerson) -> Crowd:
    """Places a person."""
    return _with(answer, np.array([[given.x_m, given.y_m]]))


@commands.add("Place people", BlockOfPeople)
def block(instance: Instance, answer: Crowd, given: BlockOfPeople) -> Crowd:
    """Places people in columns and rows."""
    if given.columns * given.rows > MAX_PEOPLE:
        raise AnswerError(f"That would be more than {MAX_PEOPLE} people")
    x = given.x_m + given.spacing_m * np.arange(given.columns)
    y = given.y_m + given.spacing_m * np.arange(given.rows)
    return _with(answer, np.round(np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2), DECIMALS))


@commands.add("Move people", MovedPeople)
def move(instance: Instance, answer: Crowd, given: MovedPeople) -> Crowd:
    """Moves people by a step."""
    numbers = list(chosen(given.people, len(answer.people), "person", "people"))
    centers = answer.centers
    centers[numbers] = np.round(centers[numbers] + [given.x_m, given.y_m], DECIMALS)
    return Crowd.of(centers)


@commands.add("Copy people", MovedPeople)
def duplicate(instance: Instance, answer: Crowd, given: MovedPeople) -> Crowd:
    """Adds copies of people, a step away."""
    numbers = list(chosen(given.people, len(answer.people), "person", "people"))
    return _with(answer, np.round(answer.centers[numbers] + [given.x_m, given.y_m], DECIMALS))


@commands.add("Delete people", ChosenPeople)
def delete(instance: Instance, answer: Crowd, given: ChosenPeople) -> Crowd:
    """Deletes people; the ids of later ones become smaller."""
    return Crowd.of(np.delete(answer.centers, chosen(given.people, len(answer.people), "person", "people"), axis=0))


@commands.add("Spray people", SprayedPeople, Aid.SOLVING)
def spray(instance: Instance, answer: Crowd, given: SprayedPeople) -> Crowd:
    """Places people at random on safe ground around a point, until nobody is missing."""
    field = CrowdField.of(instance.parameters)
    missing = max(0, field.people - len(answer.people))
    middle = np.array([given.x_m, given.y_m])
    places = sprayed(field, answer.centers, middle, given.radius_m, missing, given.spacing_m, given.random)
    if not len(places):
        raise AnswerError("Nobody is missing" if not missing else "There is no safe ground left around this point")
    return _with(answer, places)


@commands.leading
def calls_between(instance: Instance, before: Crowd, after: Crowd) -> Iterator[Sequence[Call]]:
    """Calls that move people, or delete and place them."""

    def change(numbers: list[int]) -> Iterator[Sequence[Call]]:
        x, y = np.round(after.centers[numbers[0]] - before.centers[numbers[0]], DECIMALS).tolist()
        yield [("move", {"people": numbers, "x_m": x, "y_m": y})]

    yield from ways_of_list(
        before.people,
        after.people,
        lambda gone: ("delete", {"people": gone}),
        lambda rest: [("person", {"x_m": one.xy[0], "y_m": one.xy[1]}) for one in rest],
        change,
    )


def _with(answer: Crowd, places: Floats) -> Crowd:
    if len(answer.people) + len(places) > MAX_PEOPLE:
        raise AnswerError(f"That would be more than {MAX_PEOPLE} people")
    return Crowd.of(np.vstack([answer.centers, places]))
