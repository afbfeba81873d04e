"""Which seeds give different instances: each question once, and none that is published."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core import Progress, resolve, task
from spatial_workbench.engine.evaluation.datasets.plan import DatasetError, DatasetPlan, address_of, task_id
from spatial_workbench.engine.executor import Executor, ExecutorJob, Finished, JobOutcome, run_jobs

NOTHING_NEW = 500
SEEDS_FOR_EACH = 5
"""A generator counts as exhausted after this many seeds with nothing new, and this many more for each instance it
gave.
"""
NEVER_ANY = 50
"""A generator that fails for this many seeds, and has made nothing, is not asked again."""
CHUNK_LIMIT_S = 1800.0
_SEEDS_AT_ONCE = 20
_MOST_PENDING = 64


class DatasetChoice(BaseModel):
    """The instances of a task that a data set holds, and the counts of the other seeds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    addresses: tuple[str, ...] = Field(description="One for each question, in the order of their seeds")
    tried: int = Field(description="How many seeds were tried")
    repeated: int = Field(description="How many gave what an earlier one had given")
    published: int = Field(description="How many gave a published instance")
    failed: dict[str, str] = Field(description="Why no instance was made, by address")
    is_exhausted: bool = Field(description="Whether the search ended because nothing new came")


def choose(source: str, plan: DatasetPlan, executor: Executor, progress: Progress) -> DatasetChoice:
    """The first seeds of a source whose instances differ from each other and from all published ones.

    Raises:
        DatasetError: The published instances cannot be read.
        Cancelled: Raised by `progress`.
    """
    if not task(task_id(source)).generates or plan.count == 0:
        return DatasetChoice(addresses=(), tried=0, repeated=0, published=0, failed={}, is_exhausted=False)
    search = _Search(source, plan, _published(source, executor))
    for finished in run_jobs(
        executor,
        search.next_job,
        lambda _: progress(len(search.addresses), plan.count, f"Looking for different instances of {source}"),
    ):
        search.add_chunk(finished)
        if search.is_over:
            break
    return search.choice()


class _Search:
    """Collects the results of chunks of seeds in the order of the seeds, in whatever order the chunks arrive."""

    def __init__(self, source: str, plan: DatasetPlan, published: frozenset[str]) -> None:
        self._source = source
        self._plan = plan
        self._published = published
        self._seen: set[str] = set()
        self._failed: dict[str, str] = {}
        self._size = min(_SEEDS_AT_ONCE, plan.count)
        self._chunks: dict[str, int] = {}
        self._arrived: dict[int, Finished] = {}
        self._sorted_chunks = 0
        self._tried = 0
        self._repeated = 0
        self._known = 0
        self._since_new = 0
        self._begun_chunks = 0
        self.addresses: list[str] = []

    @property
    def is_over(self) -> bool:
        """Whether there are enough instances, or no more can be expected."""
        return len(self.addresses) == self._plan.count or self._is_exhausted

    @property
    def _is_exhausted(self) -> bool:
        if not self.addresses and len(self._failed) >= NEVER_ANY:
            return True
        return self._since_new >= NOTHING_NEW + SEEDS_FOR_EACH * len(self.addresses)

    def next_job(self) -> ExecutorJob | None:
        """Returns the job of the next chunk; None if enough chunks are under way.

        There are enough if they would suffice were every seed new, with one chunk to spare.
        """
        enough = math.ceil((self._plan.count - len(self.addresses)) / self._size) + 1
        if self.is_over or self._begun_chunks - self._sorted_chunks >= min(_MOST_PENDING, enough):
            return None
        addresses = self._addresses(self._begun_chunks)
        key = f"keys {addresses[0]}"
        self._chunks[key] = self._begun_chunks
        self._begun_chunks += 1
        return ExecutorJob(key, f"{__name__}:question_keys", {"addresses": addresses}, CHUNK_LIMIT_S)

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
            addresses=tuple(self.addresses),
            tried=self._tried,
            repeated=self._repeated,
            published=self._known,
            failed=self._failed,
            is_exhausted=len(self.addresses) < self._plan.count,
        )

    def _addresses(self, chunk: int) -> list[str]:
        first = self._plan.seed + chunk * self._size
        return [address_of(self._source, seed) for seed in range(first, first + self._size)]

    def _sort_seeds(self, addresses: Sequence[str], finished: Finished) -> None:
        failure = {"error": finished.message}
        keys = finished.value if finished.outcome is JobOutcome.DONE else [failure] * len(addresses)
        for address, key in zip(addresses, keys, strict=True):
            if self.is_over:
                return
            self._sort_seed(address, key)

    def _sort_seed(self, address: str, key: str | dict[str, str]) -> None:
        self._tried += 1
        self._since_new += 1
        if isinstance(key, dict):
            self._failed[address] = key["error"]
        elif key in self._published:
            self._known += 1
        elif key in self._seen:
            self._repeated += 1
        else:
            self._since_new = 0
            self._seen.add(key)
            self.addresses.append(address)


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


def question_keys(addresses: Sequence[str]) -> list[str | dict[str, str]]:
    """A key that differs between the questions of instances, or {"error": why there is none}."""
    return [_key(address) for address in addresses]


def published_keys(name: str) -> list[str]:
    """The keys of a task's published questions."""
    known = task(name)
    return [known.question_key(instance) for instance in known.instances()]


def _key(address: str) -> str | dict[str, str]:
    try:
        known, instance = resolve(address)
        return known.question_key(instance)
    except ValueError as error:
        return {"error": str(error)}
