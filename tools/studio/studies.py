"""A study that people work through, for screenshots, tests and the benchmark."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

from spatial_workbench.engine.core import Verdict, resolve
from spatial_workbench.engine.core.version import application_version
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.files.bundles import Bundle
from spatial_workbench.engine.studies.files.results_file import file_name, write_results
from spatial_workbench.engine.studies.planning.document import Limits, Questions, Study, StudyPlan
from spatial_workbench.engine.studies.planning.drafting import Wish, drafted
from spatial_workbench.engine.studies.sessions.schema import (
    SessionRecord,
    SessionState,
    Submission,
    TrialRecord,
    TrialState,
)

ADDRESSES = (
    *("shikaku:0", "shikaku:1", "hamiltonian_loop:0", "hamiltonian_loop:1", "maze_3d:0", "maze_3d:1"),
    *("two_segments:0", "two_segments:1", "delaunay:0", "voxel_projection:0"),
)
_SITES = ("lab 1", "lab 2", "library")

SECRET = "open sesame 8"
"""Opens the outcomes of the example study."""


def example_study(slots: int = 20, reserve: int = 10, addresses: tuple[str, ...] = ADDRESSES) -> Study:
    """A study of ten items for twenty people."""
    wish = Wish(
        "Ten items by hand",
        addresses,
        "open sesame 7",
        "Ada",
        "ada@example.org",
        "How well do people solve these items with a drawing board?",
        "Adults with normal or corrected sight",
    )
    plan = StudyPlan(slots=slots, reserve=reserve)
    return drafted(wish).model_copy(update={"plan": plan, "limits": Limits(item_s=600), "questions": Questions()})


def add_example_study(project: Project, study: Study | None = None, people: int = 16) -> str:
    """Stores a study, a bundle, and the sessions of so many people; returns its id."""
    study = study or example_study()
    project.studies.add(study)
    bundle, _ = project.places.add_bundle(study.id, site="lab 1", passphrase=SECRET)
    with tempfile.TemporaryDirectory() as folder:
        files = [_results(Path(folder), bundle, session) for session in example_sessions(bundle, people)]
        project.merging.merge(files)
    return study.id


def example_sessions(bundle: Bundle, people: int) -> list[SessionRecord]:
    """Sessions of which most are finished, one was stopped, one is still at work, and some broke rules."""
    return [_session(bundle, number) for number in range(people)]


def open_example(project: Project, study: str) -> None:
    """Closes the study and opens its outcomes, judged at random."""
    project.exclusions.close_study(study, project.studies.row(study).name)
    project.outcomes.unseal(study, SECRET)
    rng = Random(2)
    for entry in project.outcomes.submissions_to_judge(study):
        task = resolve(entry.address)[0]
        score = rng.choice((1.0, 1.0, 0.6, 0.2, 0.0))
        verdict = Verdict(
            instance=entry.address,
            verifier="default",
            version=task.verifiers()["default"].version,
            score=score,
            passed=score == 1,
        )
        project.outcomes.add_judged(study, entry, entry.answer, {entry.address: [verdict]})
    project.outcomes.settle_counts(study)


def _session(bundle: Bundle, number: int) -> SessionRecord:
    slot = bundle.slots[number]
    rng = Random(number)
    state = {5: SessionState.STOPPED, 9: SessionState.RUNNING}.get(number, SessionState.FINISHED)
    shown = len(slot.trials) if state is SessionState.FINISHED else 4
    phases = {item.id: item.phase.value for item in bundle.study.items()}
    trials = [
        _trial(place, trial, phases[trial.item], _state(place, shown, state, rng), rng)
        for place, trial in enumerate(slot.trials)
    ]
    day = f"2026-11-{number % 20 + 1:02}"
    return SessionRecord(
        id=f"{slot.code.lower()}-0000",
        study=bundle.hash,
        code=slot.code,
        build=application_version(),
        bundle=bundle.id,
        site=_SITES[number % len(_SITES)],
        began_at=f"{day}T09:{number % 60:02}:00+00:00",
        first_shown_at=f"{day}T09:{number % 60:02}:30+00:00",
        state=state,
        consent="ab" * 32,
        boxes={"part": True, "share": number % 4 > 0, "quote": False},
        covariates={"age": rng.choice(("18-24", "25-34", "35-44")), "used_ai": "yes" if number == 7 else "no"},
        trials=tuple(trials),
    )


def _state(place: int, shown: int, state: SessionState, rng: Random) -> TrialState:
    if place >= shown:
        return TrialState.SHOWN if place == shown and state is SessionState.RUNNING else TrialState.WAITING
    return rng.choices((TrialState.SUBMITTED, TrialState.GIVEN_UP, TrialState.TIMED_OUT), weights=(8, 1, 1))[0]


def _trial(place, trial, phase, state, rng) -> TrialRecord:
    active = (
        0 if state is TrialState.WAITING else 600_000 if state is TrialState.TIMED_OUT else rng.randint(3, 590) * 1000
    )
    is_answered = state in (TrialState.SUBMITTED, TrialState.TIMED_OUT)
    answer = f'{{"answer": {rng.randint(0, 10**9)}}}'
    return TrialRecord(
        position=place,
        block=trial.block,
        item=trial.item,
        phase=phase,
        condition=trial.condition,
        state=state,
        limit_ms=600_000,
        active_ms=active,
        elapsed_ms=active + 5_000,
        away_ms=min(active, 90_000 if rng.random() < 0.04 else 0),
        edits=rng.randint(1, 60) if active else 0,
        submissions=(Submission(number=1, active_ms=active, answer=answer),) if is_answered else (),
        responses={"confidence": rng.randint(20, 100)} if is_answered else {},
    )


def _results(folder: Path, bundle: Bundle, session: SessionRecord) -> Path:
    path = folder / file_name(session)
    write_results(path, session, [b'{"n":1,"kind":"session"}\n'], bundle.key, bundle.seal)
    return path
