"""Opens the outcomes of a study: every submission is judged by all verifiers, as the answers of models are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import Progress, Verdict, silent
from spatial_workbench.engine.core.reading.limits import MAX_TEXT_CHARS
from spatial_workbench.engine.evaluation.work import JUDGING_LIMIT_S
from spatial_workbench.engine.executor import Executor, ExecutorJob, Finished, JobOutcome, open_executor, run_jobs
from spatial_workbench.engine.store.studies.records import ToJudge
from spatial_workbench.engine.studies.planning.freezing import sharing

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project


@dataclass(frozen=True)
class Unsealed:
    """The result of opening the outcomes of a study.

    Attributes:
        judged: How many submissions were judged by this call.
        failures: A sentence for each submission that could not be judged; the next call tries it again.
        warnings: A sentence for each verifier whose version is not that of the frozen study.
    """

    judged: int
    failures: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def unseal(
    path: Path | str,
    study: str,
    secret: str = "",
    before_exclusions: bool = False,
    note: str = "",
    progress: Progress = silent,
    workers: int | None = None,
) -> Unsealed:
    """Opens the outcomes of a study, or goes on where an earlier call was interrupted, which needs no secret.

    The project records that outcomes were opened before anything is judged. Each judgement is stored as it arrives.

    Args:
        secret: The passphrase for the outcomes, or the recovery key.
        before_exclusions: Whether to open them although exclusions are not fixed.
        note: Why outcomes are opened, for the record.
        workers: How many processes judge; None: one less than there are cores.

    Raises:
        StudyError: Exclusions are not fixed, or the secret is wrong.
        ProjectError: The project cannot be opened.
        Cancelled: Raised by `progress`.
    """
    from spatial_workbench.engine.store import Project

    with Project.open(path) as project:
        project.outcomes.unseal(study, secret, before_exclusions, note)
        waiting = project.outcomes.submissions_to_judge(study)
        with open_executor(workers) as executor:
            failures = _judge_all(project, study, waiting, executor, progress) if waiting else []
        project.outcomes.settle_counts(study)
        warnings = project.outcomes.note_verifiers(study) if waiting else []
    return Unsealed(len(waiting) - len(failures), tuple(failures), tuple(warnings))


def _judge_all(
    project: Project, study: str, waiting: Sequence[ToJudge], executor: Executor, progress: Progress
) -> list[str]:
    jobs = {str(number): entry for number, entry in enumerate(waiting)}
    queue = map(_job, jobs, jobs.values())
    failures: list[str] = []
    for finished in run_jobs(
        executor, lambda: next(queue, None), lambda done: progress(done, len(waiting), "Checking submissions")
    ):
        failures += _store_judgement(project, study, jobs[finished.key], finished)
    return failures


def _job(key: str, entry: ToJudge) -> ExecutorJob:
    arguments = {"addresses": sharing(entry.address), "text": entry.answer[: MAX_TEXT_CHARS + 1]}
    return ExecutorJob(key, "spatial_workbench.engine.evaluation.work:judge", arguments, JUDGING_LIMIT_S)


def _store_judgement(project: Project, study: str, entry: ToJudge, finished: Finished) -> list[str]:
    """Stores a judgement; returns why there is none."""
    if finished.outcome is not JobOutcome.DONE:
        return [f"{entry.code}, {entry.address}, submission {entry.submission}: {finished.message}"]
    verdicts = {
        address: [Verdict.model_validate(verdict) for verdict in found]
        for address, found in finished.value["verdicts"].items()
    }
    project.outcomes.add_judged(study, entry, finished.value["answer"], verdicts)
    return []
