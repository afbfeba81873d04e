"""Makes studies, bundles and results files for tests, without a window."""

import json
from functools import cache, partial

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.version import application_version
from spatial_workbench.engine.studies.files.bundles import Bundle
from spatial_workbench.engine.studies.files.results_file import file_name, write_results
from spatial_workbench.engine.studies.planning.document import Study, study_of
from spatial_workbench.engine.studies.sessions.schema import (
    SessionRecord,
    SessionState,
    Submission,
    TrialRecord,
    TrialState,
)
from tests.studies.planning.test_document import SMALLEST

ITEMS = ("hamiltonian_loop@1?blocked=0&height=4&width=4", "hamiltonian_loop@2?blocked=0&height=4&width=6")
WRONG = '{"path": "of no use"}'


def document(**changes) -> Study:
    """A study of two small loops for four people and two reserves."""
    items = [{"id": f"m{k}", "address": address} for k, address in enumerate(ITEMS)]
    usual = {"blocks": [{"id": "a", "order": "latin", "items": items}], "plan": {"slots": 4, "reserve": 2}}
    return study_of(SMALLEST | usual | changes)


@cache
def solution(address: str) -> str:
    """The reference solution of an instance as text."""
    task, instance = resolve(address)
    return task.format(task.solve(instance))


def session(bundle: Bundle, code: str, answers=(), number: int = 1, **changes) -> SessionRecord:
    """A finished session in which the items in order were answered like this; None gives up without an answer."""
    slot = bundle.slot(code)
    items = {item.id: item for item in bundle.study.items()}
    answers = [*answers, *[solution(items[trial.item].address) for trial in slot.trials[len(answers) :]]]
    record = SessionRecord(
        id=f"{code.lower()}-{number}",
        study=bundle.hash,
        code=code,
        phase=bundle.phase,
        build=application_version(),
        bundle=bundle.id,
        site=bundle.site,
        began_at=f"2026-01-{number:02}T10:00:00+00:00",
        first_shown_at=f"2026-01-{number:02}T10:05:00+00:00",
        state=SessionState.FINISHED,
        covariates={"used_ai": False, "age": "25-34"},
        trials=tuple(
            _trial(position, trial, items[trial.item].phase.value, answer)
            for position, (trial, answer) in enumerate(zip(slot.trials, answers, strict=True))
        ),
    )
    return record.model_copy(update=changes)


def _trial(position, trial, phase, answer) -> TrialRecord:
    submissions = () if answer is None else (Submission(number=1, active_ms=60_000, answer=answer),)
    return TrialRecord(
        position=position,
        block=trial.block,
        item=trial.item,
        phase=phase,
        condition=trial.condition,
        state=TrialState.GIVEN_UP if answer is None else TrialState.SUBMITTED,
        active_ms=60_000,
        elapsed_ms=90_000,
        edits=3,
        submissions=submissions,
        responses={"confidence": 70},
    )


def results(folder, bundle: Bundle, record: SessionRecord, events: int = 2, mark: str = "", key: bytes | None = None):
    """A results file of a session with so many pieces of events; another mark makes other events."""
    chunks = [json.dumps({"n": n, "kind": "edit", "mark": mark}).encode() + b"\n" for n in range(1, events + 1)]
    path = folder / f"{len(list(folder.iterdir()))}-{file_name(record)}"
    write_results(path, record, chunks, key or bundle.key, bundle.seal, partial(sealed_once, bundle.seal))
    return path


_SEALED = {}


def sealed_once(public, name, content, seal):
    """Seals equal contents once, as the file of a session does."""
    if (public, name, content) not in _SEALED:
        _SEALED[public, name, content] = seal(content)
    return _SEALED[public, name, content]
