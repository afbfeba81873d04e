"""Stores a plan, or a file of answers, as a batch that a process can work on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from spatial_workbench.engine.core import InstanceError, Progress, resolve, silent
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.collect import contenders
from spatial_workbench.engine.evaluation.importing.inspect_logs import is_log, restore_log
from spatial_workbench.engine.evaluation.importing.json_lines import AlreadyThere, CannotRestore, is_export, restore
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.models import ImportProblem, ModelSettings, Provider, RecordedAnswer, read_answers
from spatial_workbench.engine.store import Project


class NothingToImport(ValueError):
    """The file holds no usable answer; the message says why."""


@dataclass(frozen=True)
class ImportOutcome:
    """What was imported from a file.

    Attributes:
        batch: The batch that will verify the answers; None if nothing has to be verified.
        count: How many answers or attempts were imported.
        problems: The lines that were skipped.
        scores_left_out: Of how many answers the score in the file is on another scale than ours.
    """

    batch: int | None
    count: int
    problems: tuple[ImportProblem, ...]
    scores_left_out: int = 0

    @property
    def left_out_words(self) -> str:
        """A sentence about scores that were left out; empty if none was."""
        return f"{counted(self.scores_left_out, 'score')} not from 0 to 1 left out." if self.scores_left_out else ""


def store_batch(project: Project, plan: BatchPlan) -> int:
    """Stores a batch and returns its number.

    Raises:
        InstanceError: An instance in the plan does not exist.
    """
    return project.batches.add(plan.name, plan.model_dump_json(), plan.questions())


def import_file(
    project: Project,
    path: Path,
    workers: int | None = None,
    again: bool = False,
    progress: Progress = silent,
    is_of_inspect: bool | None = None,
) -> ImportOutcome:
    """Imports JSON lines with answers to verify, an export in JSON lines, or a log of Inspect (`.eval`).

    Exports and logs are restored as they were.

    If this raises, nothing is stored.

    Args:
        workers: How many processes verify; None: one less than there are cores.
        again: Whether to import answers that the project already has.
        is_of_inspect: Whether it is a log of Inspect; None: its name decides.

    Raises:
        NothingToImport: The file holds no usable answer.
        AlreadyThere: The project has some of the answers, and `again` is not set.
        OSError: The file cannot be read.
        Cancelled: Raised by `progress`.
    """
    if is_of_inspect is None:
        is_of_inspect = is_log(path)
    if not is_of_inspect and not is_export(path):
        return import_answers(project, path, workers, again, progress)
    try:
        restored = (restore_log if is_of_inspect else restore)(project, path, again, progress)
    except CannotRestore as error:
        raise NothingToImport(str(error)) from None
    return ImportOutcome(None, restored.attempts, restored.problems)


def import_answers(
    project: Project, path: Path, workers: int | None = None, again: bool = False, progress: Progress = silent
) -> ImportOutcome:
    """Stores the answers in a file as a batch whose items are all answered, but not verified yet.

    If several lines have the same model, instance and repeat, the last one counts. Arguments and errors are those of
    `import_file`.
    """
    answers, problems = read_answers(path)
    newest: dict[tuple[str, str, int], RecordedAnswer] = {}
    more: list[ImportProblem] = []
    for k, answer in enumerate(answers):
        progress(k, len(answers), "Reading")
        try:
            key = answer.model, resolve(answer.address)[1].address, answer.repeat or 0
        except InstanceError as error:
            more.append(ImportProblem(answer.line or 0, str(error)))
            continue
        if key in newest:
            message = f"line {answer.line} has the same model, instance and repeat, and counts instead"
            more.append(ImportProblem(newest[key].line or 0, message))
        newest[key] = answer
    problems = tuple(sorted((*problems, *more), key=lambda problem: problem.line))
    if not newest:
        why = f" Line {problems[0].line}: {problems[0].message}" if problems else ""
        raise NothingToImport(f"“{path.name}” holds no answer that can be used.{why}")
    count = 0 if again else _count_stored(project, newest)
    if count:
        raise AlreadyThere(count, len(newest))
    left_out = sum(answer.is_score_left_out for answer in newest.values())
    return ImportOutcome(_store_answers(project, path.name, newest, workers), len(newest), problems, left_out)


def _count_stored(project: Project, newest: Mapping[tuple[str, str, int], RecordedAnswer]) -> int:
    """How many of the answers the project already has; answers are compared by model, instance and text."""
    names = {batch: [settings.name for settings in asked] for batch, asked in contenders(project).items()}
    stored = {(names[batch][k], address, _digest(text)) for batch, k, address, text in project.batches.given_answers()}
    return sum((model, address, _digest(answer.text)) in stored for (model, address, _), answer in newest.items())


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _store_answers(
    project: Project, name: str, newest: Mapping[tuple[str, str, int], RecordedAnswer], workers: int | None
) -> int:
    models = list(dict.fromkeys(model for model, _, _ in newest))
    plan = BatchPlan(
        name=name,
        contenders=tuple(_recorded(model) for model in models),
        addresses=tuple(dict.fromkeys(address for _, address, _ in newest)),
        workers=workers,
        programs=False,
    )
    questions = [
        (models.index(model), address, resolve(address)[0].id, repeat, None) for model, address, repeat in newest
    ]
    with project.database.write_transaction():
        batch = project.batches.add(plan.name, plan.model_dump_json(), questions)
        for item, answer in zip(project.items.of_batch(batch), newest.values(), strict=True):
            record = answer.response.model_dump_json(exclude={"text", "reasoning", "tries"})
            project.items.add_reply(item.number, 0, _prompt(item.address), answer.text, answer.reasoning, record)
    return batch


def _recorded(model: str) -> Contender:
    return Contender(settings=ModelSettings(name=model, provider=Provider.RECORDED, model=model))


@lru_cache(maxsize=512)
def _prompt(address: str) -> str:
    task, instance = resolve(address)
    return task.prompt(instance).whole_text
