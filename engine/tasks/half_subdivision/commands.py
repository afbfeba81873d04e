"""What can be done to a list of cells: the commands of editors, agents and other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from spatial_workbench.engine.core import AnswerError, Instance, at_most
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList, NoArguments
from spatial_workbench.engine.core.acting.retelling import ways_of_list
from spatial_workbench.engine.tasks.half_subdivision import MAX_LABELS, Neighbours

commands = CommandList()

MOST_BITS = 64


class CellLabels(CommandArguments):
    """Some cells."""

    labels: Annotated[tuple[str, ...], at_most(MAX_LABELS, "labels"), Field(min_length=1)] = Field(
        description="labels of cells: strings of 0 and 1"
    )


@commands.add("List cells", CellLabels, name="list")
def list_cells(instance: Instance, answer: Neighbours, given: CellLabels) -> Neighbours:
    """Adds cells to the list; those that are listed stay where they are."""
    labels = tuple(dict.fromkeys((*answer.neighbors, *_readable(given.labels))))
    if len(labels) > MAX_LABELS:
        raise AnswerError(f"That would be more than {MAX_LABELS} cells")
    return Neighbours(neighbors=labels)


@commands.add("Unlist cells", CellLabels)
def unlist(instance: Instance, answer: Neighbours, given: CellLabels) -> Neighbours:
    """Takes cells off the list."""
    left = dict.fromkeys(answer.neighbors)
    for place, label in enumerate(dict.fromkeys(_readable(given.labels))):
        if label not in left:
            raise AnswerError(f"{label or 'The root'} is not listed", ("labels", place))
        del left[label]
    return Neighbours(neighbors=tuple(left))


@commands.add("Clear list", NoArguments)
def clear(instance: Instance, answer: Neighbours, given: NoArguments) -> Neighbours:
    """Empties the list."""
    return Neighbours(neighbors=())


@commands.leading
def calls_between(instance: Instance, before: Neighbours, after: Neighbours) -> Iterator[Sequence[Call]]:
    """Calls that take cells off the list and add others."""
    yield from ways_of_list(
        before.neighbors,
        after.neighbors,
        lambda gone: ("unlist", {"labels": [before.neighbors[k] for k in gone]}),
        lambda rest: [("list", {"labels": list(rest)})] if rest else [],
    )


def _readable(labels: Sequence[str]) -> list[str]:
    """The labels without blanks.

    Raises:
        AnswerError: One is no string of 0 and 1.
    """
    stripped = [label.strip() for label in labels]
    for place, label in enumerate(stripped):
        if len(label) > MOST_BITS or set(label) - {"0", "1"}:
            raise AnswerError(f"labels[{place}]: a string of 0 and 1 is expected", ("labels", place))
    return stripped
