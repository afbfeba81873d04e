"""The plan of a study as Markdown, for a registry: what is asked, of whom, under which rules, and what is computed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from spatial_workbench.engine.studies.analysis.rules import rules_of
from spatial_workbench.engine.studies.planning.document import Study, StudyCondition, Text
from spatial_workbench.engine.studies.planning.paying import bonus_words
from spatial_workbench.engine.studies.planning.slots import most_rows


def plan_text(study: Study, today: date) -> str:
    """The plan, with the hash of the document and the date."""
    parts = (_head, _question, _people, _items, _limits, _conditions, _rules, _analysis)
    lines = [f"# {study.name}", "", f"Written on {today.isoformat()}. Hash of the document: `{study.hash}`."]
    for part in parts:
        lines += ["", *part(study)]
    return "\n".join(lines) + "\n"


def _head(study: Study) -> Iterator[str]:
    yield f"Leader: {study.leader or '–'}. Contact: {study.contact or '–'}."


def _question(study: Study) -> Iterator[str]:
    yield "## Question and hypotheses"
    yield ""
    yield _plain(study.question) or "–"
    for number, hypothesis in enumerate(study.hypotheses, 1):
        yield f"{number}. {_plain(hypothesis)}"


def _people(study: Study) -> Iterator[str]:
    yield "## People"
    yield ""
    yield f"- Population: {_plain(study.population) or '–'}; sampling: {study.sampling}"
    yield from (f"- Criterion: {_plain(criterion)}" for criterion in study.population_criteria)
    for rule in study.eligibility:
        yield f"- Eligible if {rule.covariate} {rule.op} {rule.value}"
    yield f"- Where people take part: {_settings(study)}"
    yield f"- Sample size: {study.plan.slots} places, {study.plan.reserve} in reserve"
    yield f"- Reason: {_planner(study)}"
    yield f"- Bonus: {bonus_words(study) or _plain(study.incentive.bonus) or '–'}"
    yield f"- Ethics: {' '.join(filter(None, (study.ethics.status, study.ethics.body, study.ethics.number))) or '–'}"


def _settings(study: Study) -> str:
    where = " or ".join(setting.phrase for setting in study.settings)
    return f"{where}; figures are given for each, and times are never pooled" if len(study.settings) > 1 else where


def _planner(study: Study) -> str:
    if not study.plan.planner:
        return "the number was set by hand; no power analysis"
    inputs = ", ".join(f"{name} = {value}" for name, value in study.plan.planner.items())
    return (
        "n for the wished precision by Student's t with SD = √(σ²p + σ²e / m), plus dropouts, rounded up to"
        f" {most_rows(study)} rows × {len(study.conditions)} conditions; {inputs}"
    )


def _items(study: Study) -> Iterator[str]:
    yield "## Items"
    yield ""
    yield "| Block | Order | Item | Instance | Phase |"
    yield "|---|---|---|---|---|"
    for block in study.blocks:
        for item in block.items:
            yield f"| {block.id} | {block.order} | {item.id} | {item.address or item.kind} | {item.phase} |"
    yield ""
    yield f"Blocks: {study.blocks_order}. Seed of the orders: {study.analysis.seed}."


def _limits(study: Study) -> Iterator[str]:
    limits = study.limits
    yield "## Limits"
    yield ""
    yield f"- An item: {_seconds(limits.item_s)}; the whole study: {_seconds(limits.total_s)}"
    yield f"- Submissions: {limits.submissions}, of which the {limits.score_of} one counts"
    yield f"- When the time is over: {'the draft counts' if limits.at_timeout == 'draft' else 'no answer'}"
    yield f"- Pauses: {limits.pauses.kind}; leaving the window: {study.on_leave}"
    yield "- Tools: " + ", ".join(f"{name} {value}" for name, value in study.tools.model_dump().items())


def _conditions(study: Study) -> Iterator[str]:
    yield "## Conditions"
    yield ""
    yield f"Assigned {study.assignment} people." if len(study.conditions) > 1 else "There is one condition."
    yield from (f"- **{name}**: {_condition(condition)}" for name, condition in study.conditions.items())


def _condition(condition: StudyCondition) -> str:
    aids = ", ".join(sorted(condition.aids)) or "none"
    answer = condition.answer if condition.format_check else f"{condition.answer} without a format check"
    return f"aids: {aids}; answer: {answer}; feedback: {condition.feedback}; clock {condition.clock}"


def _rules(study: Study) -> Iterator[str]:
    yield "## Rules of quality, fixed before any outcome is seen"
    yield ""
    yield "| Rule | Response | Threshold |"
    yield "|---|---|---|"
    for rule in rules_of(study).values():
        threshold = ", ".join(f"{name} {value}" for name, value in rule.value.items())
        yield f"| {rule.rule} | {rule.response} | {threshold or '–'} |"


def _analysis(study: Study) -> Iterator[str]:
    analysis = study.analysis
    yield "## Analysis"
    yield ""
    yield f"- Primary: {analysis.primary}; success: {analysis.success}"
    yield f"- Intervals at {analysis.level:.0%}: bootstrap over people, {analysis.draws} draws, expanded percentiles;"
    yield "  Student's t for fewer than 8 people, none for fewer than 3"
    yield "- Every figure with exclusions as planned and with nobody excluded; each rule dropped in turn"
    for contrast in analysis.contrasts:
        batch = f", batch {contrast.batch}" if contrast.batch is not None else ""
        yield f"- People in “{contrast.condition}” minus {contrast.run}{batch}, tools {_word(contrast.tools)}"


def _seconds(limit: float | None) -> str:
    return "no limit" if limit is None else f"{limit:g} s"


def _word(value: bool) -> str:
    return "allowed" if value else "off"


def _plain(text: Text) -> str:
    """A text on one line, in the first of its languages."""
    words = next(iter(text.values()), "") if isinstance(text, dict) else text
    return " ".join(words.split())
