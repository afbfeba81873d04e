"""What a data set is made of, and the pieces that it is written in."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core import Instance, InstanceError, task
from spatial_workbench.engine.evaluation.datasets.splits import PUBLISHED, TEST, TRAIN, require_usable, split_of

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.datasets.choice import DatasetChoice
    from spatial_workbench.engine.evaluation.datasets.rows import SolveRate

SHARD_ROWS = 100
USUAL_TITLE = "Spatial reasoning, generated"
_FORMAT = 3


class DatasetError(ValueError):
    """A data set cannot be written or checked; the message says why."""


class DatasetAbout(BaseModel):
    """What the card and the metadata say of a data set besides what it is made of."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str = Field(default=USUAL_TITLE, min_length=1, max_length=200, description="What it is called")
    url: str = Field(default="", description="Where it will be found; empty: nobody knows yet")
    date: str = Field(default="", description="When it was begun, as YYYY-MM-DD; empty: it is not said")
    canary: str = Field(default="", description="The GUID of its canary; empty: one that follows from the plan")


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
    format: int = Field(
        default=1,
        description="1: every seed was taken, whatever it gave; 2: different prompts only; 3: with ids and splits",
    )
    splits: dict[str, int] = Field(
        default_factory=dict, description="How many of each task's instances each split holds; empty: all are “train”"
    )
    rates: str = Field(default="", description="The SHA-256 of the pass rates that instances are graded by")
    by_difficulty: bool = Field(default=False, description="Whether splits are divided by these pass rates")
    about: DatasetAbout = DatasetAbout()

    @classmethod
    def of(
        cls,
        tasks: Sequence[str],
        count: int,
        seed: int,
        published: bool,
        version: str,
        *,
        splits: Mapping[str, int] | None = None,
        rates: Mapping[str, SolveRate] | None = None,
        by_difficulty: bool = False,
        about: DatasetAbout | None = None,
    ) -> DatasetPlan:
        """A plan of today's format.

        Args:
            count: How many instances of each task are generated if there are no `splits`, all for “train”.
            splits: How many of each task's instances each split holds.
            rates: How often models passed instances, by address.

        Raises:
            DatasetError: A split cannot have its name, or difficulties are wanted that nobody measured.
        """
        sizes = dict(sorted((splits or {}).items()))
        try:
            require_usable(sizes, published, by_difficulty)
        except ValueError as error:
            raise DatasetError(str(error)) from None
        if by_difficulty and not rates:
            raise DatasetError("Splits by difficulty need a project in which models were asked, and none was found.")
        return cls(
            tasks=tuple(tasks),
            count=sum(sizes.values()) if sizes else count,
            seed=seed,
            published=published,
            version=version,
            format=_FORMAT,
            splits=sizes,
            rates=_digest(rates),
            by_difficulty=by_difficulty,
            about=about or DatasetAbout(),
        )

    @property
    def sizes(self) -> dict[str, int]:
        """How many generated instances of each task each split holds; divided by difficulty only afterwards."""
        return self.splits or {TRAIN: self.count}

    @property
    def published_split(self) -> str:
        """The split of the published instances: “test”, unless there are splits of other names."""
        return PUBLISHED if self.splits else TEST

    @property
    def guid(self) -> str:
        """The GUID of the canary: as told, or one that equal plans have in common, whenever they were made."""
        return self.about.canary or str(uuid.uuid5(uuid.NAMESPACE_URL, self.undated().model_dump_json()))

    def undated(self) -> DatasetPlan:
        """The plan without the date on which it was made."""
        return self.model_copy(update={"about": self.about.model_copy(update={"date": ""})})

    def shards(
        self, choices: Mapping[str, DatasetChoice], rates: Mapping[str, SolveRate] | None = None
    ) -> Iterator[Shard]:
        """The pieces, task by task: the published instances first, then the generated ones by split."""
        for source in self.tasks:
            by_split: dict[str, list[str]] = {}
            for split, address in self._instances(source, choices[source]):
                rate = (rates or {}).get(address)
                name = split_of(split, rate.word if rate else None) if self.by_difficulty else split
                by_split.setdefault(name, []).append(address)
            for name, addresses in by_split.items():
                yield from _cut(source, name, addresses)

    def _instances(self, source: str, choice: DatasetChoice) -> Iterator[tuple[str, str]]:
        """The split and the address of each instance of a source; the published ones are with the first of a task."""
        if self.published and source == next(one for one in self.tasks if task_id(one) == task_id(source)):
            yield from ((self.published_split, instance.address) for instance in task(task_id(source)).instances())
        for name in self.sizes:
            yield from ((name, chosen.address) for chosen in choice.chosen if chosen.split == name)


def _digest(rates: Mapping[str, SolveRate] | None) -> str:
    if not rates:
        return ""
    lines = [[address, rate.passed, rate.attempts] for address, rate in sorted(rates.items())]
    return hashlib.sha256(json.dumps(lines).encode()).hexdigest()


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
