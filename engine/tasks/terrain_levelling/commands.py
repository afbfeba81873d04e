"""What can be done to a plan of blasts: the commands of editors, agents and other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from spatial_workbench.engine.core import AnswerError, Instance, Number, WholeNumber, at_most
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList
from spatial_workbench.engine.core.acting.elements import MAX_ELEMENTS, Numbers, chosen
from spatial_workbench.engine.core.acting.retelling import place_moved, ways_of_list
from spatial_workbench.engine.tasks.terrain_levelling import MAX_BLASTS, TerrainPlan
from spatial_workbench.engine.tasks.terrain_levelling.simulation import Charge

commands = CommandList()

Depth = Annotated[Number, Field(gt=0, le=1000)]


class NewBlast(CommandArguments):
    """A blast."""

    x: WholeNumber = Field(description="column, from 0")
    y: WholeNumber = Field(description="row, from 0")
    charge_m: Depth = Field(description="depth in metres")


class NewBlasts(CommandArguments):
    """Blasts in their order."""

    blasts: Annotated[
        tuple[Annotated[tuple[Number, ...], Field(strict=False, min_length=3, max_length=3)], ...],
        at_most(MAX_ELEMENTS, "blasts"),
        Field(min_length=1),
    ] = Field(description="each [column, row, depth in metres]")


class ChosenBlasts(CommandArguments):
    """Some blasts."""

    blasts: Numbers = Field(description="ids of blasts")


class ChangedBlasts(ChosenBlasts):
    """Another depth for some blasts."""

    charge_m: Depth = Field(description="depth in metres")


class ReorderedBlast(CommandArguments):
    """A place in the order of blasts."""

    blast: WholeNumber = Field(description="id of a blast")
    place: WholeNumber = Field(description="the id that it gets")


@commands.add("Add blast", NewBlast)
def blast(instance: Instance, answer: TerrainPlan, given: NewBlast) -> TerrainPlan:
    """Adds a blast at the end of the plan."""
    return _with(instance, answer, [Charge(given.x, given.y, given.charge_m)])


@commands.add("Add blasts", NewBlasts)
def blast_all(instance: Instance, answer: TerrainPlan, given: NewBlasts) -> TerrainPlan:
    """Adds blasts at the end of the plan, in their order."""
    charges = []
    for place, (x, y, depth) in enumerate(given.blasts):
        if x != int(x) or y != int(y) or depth <= 0:
            raise AnswerError("A blast is a column, a row and a depth above 0", ("blasts", place))
        charges.append(Charge(int(x), int(y), depth))
    return _with(instance, answer, charges)


@commands.add("Set depth", ChangedBlasts)
def charge(instance: Instance, answer: TerrainPlan, given: ChangedBlasts) -> TerrainPlan:
    """Gives blasts another depth."""
    charges = list(answer.charges)
    for k in chosen(given.blasts, len(charges), "blast", "blasts"):
        charges[k] = charges[k]._replace(z=given.charge_m)
    return answer.with_charges(charges)


@commands.add("Move blast", ReorderedBlast)
def reorder(instance: Instance, answer: TerrainPlan, given: ReorderedBlast) -> TerrainPlan:
    """Moves a blast to another place in the order."""
    charges = list(answer.charges)
    chosen((given.blast, given.place), len(charges), "blast")
    charges.insert(given.place, charges.pop(given.blast))
    return answer.with_charges(charges)


@commands.add("Delete blasts", ChosenBlasts)
def delete(instance: Instance, answer: TerrainPlan, given: ChosenBlasts) -> TerrainPlan:
    """Deletes blasts; the ids of later ones become smaller."""
    gone = set(chosen(given.blasts, len(answer.charges), "blast", "blasts"))
    return answer.with_charges([charge for k, charge in enumerate(answer.charges) if k not in gone])


@commands.leading
def calls_between(instance: Instance, before: TerrainPlan, after: TerrainPlan) -> Iterator[Sequence[Call]]:
    """Calls that change depths or the order of blasts, or delete and add them."""
    old, new = before.charges, after.charges

    def change(numbers: list[int]) -> Iterator[Sequence[Call]]:
        yield [("charge", {"blasts": numbers, "charge_m": new[numbers[0]].z})]
        yield [("charge", {"blasts": [k], "charge_m": new[k].z}) for k in numbers]
        if moved_one := place_moved(old, new):
            yield [("reorder", {"blast": moved_one[0], "place": moved_one[1]})]

    def add(charges: Sequence[Charge]) -> Iterator[Call]:
        if len(charges) == 1:
            yield "blast", {"x": charges[0].x, "y": charges[0].y, "charge_m": charges[0].z}
        elif charges:
            yield "blast_all", {"blasts": [list(charge) for charge in charges]}

    yield from ways_of_list(old, new, lambda gone: ("delete", {"blasts": gone}), add, change)


def _with(instance: Instance, answer: TerrainPlan, charges: Sequence[Charge]) -> TerrainPlan:
    n = instance.parameters["n"]
    for one in charges:
        if not (0 <= one.x < n and 0 <= one.y < n):
            raise AnswerError(f"There is no cell [{one.x}, {one.y}]; the map has {n} x {n} cells")
    if len(answer.blasts) + len(charges) > MAX_BLASTS:
        raise AnswerError(f"That would be more than {MAX_BLASTS} blasts")
    return answer.with_charges([*answer.charges, *charges])
