"""The short form of the report on a study, for an appendix: headlines, outcomes by condition, exclusions, checklist.

It is made from the sections of the full report, so both have the same figures in the same words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from spatial_workbench.engine.evaluation.results.contents import ReportSection
from spatial_workbench.engine.evaluation.results.tables import (
    Heading,
    Table,
    TableCell,
    TableLine,
    TableNote,
    number_cell,
)
from spatial_workbench.engine.reporting.study_cells import ESTIMATE, groups_of
from spatial_workbench.engine.reporting.study_report import report_sections
from spatial_workbench.engine.studies.analysis.checklist import StudyAnswer, answers, count_words
from spatial_workbench.engine.studies.analysis.figures import ModelRun
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes
from spatial_workbench.engine.studies.analysis.rules import rules_of
from spatial_workbench.engine.studies.planning.document import StudyResponse

_SAID = ("best", "items", "confidence", "robustness")
"""The sections whose tables are left out, but not the paragraphs above them."""
_ABOUT = (
    "This is the short form of the report. The full one has all figures item by item, the people, the method, the "
    "answers to the checklist, and the texts that people read, word for word."
)
_HEADINGS = (
    Heading("Score", "%", fields=ESTIMATE),
    Heading("Passed", "%", fields=ESTIMATE),
    Heading("Median time", "s", "Kaplan-Meier; whoever did not solve an item is censored", ("median", "low", "high")),
    Heading("Solved"),
)
_RESPONSES = {
    StudyResponse.EXCLUDE: "excluded",
    StudyResponse.FLAG: "noted",
    StudyResponse.OFF: "nothing",
}

Sections = Mapping[str, ReportSection]


def short_sections(outcomes: Outcomes, runs: Sequence[ModelRun] = ()) -> list[ReportSection]:
    """The sections of the short form, in order; those about outcomes only once these are unsealed."""
    full = {section.id: section for section in report_sections(outcomes, runs)}
    is_open = "scores" in full
    return [
        replace(full["summary"], words=(*full["summary"].words, _ABOUT)),
        *([_outcomes(outcomes, full, len(runs)), _paragraphs(full)] if is_open else ()),
        _exclusions(outcomes, full["flow"]),
        full["deviations"],
        ReportSection("checklist", "Checklist", words=tuple(_checklist_words(answers(outcomes, runs)))),
        ReportSection("versions", "Version", words=tuple(_version_words(outcomes, full["versions"]))),
    ]


# Outcomes --------------------------------------------------------------------------------------------------------


def _outcomes(outcomes: Outcomes, full: Sections, runs: int) -> ReportSection:
    """Scores and times over all items, by kind and by task, in each condition and setting; differences."""
    groups = groups_of(outcomes)
    lines: list[TableLine] = []
    said: list[str] = []
    of_groups = full["scores"].tables[-len(groups) :]
    for group, scores, times in zip(groups, of_groups, full["times"].tables, strict=True):
        prefix = f"{group.name}: " if len(groups) > 1 else ""
        lines += [replace(line, title=f"{prefix}{line.title}") for line in _joined(scores, times)]
        said.append(f"{prefix}{scores.words} {times.words}")
    notes = (TableNote("As planned: excluded people and trials are left out. Intervals are over people."),)
    table = Table("Outcomes by condition", "Items", _HEADINGS, tuple(lines), notes, words=" ".join(said))
    compared = full["comparison"].tables
    overall = (*compared[:1], *compared[1 + runs :]) if runs else compared
    return ReportSection("outcomes", "Outcomes", (table, *overall))


def _joined(scores: Table, times: Table) -> Iterator[TableLine]:
    """The lines about several items: score and pass rate as planned, median time, and how many trials were solved."""
    of_times = {line.title: line.cells for line in times.lines}
    selections = len(scores.headings) // 2
    for line in scores.lines:
        if line.is_sum:
            median, _, solved, *_ = of_times.get(line.title, (TableCell(),) * 3)
            cells = (line.cells[0], line.cells[selections], median, solved)
            yield replace(line, cells=cells, is_sum=line is scores.lines[0])


def _paragraphs(full: Sections) -> ReportSection:
    """What stands above the tables that are left out."""
    tables = [table for name in _SAID for table in full[name].tables]
    words = [f"{table.title}. {table.words}" for table in tables if table.words]
    words += full["public"].words[:1] if "public" in full else ()
    return ReportSection("figures", "What the other figures say", words=tuple(words))


# Exclusions and the checklist ------------------------------------------------------------------------------------


def _exclusions(outcomes: Outcomes, flow: ReportSection) -> ReportSection:
    """From the planned places to the analysis, and which rules led there."""
    words = tuple(table.words for table in flow.tables)
    return ReportSection("exclusions", "Exclusions", (_rules_table(outcomes),), words=words)


def _rules_table(outcomes: Outcomes) -> Table:
    """How many sessions and single trials broke each rule that excludes, and each other one that was broken."""
    sessions = Counter(rule for rule, _ in {(b.rule, b.session) for b in outcomes.breaches if b.position is None})
    trials = Counter(breach.rule for breach in outcomes.breaches if breach.position is not None)
    rules = {name: rule.response for name, rule in rules_of(outcomes.study).items()}
    lines = tuple(
        TableLine(
            name.replace("_", " "),
            (
                TableCell(_RESPONSES[response], values=(response.value,)),
                number_cell(sessions[name]),
                number_cell(trials[name]),
            ),
        )
        for name, response in rules.items()
        if response is StudyResponse.EXCLUDE or sessions[name] or trials[name]
    )
    headings = (Heading("What follows", is_text=True), Heading("Sessions"), Heading("Single trials"))
    words = _rules_words([name for name in rules if sessions[name] or trials[name]], rules)
    return Table("Rules", "Rule", headings, lines, words=words)


def _rules_words(broken: Sequence[str], rules: Mapping[str, StudyResponse]) -> str:
    """Which rules were broken, those that exclude apart from those that do not."""
    excluding = [name.replace("_", " ") for name in broken if rules[name] is StudyResponse.EXCLUDE]
    others = [name.replace("_", " ") for name in broken if rules[name] is not StudyResponse.EXCLUDE]
    first = f"Broken rules that exclude: {', '.join(excluding)}." if excluding else "No rule that excludes was broken."
    return f"{first} Noted without a consequence: {', '.join(others)}." if others else first


def _checklist_words(given: Sequence[StudyAnswer]) -> Iterator[str]:
    """How many points are answered, and by number those that are not."""
    yield f"{count_words(given)} Numbers after Wei et al., arXiv 2506.13776."
    waiting = [answer.point.number for answer in given if answer.value and not answer.is_confirmed]
    lacking = [answer.point.number for answer in given if not answer.value]
    if waiting:
        yield f"Reported by the software, to be confirmed: {', '.join(waiting)}."
    if lacking:
        yield f"Not reported: {', '.join(lacking)}."


def _version_words(outcomes: Outcomes, versions: ReportSection) -> Iterator[str]:
    yield f"The version of the study is {outcomes.study.hash} (SHA-256 of the document)."
    yield from (table.words for table in versions.tables)
