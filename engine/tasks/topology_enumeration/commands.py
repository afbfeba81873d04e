"""What can be done to a list of patterns: the commands of editors, agents and other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from spatial_workbench.engine.core import AnswerError, Instance, WholeNumber, at_most
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList, NoArguments
from spatial_workbench.engine.core.acting.retelling import ways_of_list
from spatial_workbench.engine.tasks.labelled_squares.square import canonical
from spatial_workbench.engine.tasks.topology_enumeration import MAX_CONFIGS, Configs, spell

commands = CommandList()

CornerLabels = Annotated[
    tuple[Annotated[WholeNumber, Field(ge=0, le=3)], ...], Field(strict=False, min_length=4, max_length=4)
]


class PatternEntries(CommandArguments):
    """Some patterns."""

    configs: Annotated[tuple[CornerLabels, ...], at_most(MAX_CONFIGS, "configs"), Field(min_length=1)] = Field(
        description="patterns, each as four labels in the order of corners that the task gives"
    )


@commands.add("Add patterns", PatternEntries, name="list")
def list_patterns(instance: Instance, answer: Configs, given: PatternEntries) -> Configs:
    """Adds patterns to the list."""
    if len(answer.configs) + len(given.configs) > MAX_CONFIGS:
        raise AnswerError(f"That would be more than {MAX_CONFIGS} patterns")
    return Configs(configs=(*answer.configs, *given.configs))


@commands.add("Delete patterns", PatternEntries)
def unlist(instance: Instance, answer: Configs, given: PatternEntries) -> Configs:
    """Takes patterns off the list, whatever their classes are called."""
    gone = {canonical(config) for config in given.configs}
    listed = {canonical(config) for config in answer.configs}
    for place, config in enumerate(given.configs):
        if canonical(config) not in listed:
            raise AnswerError(f"{spell(config)} is not listed", ("configs", place))
    return Configs(configs=tuple(config for config in answer.configs if canonical(config) not in gone))


@commands.add("Clear list", NoArguments)
def clear(instance: Instance, answer: Configs, given: NoArguments) -> Configs:
    """Empties the list."""
    return Configs(configs=())


@commands.leading
def calls_between(instance: Instance, before: Configs, after: Configs) -> Iterator[Sequence[Call]]:
    """Calls that take patterns off the list and add others."""

    def listing(configs: Sequence[Sequence[int]]) -> list[Call]:
        return [("list", {"configs": [list(config) for config in configs]})] if configs else []

    yield from ways_of_list(
        before.configs,
        after.configs,
        lambda gone: ("unlist", {"configs": [list(before.configs[k]) for k in gone]}),
        listing,
    )
    yield [("clear", {}), *listing(after.configs)]
