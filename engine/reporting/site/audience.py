"""The records that may be published, without the names of people who did not ask for them.

Only answers of models, of people who agreed, and of the people of chosen studies who share theirs are left. Reference
solutions are never among them. The records are those that Results counts, so that a site has the same figures.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.collect import NAMELESS, contenders, scored_outside_studies
from spatial_workbench.engine.evaluation.columns import ScoredColumns, TextColumn, Truths, columns_of, joined
from spatial_workbench.engine.evaluation.comparing.judges import score_judges, with_one_judge
from spatial_workbench.engine.evaluation.study_results import results_of
from spatial_workbench.engine.models.keys import REMOVED, key_variables, redact
from spatial_workbench.engine.models.settings import Provider
from spatial_workbench.engine.reporting.site.choice import CannotPublish, SiteChoice
from spatial_workbench.engine.store import Actor

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project
    from spatial_workbench.engine.studies.analysis.outcomes import Outcomes

_PEOPLE = (Actor.PERSON, Actor.IMPORT)
_SHORTEST_KEY = 8
"""Local servers accept any word as a key; a short, ordinary word must not be removed from answers."""
Clean = Callable[[str], str]
"""Gives a text without keys."""


@dataclass(frozen=True)
class ShownRecords:
    """The records of a project that may be published.

    Attributes:
        everything: What Results averages, the people of chosen studies first.
        one_judge: The same for the leaderboard: of each task, one verifier in one version counts.
        remarks: What another verifier judged, in sentences.
        left_out: What is not published, in sentences.
    """

    everything: ScoredColumns
    one_judge: ScoredColumns
    remarks: tuple[str, ...]
    left_out: tuple[str, ...]


def shown_records(project: Project, choice: SiteChoice, studies: Sequence[Outcomes], clean: Clean) -> ShownRecords:
    """The records that a choice publishes; `studies` are the public forms of the chosen studies.

    Raises:
        CannotPublish: A chosen person is not in the project.
    """
    found = scored_outside_studies(project)
    titles = _titles(found, choice)
    is_model = found.text("actor").is_any(Actor.MODEL) & ~_is_reference(project, found)
    names = found.text("model")
    is_person = found.text("actor").is_any(*_PEOPLE)
    agreed = is_person & names.holds(lambda name: name in titles)
    helped = found.truths("is_helped")
    kept = found.at((is_model | agreed) & ~helped)
    shown = _without_names(kept, titles, clean)
    people = [columns_of(results_of(outcomes)) for outcomes in studies]
    everything = joined([*people, shown])
    one_judge, remarks = with_one_judge(everything, score_judges(project, "default"))
    left_out = _sentences(project, found, is_model, agreed, helped)
    return ShownRecords(everything, one_judge, tuple(map(clean, remarks)), tuple(filter(None, left_out)))


def people_of(records: ScoredColumns) -> list[str]:
    """The names of the people among some records, and of authors of imported answers."""
    return list(
        records.at(records.text("actor").is_any(*_PEOPLE) & ~records.truths("is_helped")).text("model").present()
    )


def cleaner(project: Project) -> Clean:
    """What removes keys from texts: those of the project's endpoints in the environment, and all that look like one."""
    settings = {item for of_batch in contenders(project).values() for item in of_batch if item.provider.is_endpoint}
    variables = {name for item in settings for name in key_variables(item)}
    secrets = [value for name in sorted(variables) if len(value := os.environ.get(name, "")) >= _SHORTEST_KEY]

    def clean(text: str) -> str:
        for secret in secrets:
            text = text.replace(secret, REMOVED)
        return redact(text)

    return clean


def _titles(found: ScoredColumns, choice: SiteChoice) -> dict[str, str]:
    """What each person who agreed is called on the site, by their name in the project."""
    of_people = people_of(found)
    for name in (*choice.people, *choice.named):
        if name not in of_people:
            known = ", ".join(sorted(of_people)) or "nobody"
            raise CannotPublish(f"Nobody called “{name}” has attempts in this project; there are {known}.")
    unnamed = [name for name in dict.fromkeys(choice.people) if name not in choice.named]
    numbered = {name: f"Person {number}" for number, name in enumerate(sorted(unnamed), 1)}
    return numbered | {name: "Person without a name" if name == NAMELESS else name for name in choice.named}


def _is_reference(project: Project, found: ScoredColumns) -> Truths:
    """Which records are questions to the reference solver that have no answer; those with one say who answered."""
    asked = contenders(project)
    of_reference = {one.name for many in asked.values() for one in many if one.provider is Provider.REFERENCE}
    others = {one.name for many in asked.values() for one in many if one.provider is not Provider.REFERENCE}
    is_open = np.isnan(found.figures("attempt"))
    return is_open & found.text("model").holds(lambda name: name in of_reference - others)


def _without_names(records: ScoredColumns, titles: dict[str, str], clean: Clean) -> ScoredColumns:
    """The records under the names of the site, without who overrode a score, and why."""

    def shown(key: tuple[str, bool]) -> str:
        name, is_of_person = key
        # Pairs that do not occur are asked for, too.
        return titles.get(name, "") if is_of_person else clean(name)

    is_person = TextColumn.of(records.text("actor").is_any(*_PEOPLE).tolist())
    named = records.text("model").crossed(is_person).mapped(shown)
    return records.with_columns(model=named, override=records.text("override").mapped(_without_person))


def _without_person(override: str) -> str:
    """ "0.74 → 1.00 by Ada: reason" becomes "0.74 → 1.00"."""
    return override.partition(" by ")[0]


def _sentences(
    project: Project, found: ScoredColumns, is_model: Truths, agreed: Truths, helped: Truths
) -> Iterable[str]:
    """What is left out, in sentences without names."""
    actor = found.text("actor")
    references = int(actor.is_any(Actor.REFERENCE).sum())
    strangers = actor.is_any(*_PEOPLE) & ~agreed
    names = len(found.at(strangers).text("model").present())
    aided = int(((is_model | agreed) & helped).sum())
    studies = len(project.studies.all())
    yield f"{counted(references, 'answer')} of reference solvers." if references else ""
    if names:
        yield (
            f"{counted(int(strangers.sum()), 'attempt')} of {counted(names, 'person', 'people')} who are not listed as "
            "having agreed; authors of imported answers count as people."
        )
    yield f"{counted(aided, 'attempt')} made with solving aids." if aided else ""
    yield f"Studies that are not named; the project has {studies}." if studies else ""
    yield (
        "Notes, labels and tags of people; who overrode a score, and why; names of batches; settings of endpoints; "
        "prompts, raw replies and reasoning; answers that could not be read; the project's name and place."
    )
