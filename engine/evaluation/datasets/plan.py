"""What a data set is made of, and the pieces that it is written in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core import Instance, InstanceError, task

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.datasets.choice import DatasetChoice

SHARD_ROWS = 100
_FORMAT = 2


class DatasetError(ValueError):
    """A data set cannot be written; the message says why."""


class DatasetPlan(BaseModel):
    """What a data set is made of. Equal plans give equal data sets, whatever machine makes them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tasks: tuple[str, ...] = Field(
        min_length=1, description="Tasks, with the arguments of their generators: maze_3d, maze_3d?size=10"
    )
    count: int = Field(ge=0, le=1_000_000, description="Different instances to generate of each task")
    seed: int = Field(default=0, ge=0, description="The first seed that is tried")
    published: bool = Field(default=False, description="Whether the published instances are there too")
    version: str = Field(description="Of the workbench")
    format: int = Field(default=1, description="1: every seed was taken, whatever it gave; 2: different prompts only")

    @classmethod
    def of(cls, tasks: Sequence[str], count: int, seed: int, published: bool, version: str) -> DatasetPlan:
        """A plan of today's format."""
        return cls(tasks=tuple(tasks), count=count, seed=seed, published=published, version=version, format=_FORMAT)

    def shards(self, choices: Mapping[str, DatasetChoice]) -> Iterator[Shard]:
        """The pieces, task by task: the published instances as split "test", the generated ones as "train"."""
        for source in self.tasks:
            if self.published:
                addresses = [instance.address for instance in task(task_id(source)).instances()]
                yield from _cut(source, "test", addresses)
            yield from _cut(source, "train", choices[source].addresses)


@dataclass(frozen=True)
class Shard:
    """A piece of a data set: a file with a number of instances of a task."""

    source: str
    split: str
    number: int
    addresses: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its name among all pieces."""
        return f"{folder_of(self.source)}-{self.split}-{self.number:05}"

    @property
    def file(self) -> str:
        """Its place in the data set."""
        return f"data/{folder_of(self.source)}/{self.split}-{self.number:05}.parquet"


def _cut(source: str, split: str, addresses: Sequence[str]) -> Iterator[Shard]:
    for number, begin in enumerate(range(0, len(addresses), SHARD_ROWS)):
        yield Shard(source, split, number, tuple(addresses[begin : begin + SHARD_ROWS]))


# Sources: a task, perhaps with arguments of its generator ------------------------------------------------------------


def source_of(task_name: str, arguments: Mapping[str, Any]) -> str:
    """A source: a task with arguments of its generator, such as "maze_3d?size=10".

    Raises:
        KeyError: There is no such task.
        InstanceError: The task has no generator, or its generator does not take these arguments.
    """
    known = task(task_name)
    if arguments and not known.generates:
        raise InstanceError(f"{known.id} has no generator")
    given = known.difficulty_of(arguments).model_dump(mode="json", exclude_defaults=True)
    return Instance.generated(known.id, 0, {}, given).address.replace("@0", "", 1)


def task_id(source: str) -> str:
    """The task of a source."""
    return source.partition("?")[0]


def address_of(source: str, seed: int) -> str:
    """The address of the instance that a source gives for a seed."""
    name, question_mark, query = source.partition("?")
    return f"{name}@{seed}{question_mark}{query}"


def folder_of(source: str) -> str:
    """The folder of a source, which is also the name of its configuration."""
    return re.sub(r"[^A-Za-z0-9_.]+", "-", source).strip("-")
