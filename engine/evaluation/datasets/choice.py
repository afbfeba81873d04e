"""Which seeds give different instances: each question once, in one split, and none that is published."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core import Progress, resolve, task
from spatial_workbench.engine.evaluation.datasets.ids import instance_id
from spatial_workbench.engine.evaluation.datasets.plan import DatasetError, DatasetPlan, address_of, task_id
from spatial_workbench.engine.evaluation.datasets.splits import drawn_split
from spatial_workbench.engine.executor import Executor, ExecutorJob, Finished, JobOutcome, run_jobs

NOTHING_NEW = 500
SEEDS_FOR_EACH = 5
"""A generator counts as exhausted after this many seeds with nothing new, and this many more for each instance it
gave.
"""
NEVER_ANY = 50
"""A generator that fails for this many seeds, and has made nothing, is not asked again."""
SAME_ID = "another question has the same id, {id}; `what_is_asked` of the task has to tell them apart"
CHUNK_LIMIT_S = 1800.0
_SEEDS_AT_ONCE = 20
_MOST_PENDING = 64


class ChosenInstance(BaseModel):
    """A generated instance that a data set holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    address: str
    id: str
    key: str = Field(description="Equal for instances that ask the same question")
    split: str


class DatasetChoice(BaseModel):
    """The instances of a task that a data set holds, and the counts of the other seeds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    chosen: tuple[ChosenInstance, ...] = Field(description="One for each question, in the order of their seeds")
    tried: int = Field(description="How many seeds were tried")
    surplus: int = Field(default=0, description="How many belong to a split that was full")
    repeated: int = Field(description="How many gave what an earlier one had given")
    published: int = Field(description="How many gave a published instance")
    failed: dict[str, str] = Field(description="Why no instance was made, by address")
    is_exhausted: bool = Field(description="Whether the search ended because nothing new came")

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of the instances, in the order of their seeds."""
        return tuple(one.address for one in self.chosen)


def choose(
    source: str,
    plan: DatasetPlan,
    executor: Executor,
    progress: Progress,
    others: Iterable[ChosenInstance] = (),
) -> DatasetChoice:
    """The first seeds of a source whose instances differ from each other and from all published ones.

    Args:
        others: What was chosen of the same task with other arguments of its generator, and is not chosen again.

    Raises:
        DatasetError: The published instances cannot be read.
        Cancelled: Raised by `progress`.
    """
    if not task(task_id(source)).generates or plan.count == 0:
        return DatasetChoice(chosen=(), tried=0, repeated=0, published=0, failed={}, is_exhausted=False)
    search = _Search(source, plan, _published(source, executor), others)
    for finished in run_jobs(
        executor,
        search.next_job,
        lambda _: progress(len(search.chosen), plan.count, f"Looking for different instances of {source}"),
    ):
        search.add_chunk(finished)
        if search.is_over:
            break
    return search.choice()


