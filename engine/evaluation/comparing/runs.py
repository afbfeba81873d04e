"""Runs: the attempts of a model, a person or the people of a study, told apart by how they were asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter

from spatial_workbench.engine.evaluation.scores import Scored, by_run, latest

_KINDS = {"model": "model", "person": "person", "reference": "reference", "import": "import"}


def runs_in(records: Iterable[Scored]) -> dict[str, list[Scored]]:
    """Records by the title of their run, such as "gpt-5.2 (tools)", in the order of their names.

    Runs are told apart by how they were asked. Of a question that two batches asked, the later answer counts.
    """
    runs = by_run(told_apart(records))
    return {column.title: latest(runs[column]) for column in sorted(runs)}


def told_apart(records: Iterable[Scored]) -> list[Scored]:
    """The records, with a name of its own for each way in which a model answered.

    A model that was asked the same subtask by a single question and as an agent, or as agents of several kinds or in
    several conditions, has a name for each: "gpt-5.2", "gpt-5.2 · hands", "gpt-5.2 · hands, judged".
    """
    records = list(records)
    columns = by_run(records)
    # Sets of plain tuples, since there may be a hundred thousand records.
    several = {(column.model, column.tools) for column, items in columns.items() if _asked_in_several_ways(items)}
    if not several:
        return records
    return [
        replace(item, model=f"{item.model} · {way}")
        if (way := way_of(item)) and (item.model, item.tools) in several
        else item
        for item in records
    ]


def way_of(item: Scored) -> str:
    """How a question was answered: "hands", "hands, judged"; empty for a single question."""
    return f"{item.agent}, {item.condition}" if item.condition not in ("", item.agent) else item.agent


def kind_of_run(items: Sequence[Scored]) -> str:
    """Who answered: "model", "person", "people" of a study, "agent hands", "reference" or "import"."""
    first = items[0]
    if first.study:
        return "people"
    agents = set(map(way_of, items))
    if agents != {""} and first.actor == "model":
        return f"agent {'; '.join(sorted(filter(None, agents)))}"
    return _KINDS.get(first.actor, first.actor)


def _asked_in_several_ways(items: Sequence[Scored]) -> bool:
    if len(set(map(attrgetter("agent", "condition"), items))) == 1:
        return False
    ways: dict[str, set[str]] = defaultdict(set)
    for item in items:
        ways[item.address].add(way_of(item))
    return any(len(found) > 1 for found in ways.values())
