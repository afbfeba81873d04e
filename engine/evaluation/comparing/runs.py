"""Runs: the attempts of a model, a person or the people of a study, told apart by how they were asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from spatial_workbench.engine.evaluation.columns import ScoredColumns, TextColumn, columns_of, numbered
from spatial_workbench.engine.evaluation.scored import Scored
from spatial_workbench.engine.evaluation.scores import by_run, latest

_KINDS = {"model": "model", "person": "person", "reference": "reference", "import": "import"}


def runs_in(records: Iterable[Scored]) -> dict[str, ScoredColumns]:
    """Records by the title of their run, such as "gpt-5.2 (tools)", in the order of their names.

    Runs are told apart by how they were asked. Of a question that two batches asked, the later answer counts.
    """
    runs = by_run(told_apart(records))
    return {column.title: latest(runs[column]) for column in sorted(runs)}


def told_apart(records: Iterable[Scored]) -> ScoredColumns:
    """The records, with a name of its own for each way in which a model answered.

    A model that was asked the same subtask by a single question and as an agent, or as agents of several kinds or in
    several conditions, has a name for each: "gpt-5.2", "gpt-5.2 · hands", "gpt-5.2 · hands, judged".
    """
    records = columns_of(records)
    several = [column for column, items in by_run(records).items() if _asked_in_several_ways(items)]
    if not several:
        return records
    models = records.text("model").texts()
    tools = records.truths("tools").tolist()
    ways = _ways(records).texts()
    apart = {(column.model, column.tools) for column in several}
    named = (
        f"{model} · {way}" if way and (model, has_tools) in apart else model
        for model, has_tools, way in zip(models, tools, ways, strict=True)
    )
    return records.with_columns(model=TextColumn.of(named))


def way_of(item: Scored) -> str:
    """How a question was answered: "hands", "hands, judged"; empty for a single question."""
    return _way(item.agent, item.condition)


def kind_of_run(items: Sequence[Scored]) -> str:
    """Who answered: "model", "person", "people" of a study, "agent hands", "reference" or "import"."""
    columns = columns_of(items)
    if columns.text("study").first:
        return "people"
    actor = columns.text("actor").first
    agents = set(_ways(columns).present())
    if agents != {""} and actor == "model":
        return f"agent {'; '.join(sorted(filter(None, agents)))}"
    return _KINDS.get(actor) or str(actor)


def _way(agent: str, condition: str) -> str:
    return f"{agent}, {condition}" if condition not in ("", agent) else agent


def _ways(items: ScoredColumns) -> TextColumn:
    """How each question was answered."""
    return items.text("agent").crossed(items.text("condition")).mapped(lambda pair: _way(*pair))


def _asked_in_several_ways(items: ScoredColumns) -> bool:
    ways = _ways(items)
    if len(ways.present()) == 1:
        return False
    addresses = items.text("address").codes
    return len(np.unique(numbered(addresses, ways.codes))) > len(np.unique(addresses))