class _Search:
    """Collects the results of chunks of seeds in the order of the seeds, in whatever order the chunks arrive."""

    def __init__(
        self, source: str, plan: DatasetPlan, published: frozenset[str], others: Iterable[ChosenInstance]
    ) -> None:
        self._source = source
        self._plan = plan
        self._published = published
        self._key_of_id = {one.id: one.key for one in others}
        self._seen = set(self._key_of_id.values())
        self._room = Counter(plan.sizes)
        self._failed: dict[str, str] = {}
        self._size = min(_SEEDS_AT_ONCE, plan.count)
        self._chunks: dict[str, int] = {}
        self._arrived: dict[int, Finished] = {}
        self._sorted_chunks = 0
        self._tried = 0
        self._repeated = 0
        self._known = 0
        self._surplus = 0
        self._since_new = 0
        self._begun_chunks = 0
        self.chosen: list[ChosenInstance] = []

    @property
    def is_over(self) -> bool:
        """Whether there are enough instances, or no more can be expected."""
        return len(self.chosen) == self._plan.count or self._is_exhausted

    @property
    def _is_exhausted(self) -> bool:
        if not self.chosen and len(self._failed) >= NEVER_ANY:
            return True
        return self._since_new >= NOTHING_NEW + SEEDS_FOR_EACH * len(self._seen)

    def next_job(self) -> ExecutorJob | None:
        """Returns the job of the next chunk; None if enough chunks are under way.

        There are enough if they would suffice were every seed new, with one chunk to spare.
        """
        enough = math.ceil((self._plan.count - len(self.chosen)) / self._size) + 1
        if self.is_over or self._begun_chunks - self._sorted_chunks >= min(_MOST_PENDING, enough):
            return None
        addresses = self._addresses(self._begun_chunks)
        key = f"keys {addresses[0]}"
        self._chunks[key] = self._begun_chunks
        self._begun_chunks += 1
        return ExecutorJob(key, f"{__name__}:questions", {"addresses": addresses}, CHUNK_LIMIT_S)

    def add_chunk(self, finished: Finished) -> None:
        """Adds the result of a chunk, which is counted when all earlier chunks have arrived."""
        self._arrived[self._chunks.pop(finished.key)] = finished
        while not self.is_over and (arrived := self._arrived.pop(self._sorted_chunks, None)):
            addresses = self._addresses(self._sorted_chunks)
            self._sorted_chunks += 1
            self._sort_seeds(addresses, arrived)

    def choice(self) -> DatasetChoice:
        """The instances that were found, with the counts of the other seeds."""
        return DatasetChoice(
            chosen=tuple(self.chosen),
            tried=self._tried,
            surplus=self._surplus,
            repeated=self._repeated,
            published=self._known,
            failed=self._failed,
            is_exhausted=len(self.chosen) < self._plan.count,
        )

    def _addresses(self, chunk: int) -> list[str]:
        first = self._plan.seed + chunk * self._size
        return [address_of(self._source, seed) for seed in range(first, first + self._size)]

    def _sort_seeds(self, addresses: Sequence[str], finished: Finished) -> None:
        failure = {"error": finished.message}
        questions = finished.value if finished.outcome is JobOutcome.DONE else [failure] * len(addresses)
        for address, question in zip(addresses, questions, strict=True):
            if self.is_over:
                return
            self._sort_seed(address, question)

    def _sort_seed(self, address: str, question: dict[str, str]) -> None:
        self._tried += 1
        self._since_new += 1
        if error := question.get("error"):
            self._failed[address] = error
        elif question["key"] in self._published or question["id"] in self._published:
            self._known += 1
        elif question["key"] in self._seen:
            self._repeated += 1
        elif question["id"] in self._key_of_id:
            self._failed[address] = SAME_ID.format(id=question["id"])
        else:
            self._since_new = 0
            self._add(ChosenInstance(address=address, split=drawn_split(question["id"], self._plan.sizes), **question))

    def _add(self, found: ChosenInstance) -> None:
        """Takes a new instance, unless its split is full. In another split, it would move when the data set grows."""
        self._seen.add(found.key)
        self._key_of_id[found.id] = found.key
        if self._room[found.split] == 0:
            self._surplus += 1
            return
        self._room[found.split] -= 1
        self.chosen.append(found)


def _published(source: str, executor: Executor) -> frozenset[str]:
    """The keys of the published questions.

    Raises:
        DatasetError: They cannot be read.
    """
    name = task_id(source)
    function = f"{__name__}:published_keys"
    jobs = iter([ExecutorJob(f"published {source}", function, {"name": name}, CHUNK_LIMIT_S)])
    (finished,) = run_jobs(executor, lambda: next(jobs, None))
    if finished.outcome is not JobOutcome.DONE:
        raise DatasetError(f"The published instances of {name} cannot be read: {finished.message}")
    return frozenset(finished.value)


# In a process of the executor ---------------------------------------------------------------------------------------


def questions(addresses: Sequence[str]) -> list[dict[str, str]]:
    """For each instance, its "id" and a "key" that differs between questions, or why there is none, as "error"."""
    return [_question(address) for address in addresses]


def published_keys(name: str) -> list[str]:
    """The keys and the ids of a task's published questions."""
    known = task(name)
    return [
        key for instance in known.instances() for key in (known.question_key(instance), instance_id(known, instance))
    ]


def _question(address: str) -> dict[str, str]:
    try:
        known, instance = resolve(address)
        return {"key": known.question_key(instance), "id": instance_id(known, instance)}
    except ValueError as error:
        return {"error": str(error)}
