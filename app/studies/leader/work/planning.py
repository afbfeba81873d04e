"""Work on a plan: check it, count the people that it needs, list the models it can be compared with, try it out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.files.bundles import Bundle, bundle_of, write_bundle
from spatial_workbench.engine.studies.planning.checking import StudyProblem, check_study
from spatial_workbench.engine.studies.planning.document import DocumentError, Study, study_of
from spatial_workbench.engine.studies.planning.freezing import freeze
from spatial_workbench.engine.studies.planning.preregistration import plan_text
from spatial_workbench.engine.studies.planning.prompts import widest_lines_of
from spatial_workbench.engine.studies.planning.sample_size import (
    Spread,
    effective_trials,
    people_for_difference,
    people_for_half_width,
    slots_for,
)
from spatial_workbench.engine.studies.sessions.leaving import leave_of

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.piloting import PilotSpread


@dataclass(frozen=True)
class CheckedPlan:
    """A plan as it stands in the form: the document if it can be stored, and what is wrong with it.

    Attributes:
        widest: The widest lines of the items' prompts, by item; how wide they are is known where there are fonts.
    """

    data: Mapping[str, Any]
    study: Study | None = None
    problems: tuple[StudyProblem, ...] = ()
    widest: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def errors(self) -> int:
        """How many problems keep the study from being frozen."""
        return sum(problem.is_error for problem in self.problems)


@dataclass(frozen=True)
class KnownRun:
    """A run of models in this project, by the name of its settings, with the batches that have it."""

    name: str
    tools: bool
    batches: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class PlannerInputs:
    """The input for calculating the number of people.

    Attributes:
        aim: "half_width" of the interval of the mean, "difference" from a model's fixed mean, or "conditions": the
            difference between two of them.
        conditions: How many there are between people; 1 where each person meets all of them.
        rows: Of the orders of items.
    """

    aim: str
    size: float
    sd_people: float
    sd_rest: float
    items: int
    dropout: float
    conditions: int
    rows: int


@dataclass(frozen=True)
class PeopleNeeded:
    """How many people a study needs in each condition (None: more than can be planned), and how many slots to plan.

    Attributes:
        trials: How many trials the people of a condition have.
        effective: How many independent trials they are worth.
    """

    people: int | None
    slots: int = 0
    trials: int = 0
    effective: float = 0.0


def check(data: Mapping[str, Any], progress: Progress = silent) -> CheckedPlan:
    """What is wrong with a plan; a document that cannot be read has one problem, at its place."""
    try:
        study = study_of(json.loads(json.dumps(data)))
    except DocumentError as error:
        place, _, message = str(error).partition(": ")
        return CheckedPlan(data, None, (StudyProblem(place, message[:1].upper() + message[1:]),))
    return CheckedPlan(data, study, tuple(check_study(study)), widest_lines_of(study))


def known_runs(path: Path, progress: Progress = silent) -> tuple[KnownRun, ...]:
    """The runs of models that a study can be compared with, by name."""
    from spatial_workbench.engine.evaluation.collect import contenders

    batches: dict[tuple[str, bool], list[tuple[int, str]]] = {}
    with Project.open(path) as project:
        names = {row.number: row.name for row in project.batches.all()}
        for number, settings in contenders(project).items():
            for model in settings:
                batches.setdefault((model.name, model.tools), []).append((number, names[number]))
    return tuple(KnownRun(name, tools, tuple(batches[name, tools])) for name, tools in sorted(batches))


def people_needed(inputs: PlannerInputs, progress: Progress = silent) -> PeopleNeeded:
    """Works out how many people a study needs."""
    spread = Spread(inputs.sd_people, inputs.sd_rest, inputs.items)
    if inputs.aim == "half_width":
        people = people_for_half_width(spread, inputs.size)
    else:
        people = people_for_difference(spread, inputs.size, groups=2 if inputs.aim == "conditions" else 1)
    if people is None:
        return PeopleNeeded(None)
    slots = slots_for(people * inputs.conditions, inputs.dropout, inputs.rows * inputs.conditions)
    return PeopleNeeded(
        people, slots, people * inputs.items, effective_trials(people, inputs.items, spread.correlation)
    )


def pilot_found(path: Path, study: str, progress: Progress = silent) -> PilotSpread | None:
    """Judges the pilot of a study; returns how its scores vary, or None if too few people have any."""
    from spatial_workbench.engine.evaluation.piloting import pilot_spread

    return pilot_spread(path, study, progress)


def passphrase_hash(passphrase: str, progress: Progress = silent) -> dict[str, str]:
    """The part of a passphrase that a study stores.

    Raises:
        ValueError: It is too short.
    """
    return leave_of(passphrase).model_dump()


def plan_written(path: Path, study: str, target: Path, progress: Progress = silent) -> str:
    """Writes the plan for a registry; says so."""
    with Project.open(path) as project:
        write_whole(target, plan_text(project.studies.document(study), date.today()).encode())
    return f"The plan is in {target}."


def tried(study: Mapping[str, Any], target: Path, progress: Progress = silent) -> Path:
    """Writes a bundle to try a plan out; the project does not store it, and it produces no results.

    Raises:
        DocumentError: The plan cannot be read.
        InstanceError: An item's address does not resolve.
    """
    document = study_of(json.loads(json.dumps(study)))
    bundle: Bundle = bundle_of(document, freeze(document), frozenset(), "pilot", "trial")
    write_bundle(target, bundle)
    return target
