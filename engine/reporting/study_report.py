"""The report on a study as sections of tables: the question, the people, the method, the results, the deviations.

Until outcomes are unsealed, the sections about them are left out, and the report says why.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from spatial_workbench.engine.core.version import application_version
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.results.contents import ReportSection
from spatial_workbench.engine.evaluation.results.html import ChartSvg, study_page_html
from spatial_workbench.engine.evaluation.results.tables import Heading, Table, TableCell, TableLine, TableNote, percent
from spatial_workbench.engine.reporting.study_figures import outcome_sections
from spatial_workbench.engine.reporting.study_sentences import (
    words_on_answers,
    words_on_effort,
    words_on_flow,
    words_on_method,
    words_on_settings,
    words_on_tools,
)
from spatial_workbench.engine.reporting.study_tables import first_version
from spatial_workbench.engine.studies.analysis.checklist import StudyAnswer, answers, count_words
from spatial_workbench.engine.studies.analysis.counting import PLANNED, main_instances
from spatial_workbench.engine.studies.analysis.figures import ModelRun, cells_of, figures
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes, StudyState
from spatial_workbench.engine.studies.analysis.rules import excluded_sessions, excluded_trials
from spatial_workbench.engine.studies.files.canonical import SHOWN_CHARS
from spatial_workbench.engine.studies.files.publishing import QUOTES
from spatial_workbench.engine.studies.planning.briefing import written_briefing
from spatial_workbench.engine.studies.planning.consenting import written_consent
from spatial_workbench.engine.studies.planning.document import Limits, Study, StudyCondition, StudySetting, Text
from spatial_workbench.engine.studies.sessions.schema import SessionRecord

LIMITS_OF_THE_METHOD = (
    "Tools are declared, and nothing watches them. The window cannot lock a machine: what leaves it is logged where it "
    "can be seen. Signatures of results files find damage and casual edits, but whoever has a bundle can forge them. "
    "Answering as text, as models do, takes aids away, but neither sight nor hands nor memory. One person's items "
    "share a memory; a model's do not."
)

NOT_ENCRYPTED = (
    "The study was frozen by a version that did not encrypt answers: whoever had the project could read them before "
    "outcomes were opened."
)


def report_sections(outcomes: Outcomes, runs: Sequence[ModelRun] = ()) -> list[ReportSection]:
    """The sections of the report, in order; `runs` are the models that the study compares people with."""
    is_open = outcomes.state is StudyState.UNSEALED
    given = answers(outcomes, runs)
    return [
        _summary(outcomes, given),
        _flow(outcomes),
        _people(outcomes),
        _method(outcomes, runs),
        *(outcome_sections(outcomes, runs) if is_open else ()),
        _deviations(outcomes),
        *(_strategies(outcomes) if is_open else ()),
        _checklist(given),
        _texts(outcomes.study),
        _versions(outcomes),
    ]


# Before the figures ----------------------------------------------------------------------------------------------


def _summary(outcomes: Outcomes, given: Sequence[StudyAnswer]) -> ReportSection:
    words = [" ".join(filter(None, (_early_look(outcomes), *_sentences(outcomes))))]
    if outcomes.state is not StudyState.UNSEALED:
        words.append(
            f"The study is {outcomes.state.value}: outcomes are sealed until collection is closed, exclusions are "
            "fixed, and the leader shows them. Scores, times and comparisons are therefore left out."
        )
    if not outcomes.is_encrypted:
        words.append(NOT_ENCRYPTED)
    words.append(count_words(given))
    return ReportSection("summary", "Summary", words=tuple(words))


def _early_look(outcomes: Outcomes) -> str:
    early = [look for look in outcomes.looks if look.is_before_exclusions]
    if not early:
        return ""
    return f"Outcomes were seen on {early[0].at[:10]}, before exclusions were fixed."


def _sentences(outcomes: Outcomes) -> Iterator[str]:
    study = outcomes.study
    cells = cells_of(outcomes, selection=PLANNED)
    items = len(main_instances(study))
    names = ", ".join(f"“{name}”" for name in study.conditions)
    yield f"{study.name}: {first_version(study.question)}"
    yield (
        f"{counted(cells.people, 'person is', 'people are')} analysed on {counted(items, 'item')}, "
        f"in {counted(len(study.conditions), 'condition')} ({names}), with {_limit(study.limits)}."
    )
    excluded = len(excluded_sessions(outcomes.breaches))
    trials = len(excluded_trials(outcomes.breaches))
    yield f"The rules exclude {counted(excluded, 'session')} and {counted(trials, 'single trial')}."
    if outcomes.state is StudyState.UNSEALED and cells.people:
        yield _headline(outcomes)
    yield f"Outcomes were looked at {counted(len(outcomes.looks), 'time')}."


def _headline(outcomes: Outcomes) -> str:
    """Score and pass rate of each condition: people of different conditions are never averaged."""
    parts = []
    for condition in outcomes.study.conditions:
        found = figures(cells_of(outcomes, condition))
        where = f" in “{condition}”" if len(outcomes.study.conditions) > 1 else ""
        if found is None:
            parts.append(f"there is no score{where}")
            continue
        ends = f" [{percent(found.score.low)}, {percent(found.score.high)}]" if found.score.low is not None else ""
        few = "" if ends else "; there are too few people for an interval"
        means = f"the mean score{where} is {percent(found.score.value)} %{ends}"
        parts.append(f"{means}, the pass rate {percent(found.passed.value)} %{few}")
    words = "; ".join(parts)
    return f"{words[:1].upper()}{words[1:]}."


def _limit(limits: Limits) -> str:
    parts = [f"{limits.item_s:g} s an item" if limits.item_s else "no limit of time an item"]
    parts += [f"{limits.total_s:g} s in all"] if limits.total_s else []
    parts += [counted(limits.submissions, "submission")]
    return ", ".join(parts)


def _flow(outcomes: Outcomes) -> ReportSection:
    excluded = len(excluded_sessions(outcomes.breaches))
    analysed = cells_of(outcomes, selection=PLANNED).people
    rows = [*flow_counts(outcomes).items(), ("Excluded by rule", excluded), ("Analysed", analysed)]
    words = words_on_flow(outcomes.counts, excluded, analysed)
    return ReportSection("flow", "From plan to analysis", (_counts("People", "Stage", rows, words),))


def flow_counts(outcomes: Outcomes) -> dict[str, int]:
    """How many people were planned, started, could not take part, or withdrew; the last two are not in the data."""
    counts = outcomes.counts
    return {
        "Planned": counts.planned,
        "Started": counts.started,
        "Not eligible": counts.ineligible,
        "Withdrew": counts.withdrew,
    }


def _counts(title: str, first: str, rows: Sequence[tuple[str, Any]], words: str) -> Table:
    lines = tuple(TableLine(name, (TableCell(str(value), values=(value,)),)) for name, value in rows)
    return Table(title, first, (Heading("People"),), lines, words=words)


def _people(outcomes: Outcomes) -> ReportSection:
    sessions = cells_of(outcomes, selection=PLANNED).sessions
    tables = []
    for covariate in outcomes.study.covariates:
        said = Counter(_in_one_word(session.covariates.get(covariate.key)) for session in sessions)
        answers = sorted(said.items(), key=lambda pair: -pair[1])
        tables.append(_counts(first_version(covariate.ask), "Answer", answers, words_on_answers(answers)))
    if study_settings := _settings(outcomes, sessions):
        tables.insert(0, study_settings)
    aided = sum(bool(session.accommodations.model_dump(exclude_defaults=True)) for session in sessions)
    words = (f"{counted(aided, 'person', 'people')} had accommodations.",)
    return ReportSection("people", "People", tuple(tables), words=words)


def _settings(outcomes: Outcomes, sessions: Sequence[SessionRecord]) -> Table | None:
    """How many of the people who are analysed took part in each setting; nothing where all sat at a desk as planned."""
    took_part = Counter(session.setting for session in sessions)
    shown = [setting for setting in StudySetting if setting in outcomes.study.settings or took_part[setting]]
    if shown == [StudySetting.DESK]:
        return None
    rows = [(setting.phrase, took_part[setting]) for setting in shown]
    return _counts("Where people took part", "Setting", rows, words_on_settings(rows))


def _in_one_word(value: Any) -> str:
    if value is None:
        return "not answered"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return {"True": "yes", "False": "no"}.get(str(value), str(value))


def _method(outcomes: Outcomes, runs: Sequence[ModelRun]) -> ReportSection:
    study = outcomes.study
    conditions = tuple(_condition(name, condition) for name, condition in study.conditions.items())
    heads = ("Aids", "Answer", "Feedback", "Clock", "Clipboard")
    headings = tuple(Heading(head, is_text=True) for head in heads)
    tools = [(name, str(use)) for name, use in study.tools.model_dump().items()]
    tables = [
        Table("Conditions", "Condition", headings, conditions, words=words_on_method(study)),
        _pairs("Limits", _limits(study), f"People had {_limit(study.limits)}."),
        _pairs("Tools, as declared", tools, words_on_tools(study.tools)),
    ]
    if runs:
        tables.append(_effort(runs))
    return ReportSection("method", "Method", tuple(tables), words=(LIMITS_OF_THE_METHOD,))


def _condition(name: str, condition: StudyCondition) -> TableLine:
    aids = ", ".join(sorted(aid.value for aid in condition.aids)) or "none"
    told = condition.feedback.value
    told += f", after each {condition.feedback_after}" if told not in ("none", "live") else ""
    answer = condition.answer if condition.format_check else f"{condition.answer}, no format check"
    shown = (aids, answer, told, condition.clock, condition.clipboard)
    return TableLine(name, tuple(TableCell(text, values=(text,)) for text in shown))


def _limits(study: Study) -> Iterator[tuple[str, str]]:
    for name, value in study.limits.model_dump(mode="json").items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {part}" for key, part in value.items() if part is not None)
        yield re.sub("_s$", ", s", name).replace("_", " "), _setting(value)


def _setting(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return {"None": "none", "True": "yes", "False": "no"}.get(str(value), str(value))


def _pairs(title: str, rows: Iterable[tuple[str, str]], words: str) -> Table:
    lines = tuple(TableLine(name, (TableCell(value, values=(value,)),)) for name, value in rows)
    return Table(title, "What", (Heading("Value", is_text=True),), lines, words=words)


def _effort(runs: Sequence[ModelRun]) -> Table:
    headings = (Heading("Output limit", "tokens"), Heading("Used", "tokens"), Heading("Tools"), Heading("Same prompt"))
    lines = tuple(map(_effort_line, runs))
    return Table("Models beside people", "Run", headings, lines, words=words_on_effort(runs))


def _effort_line(run: ModelRun) -> TableLine:
    known = [same for same in run.same_prompt.values() if same is not None]
    same = f"{sum(known)} of {len(known)} items" if known else "not known"
    used = None if run.output_tokens is None else round(run.output_tokens)
    cells = (
        TableCell("none" if run.budget is None else f"{run.budget:,}", values=(run.budget,)),
        TableCell("–" if used is None else f"{used:,}", values=(used,)),
        TableCell("yes" if run.tools else "no", values=(run.tools,)),
        TableCell(same, values=(same,)),
    )
    return TableLine(run.name, cells)


# After the figures -----------------------------------------------------------------------------------------------


def _deviations(outcomes: Outcomes) -> ReportSection:
    words = [
        *(f"Looked at outcomes on {look.at[:16].replace('T', ' ')}. {look.reason}".strip() for look in outcomes.looks),
        *(_amendment(amendment) for amendment in outcomes.amendments),
        *(f"Excluded later: session {entry.session[:8]}. {entry.reason}" for entry in outcomes.post_hoc),
        *_elsewhere(outcomes),
        *_unread_texts(outcomes),
        *outcomes.disagreements,
        *outcomes.notes,
    ]
    registration = outcomes.registration
    if registration.at:
        first = min((session.began_at for session in outcomes.sessions if session.began_at), default="")
        late = ", after data collection began" if first and registration.at[:10] > first[:10] else ""
        words.append(f"Registered on {registration.at[:10]}{late}: {registration.link}")
    return ReportSection("deviations", "Deviations and amendments", words=tuple(words) or ("None.",))


def _elsewhere(outcomes: Outcomes) -> Iterator[str]:
    """The settings in which people took part although the plan does not name them."""
    took_part = Counter(session.setting for session in outcomes.sessions)
    for setting, count in took_part.items():
        if setting not in outcomes.study.settings:
            yield f"{counted(count, 'person', 'people')} took part {setting.phrase}, which the plan does not name."


def _unread_texts(outcomes: Outcomes) -> Iterator[str]:
    """How many main trials ended with text typed beside the editor that could not be read; nothing if none did."""
    count = sum(bool(trial.unapplied) for session in outcomes.sessions for trial in session.of_phase("main"))
    if count:
        yield (
            f"{counted(count, 'trial')} ended with text typed beside the editor that could not be read. What was built"
            " in the editor was handed in; the text is stored with the trial."
        )


def _amendment(amendment: Any) -> str:
    pooled = f" Pooled with the version before: {amendment.comparable}" if amendment.comparable else " Not pooled."
    return (
        f"Version {amendment.hash[:SHOWN_CHARS]} of {amendment.at[:10]} amends {amendment.parent[:SHOWN_CHARS]}: "
        f"{amendment.reason}{pooled}"
    )


def _strategies(outcomes: Outcomes) -> Iterator[ReportSection]:
    quoted = [
        f"{trial.item}: “{trial.responses['strategy']}”"
        for session in outcomes.sessions
        if session.boxes.get(QUOTES)
        for trial in session.trials
        if trial.responses.get("strategy")
    ]
    if quoted:
        yield ReportSection("strategies", "How people went about it", words=tuple(quoted))


def _checklist(given: Sequence[StudyAnswer]) -> ReportSection:
    headings = (Heading("Answer", is_text=True), Heading("From", is_text=True), Heading("Reason", is_text=True))
    table = Table(
        "Points of the checklist",
        "Point",
        headings,
        tuple(map(_checklist_line, given)),
        notes=(TableNote("Numbers after Wei et al., arXiv 2506.13776; the words are ours."),),
        words=count_words(given),
    )
    return ReportSection("checklist", "Checklist", (table,))


def _checklist_line(answer: StudyAnswer) -> TableLine:
    source = "leader" if answer.is_confirmed else "software, to be confirmed"
    reason = answer.reason
    if answer.software:
        reason = f"{reason} (The software says: {answer.software}.)".strip()
    texts = (answer.shown, source if answer.value else "", reason)
    return TableLine(f"{answer.point.number} {answer.point.title}", tuple(TableCell(t, values=(t,)) for t in texts))


def _texts(study: Study) -> ReportSection:
    words = []
    for title, text in (
        ("Consent", study.consent.text or written_consent(study)),
        ("Instructions", study.instructions),
        ("What people have to know", study.briefing or written_briefing(study)),
    ):
        words += [f"{title}{language}: {version}" for language, version in _versions_of(text) if version]
    words += [
        f"Box “{box.key}”{' (required)' if box.required else ''}: {first_version(box.text)}"
        for box in study.consent.boxes
    ]
    return ReportSection("texts", "Consent and instructions", words=tuple(words))


def _versions_of(text: Text) -> list[tuple[str, str]]:
    return [(f" ({key})", value) for key, value in text.items()] if isinstance(text, dict) else [("", text)]


def _versions(outcomes: Outcomes) -> ReportSection:
    study = outcomes.study
    rows = [
        ("Study", study.id),
        ("Version (SHA-256 of the document)", study.hash),
        ("Workbench, when frozen", outcomes.frozen.application if outcomes.frozen else "not frozen"),
        ("Workbench, now", application_version()),
        ("Workbench, in sessions", ", ".join(sorted({s.build for s in outcomes.sessions if s.build})) or "–"),
        ("List of exclusions (SHA-256)", outcomes.breaches_hash or "not fixed"),
        ("Seed", str(study.analysis.seed)),
        ("Draws", f"{study.analysis.draws:,}"),
        ("Level of intervals", f"{study.analysis.level:.0%}"),
    ]
    verifiers = (
        sorted({f"{m.address}: {m.verifier} {m.version}" for m in outcomes.frozen.materials}) if outcomes.frozen else []
    )
    words = (
        f"Version {application_version()} of the workbench computed the figures, with {study.analysis.draws:,} draws "
        f"from the seed {study.analysis.seed}. Intervals have the level {100 * study.analysis.level:g} %."
    )
    return ReportSection("versions", "Versions and seeds", (_pairs("Versions", rows, words),), words=tuple(verifiers))


# As a page -------------------------------------------------------------------------------------------------------


def study_html(
    outcomes: Outcomes, sections: Sequence[ReportSection], charts: Mapping[str, ChartSvg], at: datetime
) -> str:
    """The report as one page without scripts. `charts` holds the drawn charts by title."""
    return study_page_html(
        f"Study: {outcomes.study.name}",
        outcomes.state.value,
        outcomes.study.hash[:SHOWN_CHARS],
        at,
        sections,
        charts,
    )
