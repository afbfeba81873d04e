"""How the runs of each batch were asked, as a table; API keys are not among the settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.results.tables import Heading, Table, TableCell, TableLine, Value
from spatial_workbench.engine.evaluation.study_results import has_tools, opened_studies, run_name
from spatial_workbench.engine.store import BatchRow
from spatial_workbench.engine.studies.analysis.figures import cells_of
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

_TEXTS = (
    *("Batch", "Provider", "Model", "Reasoning effort", "Temperature", "Top-p", "Prompt", "Tools", "Schema"),
    *("Agent", "Early fail", "Prices"),
)


def settings_table(project: Project, batches: Sequence[int] | None = None) -> Table:
    """A line for each batch and model, and for each condition of the studies whose outcomes are open."""
    chosen = [row for row in reversed(project.batches.all()) if batches is None or row.number in batches]
    lines = [line for row in chosen for line in _lines(row, project.batches.plan(row.number))]
    if batches is None:
        lines += [line for outcomes in opened_studies(project) for line in _study_lines(outcomes)]
    return Table(
        title="How the runs were asked",
        first="Run",
        headings=(
            *(Heading(title, is_text=True) for title in _TEXTS),
            Heading("Output limit", "tokens"),
            Heading("Repeats"),
            Heading("Instances"),
        ),
        lines=tuple(lines),
    )


def _lines(row: BatchRow, plan: str) -> list[TableLine]:
    whole = BatchPlan.model_validate_json(plan)
    return [
        TableLine(contender.settings.name, tuple(map(_cell, _values(row, whole, contender))))
        for contender in whole.contenders
    ]


def _values(row: BatchRow, plan: BatchPlan, contender: Contender) -> tuple[Value, ...]:
    settings = contender.settings
    return (
        f"{row.number} {row.name}",
        settings.provider.value,
        settings.model,
        settings.effort.value if settings.effort else "default",
        "default" if settings.temperature is None else f"{settings.temperature:g}",
        "default" if settings.top_p is None else f"{settings.top_p:g}",
        contender.variant.label if contender.variant else "own",
        "yes" if settings.tools else "no",
        settings.structured.value,
        _words_of_agent(plan),
        "yes" if plan.early_fail else "no",
        settings.prices.words if settings.provider.is_endpoint else None,
        settings.max_output_tokens,
        plan.repeats_of(contender),
        len(plan.addresses),
    )


def _words_of_agent(plan: BatchPlan) -> str:
    """The agent and the options that were set: "hierarchical, rounds 10"."""
    if plan.agent is None:
        return ""
    return ", ".join([plan.agent.kind, *(f"{name} {value}" for name, value in plan.agent.options.items())])


def _cell(value: Value) -> TableCell:
    text = f"{value:,}" if isinstance(value, int) else str(value or "–")
    return TableCell(text, values=(value,))


def _study_lines(outcomes: Outcomes) -> list[TableLine]:
    """How the people of a study answered; what people do not have, such as a temperature, is left empty."""
    study = outcomes.study
    lines = []
    for name, condition in study.conditions.items():
        cells = cells_of(outcomes, name)
        if not cells.people:
            continue
        aids = ", ".join(sorted(aid.value for aid in condition.aids)) or "no aids"
        tools = "yes" if has_tools(study) else "no"
        texts = (
            *(f"study “{study.name}”", "people", f"aids: {aids}", None, None, None, None, tools),
            *(condition.answer, None, None, None),
        )
        values: tuple[Value, ...] = (*texts, None, study.limits.submissions, len(cells.items))
        lines.append(TableLine(run_name(outcomes, name, cells.people), tuple(map(_cell, values))))
    return lines
