"""Functions of background processes on studies: read, check, freeze, bundle, merge, decide. Free of Qt."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.unsealing import Unsealed
from spatial_workbench.engine.evaluation.unsealing import unseal as open_outcomes
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.store.studies.places import codes_between
from spatial_workbench.engine.store.studies.records import (
    Conflict,
    DeletedDraft,
    Merged,
    Phase,
    StudyNote,
    StudyRow,
    Withdrawal,
)
from spatial_workbench.engine.studies.analysis.outcomes import PostHoc, StudyLook, StudyState
from spatial_workbench.engine.studies.analysis.progress import StudyProgress
from spatial_workbench.engine.studies.analysis.rules import Breach
from spatial_workbench.engine.studies.files.bundles import Bundle, bundle_of, write_bundle
from spatial_workbench.engine.studies.files.sealing import recovery_sheet
from spatial_workbench.engine.studies.planning.checking import StudyProblem, check_study
from spatial_workbench.engine.studies.planning.document import DocumentError, Study, read_study, study_of
from spatial_workbench.engine.studies.planning.drafting import Wish, drafted
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
from spatial_workbench.engine.studies.sessions.schema import Accommodations
from spatial_workbench.engine.studies.sessions.session_file import SessionFileError
from spatial_workbench.engine.studies.sessions.this_machine import (
    changed_at,
    delete_local,
    delete_merged,
    local_sessions,
)

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.results.contents import ReportSection
    from spatial_workbench.engine.store.studies.records import BundleRow
    from spatial_workbench.engine.studies.analysis.checklist import StudyAnswer


@dataclass(frozen=True)
class StudySnapshot:
    """A study as the pages show it; nothing in it says how an answer was judged.

    Attributes:
        flags: What the rules find; the fixed list once collection is closed.
        missing: Codes that were dealt to machines and have no results here.
        judged: How many submissions were judged, once outcomes are open.
        local_bytes: What the files of sessions on this machine take.
        is_locked: Whether opening the outcomes takes their passphrase.
        unpooled: How many sessions met an earlier version and are not analysed with this one.
    """

    row: StudyRow
    document: Study
    progress: StudyProgress
    flags: tuple[Breach, ...]
    post_hoc: tuple[PostHoc, ...]
    conflicts: tuple[Conflict, ...]
    missing: tuple[str, ...]
    bundles: tuple[BundleRow, ...]
    log: tuple[StudyNote, ...]
    looks: tuple[StudyLook, ...]
    list_hash: str
    judged: int = 0
    local_bytes: int = 0
    unpooled: int = 0
    is_locked: bool = False

    @property
    def is_editable(self) -> bool:
        """Whether the document can be changed."""
        return self.row.is_editable

    @property
    def is_open(self) -> bool:
        """Whether outcomes are open."""
        return self.row.state is StudyState.UNSEALED


@dataclass(frozen=True)
class KnownRun:
    """A run of models in this project, by the name of its settings, with the batches that have it."""

    name: str
    tools: bool
    batches: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class PageData:
    """What the page shows: all studies, and the chosen one."""

    rows: tuple[StudyRow, ...]
    snapshot: StudySnapshot | None


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
class BundleOrder:
    """A bundle that a person asked for; the first one needs a passphrase for the outcomes."""

    path: Path
    codes: str = ""
    site: str = ""
    is_pilot: bool = False
    passphrase: str = ""


@dataclass(frozen=True)
class NewlyFrozen:
    """A study that was just frozen, in a sentence, with the recovery key of its outcomes."""

    words: str
    recovery: str


@dataclass(frozen=True)
class Written:
    """A bundle that was written, in a sentence, with warnings, and the recovery key if it froze the study."""

    path: Path
    words: str
    warnings: tuple[str, ...] = ()
    recovery: str = ""


@dataclass(frozen=True)
class Amendment:
    """A changed document of a frozen study, with the reason, and why sessions may be pooled."""

    data: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    comparable: str = ""


@dataclass(frozen=True)
class PlannerInputs:
    """The input for calculating the number of people.

    Attributes:
        aim: "half_width" of the interval of the mean, or "difference" from a model's fixed mean.
        multiple: Rows times conditions.
    """

    aim: str
    size: float
    sd_people: float
    sd_rest: float
    items: int
    dropout: float
    multiple: int


@dataclass(frozen=True)
class PeopleNeeded:
    """How many people a study needs (None: more than can be planned), and how many slots to plan.

    Attributes:
        trials: How many trials these people have.
        effective: How many independent trials they are worth.
    """

    people: int | None
    slots: int = 0
    trials: int = 0
    effective: float = 0.0


def people_needed(inputs: PlannerInputs, progress: Progress = silent) -> PeopleNeeded:
    """Works out how many people a study needs."""
    spread = Spread(inputs.sd_people, inputs.sd_rest, inputs.items)
    work_out = people_for_half_width if inputs.aim == "half_width" else people_for_difference
    people = work_out(spread, inputs.size)
    if people is None:
        return PeopleNeeded(None)
    slots = slots_for(people, inputs.dropout, inputs.multiple)
    return PeopleNeeded(
        people, slots, people * inputs.items, effective_trials(people, inputs.items, spread.correlation)
    )


def passphrase_hash(passphrase: str, progress: Progress = silent) -> dict[str, str]:
    """The part of a passphrase that a study stores.

    Raises:
        ValueError: It is too short.
    """
    return leave_of(passphrase).model_dump()


def read_page(path: Path, study: str, progress: Progress = silent) -> PageData:
    """The list, and the study that is chosen, or the first one if there is no such."""
    with Project.open(path) as project:
        rows = tuple(project.studies.all())
        ids = [row.id for row in rows]
        chosen = study if study in ids else ids[0] if ids else ""
        return PageData(rows, _snapshot(project, chosen) if chosen else None)


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


def stamp_of(hashes: Sequence[str], progress: Progress = silent) -> float:
    """A number that changes when a session on this machine changes."""
    return changed_at(hashes)


def snapshot(path: Path, study: str, progress: Progress = silent) -> StudySnapshot:
    """A study with its sessions, those on this machine included."""
    with Project.open(path) as project:
        return _snapshot(project, study)


def _snapshot(project: Project, study: str) -> StudySnapshot:
    local = local_sessions(version.hash for version in project.studies.versions(study))
    outcomes = project.outcomes.of(study)
    return StudySnapshot(
        row=project.studies.row(study),
        document=outcomes.study,
        progress=project.outcomes.progress(study, local.sessions, local.interrupted),
        flags=outcomes.breaches,
        post_hoc=outcomes.post_hoc,
        conflicts=tuple(project.merging.conflicts(study)),
        missing=tuple(project.outcomes.missing_codes(study)),
        bundles=tuple(project.places.bundles(study)),
        log=tuple(project.study_log.notes(study)),
        looks=outcomes.looks,
        list_hash=outcomes.breaches_hash,
        judged=len(outcomes.judged),
        local_bytes=local.size,
        unpooled=project.sessions.unpooled(study),
        is_locked=project.study_keys.is_locked(study),
    )


def check(data: Mapping[str, Any], progress: Progress = silent) -> CheckedPlan:
    """What is wrong with a plan; a document that cannot be read has one problem, at its place."""
    try:
        study = study_of(json.loads(json.dumps(data)))
    except DocumentError as error:
        place, _, message = str(error).partition(": ")
        return CheckedPlan(data, None, (StudyProblem(place, message[:1].upper() + message[1:]),))
    return CheckedPlan(data, study, tuple(check_study(study)), widest_lines_of(study))


def new_study(path: Path, wish: Wish, progress: Progress = silent) -> str:
    """Stores a draft; returns its id.

    Raises:
        InstanceError: An address does not resolve.
        ValueError: The passphrase is too short, or the name too long.
    """
    with Project.open(path) as project:
        return project.studies.add(drafted(wish))


def taken_over(path: Path, source: Path, progress: Progress = silent) -> str:
    """Stores the document in a file as a draft; returns its id.

    Raises:
        DocumentError: It cannot be read.
        StudyError: There is a study of that id.
    """
    with Project.open(path) as project:
        return project.studies.add(read_study(source.read_bytes()))


def deleted(path: Path, study: str, progress: Progress = silent) -> DeletedDraft:
    """Deletes a draft; returns the data needed to restore it."""
    with Project.open(path) as project:
        return project.studies.delete_draft(study)


def restored(path: Path, draft: DeletedDraft, progress: Progress = silent) -> str:
    """Restores a deleted draft; returns its id."""
    with Project.open(path) as project:
        return project.studies.restore_draft(draft)


def purged(path: Path, study: str, with_data: bool, progress: Progress = silent) -> str:
    """Deletes the files of merged sessions on this machine, and all sessions of the project if wanted; says so."""
    with Project.open(path) as project:
        files = delete_merged(project.sessions.deliveries(study))
        sessions = project.withdrawals.purge(study) if with_data else 0
    words = f"{counted(len(files), 'file')} deleted on this machine"
    return f"{words}, and {counted(sessions, 'session')} from the project." if with_data else f"{words}."


def frozen(path: Path, study: str, passphrase: str, progress: Progress = silent) -> NewlyFrozen:
    """Freezes a study.

    Raises:
        StudyError: It has errors, or the passphrase is too short.
    """
    with Project.open(path) as project:
        digest = project.studies.freeze(study, passphrase)
        return NewlyFrozen(f"Frozen as {digest[:12]}.", project.study_keys.recovery(study, passphrase))


def recovery_sheet_written(path: Path, study: str, key: str, target: Path, progress: Progress = silent) -> str:
    """Writes the sheet with the recovery key of a study; says so."""
    with Project.open(path) as project:
        row = project.studies.row(study)
    write_whole(target, recovery_sheet(row.name, row.hash, key).encode())
    return f"The recovery sheet is in {target}. Print it, and delete the file."


def amended(path: Path, study: str, amendment: Amendment, progress: Progress = silent) -> str:
    """Freezes a further version; says so.

    Raises:
        StudyError: There is no reason, nothing has changed, or what has changed cannot be pooled.
        DocumentError: The document cannot be read.
    """
    document = study_of(json.loads(json.dumps(amendment.data)))
    with Project.open(path) as project:
        return f"Amended to {project.studies.amend(study, document, amendment.reason, amendment.comparable)[:12]}."


def plan_written(path: Path, study: str, target: Path, progress: Progress = silent) -> str:
    """Writes the plan for a registry; says so."""
    with Project.open(path) as project:
        write_whole(target, plan_text(project.studies.document(study), date.today()).encode())
    return f"The plan is in {target}."


def bundled(path: Path, study: str, order: BundleOrder, progress: Progress = silent) -> Written:
    """Writes a bundle, which freezes the study unless it is for a pilot.

    Raises:
        StudyError: The study has errors, or no such places.
        CodeError: One of the codes is none.
        OSError: The file cannot be written.
    """
    codes = list(codes_between(order.codes))
    with Project.open(path) as project:
        phase: Phase = "pilot" if order.is_pilot else "main"
        bundle, warnings = project.places.add_bundle(study, codes, phase, order.site, order.passphrase)
        digest = write_bundle(order.path, bundle)
        project.places.note_bundle_file(bundle.id, order.path.name, digest)
        recovery = project.study_keys.recovery(study, order.passphrase) if order.passphrase else ""
    words = f"{order.path.name}: {counted(len(bundle.slots), 'place')}, study {bundle.hash[:12]}"
    return Written(order.path, words, tuple(warnings), recovery)


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


def merged(path: Path, files: Sequence[Path], progress: Progress = silent) -> tuple[Merged, ...]:
    """Merges results, including those in folders."""
    results = [file for source in files for file in (sorted(source.glob("*.studyresult")) or [source])]
    done: list[Merged] = []
    with Project.open(path) as project:
        for number, file in enumerate(results):
            progress(number, len(results), file.name)
            done += project.merging.merge([file])
    return tuple(done)


def replaced(path: Path, study: str, code: str, reason: str, progress: Progress = silent) -> str:
    """Replaces a place by a reserve; returns its code."""
    with Project.open(path) as project:
        return f"{project.places.replace(study, code, reason)} stands in for {code}."


def accommodated(path: Path, study: str, code: str, needs: Accommodations, progress: Progress = silent) -> str:
    """Sets the accommodations of a place; says so."""
    with Project.open(path) as project:
        project.places.accommodate(study, code, needs)
    return f"The needs of {code} are in the log, and will be in its bundle."


def report(path: Path, study: str, progress: Progress = silent) -> tuple[ReportSection, ...]:
    """The sections of the report; without outcomes as long as they are sealed."""
    from spatial_workbench.engine.reporting.contrasts import model_runs
    from spatial_workbench.engine.reporting.study_report import report_sections

    with Project.open(path) as project:
        outcomes = project.outcomes.of(study)
        return tuple(report_sections(outcomes, model_runs(project, outcomes)))


def checklist(path: Path, study: str, progress: Progress = silent) -> tuple[StudyAnswer, ...]:
    """The points of the checklist with the answers of the software and the leader."""
    from spatial_workbench.engine.reporting.contrasts import model_runs
    from spatial_workbench.engine.studies.analysis.checklist import answers

    with Project.open(path) as project:
        outcomes = project.outcomes.of(study)
        return tuple(answers(outcomes, model_runs(project, outcomes)))


def answered(
    path: Path, study: str, answers: Mapping[str, str], reason: str, progress: Progress = silent
) -> tuple[StudyAnswer, ...]:
    """Stores the leader's answers by the numbers of the points; returns all points.

    Raises:
        StudyError: A point does not take this answer.
    """
    with Project.open(path) as project:
        for number, answer in answers.items():
            project.study_log.answer_checklist(study, number, answer, reason)
    return checklist(path, study)


def registered(path: Path, study: str, link: str, day: str, progress: Progress = silent) -> str:
    """Records where and when the plan was registered; says so."""
    with Project.open(path) as project:
        project.studies.register(study, link, day)
    return f"Registered on {day}."


def noted(path: Path, study: str, text: str, code: str, progress: Progress = silent) -> str:
    """Adds a note to the log."""
    with Project.open(path) as project:
        project.study_log.add_note(study, text, code)
    return "The note is in the log."


def withdrawn(path: Path, study: str, code: str, is_pilot: bool, progress: Progress = silent) -> Withdrawal:
    """Deletes all data of a code, from this machine, too; what cannot be deleted there is named."""
    with Project.open(path) as project:
        done = project.withdrawals.withdraw(
            study, code, phase="pilot" if is_pilot else project.sessions.phase_of_record(study)
        )
        stone = project.sessions.tombstones(study)[-1]
    try:
        delete_local(stone.hash, code)
    except (SessionFileError, OSError) as error:
        return replace(done, elsewhere=(*done.elsewhere, f"the session on this machine ({error})"))
    return done


def settled(path: Path, session: str, number: int, reason: str, progress: Progress = silent) -> str:
    """Decides which state of a session counts."""
    with Project.open(path) as project:
        project.merging.settle(session, number, reason)
    return "The decision is in the log."


def excluded(
    path: Path, study: str, session: str, reason: str, position: int | None, progress: Progress = silent
) -> str:
    """Excludes a session, or a trial of it; says as what."""
    with Project.open(path) as project:
        kind = project.exclusions.exclude(study, session, reason, position)
    return "A post-hoc entry; the report lists it separately." if kind == "post-hoc" else "Added to the list."


def closed(path: Path, study: str, name: str, progress: Progress = silent) -> str:
    """Ends collection and fixes the exclusions; says so."""
    with Project.open(path) as project:
        digest = project.exclusions.close_study(study, name)
        return f"Collection is closed; the list of exclusions has the hash {digest[:12]}."


def unsealed(path: Path, study: str, early: bool, secret: str, note: str, progress: Progress = silent) -> Unsealed:
    """Opens the outcomes and judges all submissions."""
    return open_outcomes(path, study, secret, early, note, progress)
