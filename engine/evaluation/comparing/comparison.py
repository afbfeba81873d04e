"""The differences of two runs: overall, by system, bucket and task, with tests corrected for their number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean

from spatial_workbench.engine.core import InstanceError, SharesPrompts, answer_group_of, resolve
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.instance import task_of_address
from spatial_workbench.engine.evaluation.comparing.paired import (
    PairedDifference,
    ScorePair,
    holm,
    paired_difference,
)
from spatial_workbench.engine.evaluation.scored import Scored
from spatial_workbench.engine.evaluation.scores import family_of, grouped

OVERALL = "overall"
SYSTEM = "system"
BUCKET = "bucket"
TASK = "task"


class NothingToCompare(ValueError):
    """Two runs have no subtask in common; says so."""


@dataclass(frozen=True)
class ComparedPart:
    """A part of the subtasks that two runs have in common.

    Attributes:
        kind: "overall", "system", "bucket" or "task".
        id: Of the system, the bucket or the task.
        p_corrected, p_passed_corrected: The probabilities, corrected by Holm's method for the rows of this kind.
    """

    kind: str
    id: str
    title: str
    found: PairedDifference
    p_corrected: float | None = None
    p_passed_corrected: float | None = None


@dataclass(frozen=True)
class RunComparison:
    """Two runs, compared on the subtasks that both have a score for.

    Attributes:
        first, second: Their names.
        pairs: The subtasks, in natural order.
        rows: Overall, then systems, buckets and tasks; a kind with a single row that says the same as another is left
            out.
        only_first, only_second: How many subtasks only one of them has a score for, which are left out.
    """

    first: str
    second: str
    pairs: tuple[ScorePair, ...]
    rows: tuple[ComparedPart, ...]
    only_first: int
    only_second: int

    @property
    def overall(self) -> PairedDifference:
        """The difference on all subtasks that they have in common."""
        return self.rows[0].found


def compared(first: str, second: str, of_first: Iterable[Scored], of_second: Iterable[Scored]) -> RunComparison:
    """Compares two sets of attempts: of two models, settings, people, or the same answers under two verifiers.

    first, second: How they are called.

    Raises:
        NothingToCompare: They have no subtask in common.
    """
    one, other = _by_address(of_first), _by_address(of_second)
    common = sorted(one.keys() & other.keys(), key=_natural)
    if not common:
        raise NothingToCompare(f"{first} and {second} have no subtask in common that both have a score for.")
    pairs = tuple(_pair(one[address], other[address]) for address in common)
    return RunComparison(
        first, second, pairs, tuple(_rows(pairs)), len(one.keys() - other.keys()), len(other.keys() - one.keys())
    )


def _by_address(records: Iterable[Scored]) -> dict[str, list[Scored]]:
    """The records that have a score, by the address of their instance."""
    return grouped((item for item in records if item.value is not None), lambda item: item.address)


def _pair(first: Sequence[Scored], second: Sequence[Scored]) -> ScorePair:
    lead = first[0]
    return ScorePair(
        lead.address,
        lead.task,
        _mean(first),
        _mean(second),
        all(item.passed for item in first),
        all(item.passed for item in second),
        cluster_of(lead.address),
        _newest(first),
        _newest(second),
    )


def _mean(items: Sequence[Scored]) -> float:
    return fmean(item.value for item in items if item.value is not None)


def _newest(items: Sequence[Scored]) -> int | None:
    return max((item.attempt for item in items if item.attempt is not None), default=None)


@lru_cache(maxsize=16384)
def cluster_of(address: str) -> str:
    """What an instance shares with those that have the same answer; its address if there are none."""
    try:
        # Hardly any task has such groups, and some take seconds to make an instance.
        if not isinstance(task_of(task_of_address(address)), SharesPrompts):
            return address
        task, instance = resolve(address)
    except (InstanceError, KeyError):
        return address
    group = answer_group_of(task, instance)
    return address if group is None else f"{task.id} {group}"


def _rows(pairs: Sequence[ScorePair]) -> list[ComparedPart]:
    rows = [ComparedPart(OVERALL, OVERALL, "All subtasks in common", paired_difference(pairs))]
    names: dict[str, Mapping[str, list[ScorePair]]] = {
        SYSTEM: grouped(pairs, lambda pair: family_of(pair.task)),
        BUCKET: grouped(pairs, lambda pair: _bucket_of(pair.task)),
        TASK: grouped(pairs, lambda pair: pair.task),
    }
    for kind, groups in names.items():
        if kind == TASK or len(groups) > 1:
            rows += _corrected(
                [ComparedPart(kind, id_, _title(kind, id_), paired_difference(of)) for id_, of in groups.items()]
            )
    return rows


def _corrected(rows: Sequence[ComparedPart]) -> list[ComparedPart]:
    """Rows of one kind, with probabilities corrected for their number."""
    scores = holm([row.found.p for row in rows])
    passed = holm([row.found.p_passed for row in rows])
    return [
        ComparedPart(row.kind, row.id, row.title, row.found, p, p_passed)
        for row, p, p_passed in zip(rows, scores, passed, strict=True)
    ]


def _bucket_of(task_id: str) -> str:
    try:
        return task_of(task_id).bucket.id
    except KeyError:
        return "other"


def _title(kind: str, id_: str) -> str:
    if kind != TASK:
        return id_.capitalize()
    try:
        return task_of(id_).title
    except KeyError:
        return id_


def _natural(address: str) -> tuple[str, int, str]:
    """A task's published instances in the order of their numbers, then the others."""
    name, _, number = address.partition(":")
    return (name, int(number), "") if number.isdecimal() else (name, 1 << 30, number)
