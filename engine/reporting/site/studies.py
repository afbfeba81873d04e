"""Studies on a site: the report and the data of the people who share their answers, and of nobody else.

All figures come from the public form of a study. A figure of all people beside it would tell, by subtraction, how those
did who do not share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from spatial_workbench.engine.reporting.contrasts import model_runs
from spatial_workbench.engine.reporting.site.choice import CannotPublish
from spatial_workbench.engine.reporting.study_report import report_sections
from spatial_workbench.engine.reporting.study_sharing import tells_of_others
from spatial_workbench.engine.reporting.study_tables import DataTable, data_tables
from spatial_workbench.engine.store import MissingRecord
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes, StudyState
from spatial_workbench.engine.studies.files.publishing import public_form

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.results.contents import ReportSection
    from spatial_workbench.engine.store import Project

_FOR_THE_LEADER = ("texts",)
"""Sections that a site leaves out: the words of consent and instructions, which name people to write to."""
_LEFT_OUT = (
    "Consent and instructions word for word, notes of the leader, and reasons for looks, amendments and answers to the "
    "checklist.",
)
_ONLY_THESE = (
    "Figures of all people. Do not publish the report on them beside this site: the difference would tell how one or "
    "two people did who do not share their answers."
)


@dataclass(frozen=True)
class SiteStudy:
    """A study on a site.

    Attributes:
        outcomes: Its public form.
        sections: The report on it.
        tables: Its public data.
        left_out: What its public form leaves out, in sentences.
    """

    slug: str
    name: str
    people: int
    outcomes: Outcomes
    sections: tuple[ReportSection, ...]
    tables: tuple[DataTable, ...]
    left_out: tuple[str, ...]


def site_studies(project: Project, chosen: Sequence[str]) -> tuple[SiteStudy, ...]:
    """The studies that are chosen by id, name or hash.

    Raises:
        CannotPublish: There is no such study, its outcomes are sealed, or nobody shares their answers.
    """
    ids = dict.fromkeys(_found(project, words) for words in chosen)
    return tuple(_study(project, study, number) for number, study in enumerate(ids, 1))


def _found(project: Project, words: str) -> str:
    try:
        return project.studies.find(words)
    except MissingRecord:
        known = ", ".join(f"“{row.name}”" for row in project.studies.all()) or "none"
        raise CannotPublish(f"There is no study “{words}”; there are {known}.") from None


def _study(project: Project, study: str, number: int) -> SiteStudy:
    whole = project.outcomes.of(study)
    name = whole.study.name
    if whole.state is not StudyState.UNSEALED:
        raise CannotPublish(f"The outcomes of “{name}” are sealed, so it cannot be published. Unseal them first.")
    public = public_form(whole)
    if not public.outcomes.sessions:
        raise CannotPublish(f"Nobody in “{name}” agreed to share their answers, so there is nothing to publish.")
    outcomes = _without_words_of_leaders(public.outcomes)
    runs = model_runs(project, outcomes)
    sections = tuple(part for part in report_sections(outcomes, runs) if part.id not in _FOR_THE_LEADER)
    tables = tuple(data_tables(outcomes, runs=runs))
    left_out = (*public.left_out, *_LEFT_OUT, *([_ONLY_THESE] if tells_of_others(whole) else ()))
    return SiteStudy(f"study-{number}", name, len(outcomes.sessions), outcomes, sections, tables, left_out)


def _without_words_of_leaders(outcomes: Outcomes) -> Outcomes:
    """The outcomes without what leaders wrote, which may name people or their codes."""
    return replace(
        outcomes,
        disagreements=(),
        looks=tuple(replace(look, reason="") for look in outcomes.looks),
        amendments=tuple(replace(amendment, reason="") for amendment in outcomes.amendments),
        checklist={number: replace(answer, reason="") for number, answer in outcomes.checklist.items()},
    )
