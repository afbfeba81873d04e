"""From a plan, or from a file of answers, to a batch in a project that a process can work on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from engine.core import InstanceError, Progress, resolve, silent
from engine.evaluation.collect import contenders
from engine.evaluation.plan import BatchPlan, Contender
from engine.evaluation.restoring import AlreadyThere, CannotRestore, is_export, restore
from engine.models import ImportProblem, ModelSettings, Provider, RecordedAnswer, read_answers
from engine.store import Project


class NothingToImport(ValueError):
    """A file holds no answer that can be used; the message says why."""


@dataclass(frozen=True)
class Imported:
    """What came of a file of answers.

    Attributes:
        batch: The one that verifies them; None where nothing has to be verified.
        count: How many were taken.
        problems: The lines that were passed over.
    """

    batch: int | None
    count: int
    problems: tuple[ImportProblem, ...]


def store_batch(project: Project, plan: BatchPlan) -> int:
    """Stores a batch; gives its number.

    Raises:
        InstanceError: the plan names an instance that there is not.
    """
    return project.add_batch(plan.name, plan.model_dump_json(), plan.questions())


def import_file(
    project: Project, path: Path, workers: int | None = None, again: bool = False, progress: Progress = silent
) -> Imported:
    """Takes a file of JSON lines: answers, which are to be verified, or an export, which comes back as it was.

    Args:
        workers: Processes that are to verify; None: one less than there are cores.
        again: Whether to take answers that the project has already.

    Raises:
        NothingToImport: There is none that can be used.
        AlreadyThere: Some are in the project, and `again` is not set.
        OSError: The file cannot be read.
        Cancelled: Out of `progress`. In each of these cases nothing is stored.
    """
    if not is_export(path):
        return import_answers(project, path, workers, again, progress)
    try:
        restored = restore(project, path, again, progress)
    except CannotRestore as error:
        raise NothingToImport(str(error)) from None
    return Imported(None, restored.attempts, restored.problems)


def import_answers(
    project: Project, path: Path, workers: int | None = None, again: bool = False, progress: Progress = silent
) -> Imported:
    """Stores the answers of a file as a batch in which everything is answered and nothing verified yet.

    Of several lines with the same model, instance and repeat the last counts. Arguments and errors as `import_file`.
    """
    answers, problems = read_answers(path)
    kept: dict[tuple[str, str, int], RecordedAnswer] = {}
    more: list[ImportProblem] = []
    for k, answer in enumerate(answers):
        progress(k, len(answers), "Reading")
        try:
            key = answer.model, resolve(answer.address)[1].address, answer.repeat or 0
        except InstanceError as error:
            more.append(ImportProblem(answer.line or 0, str(error)))
            continue
        if key in kept:
            told = f"line {answer.line} has the same model, instance and repeat, and counts instead"
            more.append(ImportProblem(kept[key].line or 0, told))
        kept[key] = answer
    problems = tuple(sorted((*problems, *more), key=lambda problem: problem.line))
    if not kept:
        why = f" Line {problems[0].line}: {problems[0].message}" if problems else ""
        raise NothingToImport(f"“{path.name}” holds no answer that can be used.{why}")
    there = 0 if again else _count_known(project, kept)
    if there:
        raise AlreadyThere(there, len(kept))
    return Imported(_store(project, path.name, kept, workers), len(kept), problems)


def _count_known(project: Project, kept: Mapping[tuple[str, str, int], RecordedAnswer]) -> int:
    """How many of the answers are in the project, by model, instance and text."""
    names = {batch: [one.name for one in asked] for batch, asked in contenders(project).items()}
    known = {(names[batch][k], address, _digest(text)) for batch, k, address, text in project.given_answers()}
    return sum((model, address, _digest(answer.text)) in known for (model, address, _), answer in kept.items())


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _store(
    project: Project, name: str, kept: Mapping[tuple[str, str, int], RecordedAnswer], workers: int | None
) -> int:
    models = list(dict.fromkeys(model for model, _, _ in kept))
    plan = BatchPlan(
        name=name,
        contenders=tuple(_recorded(model) for model in models),
        addresses=tuple(dict.fromkeys(address for _, address, _ in kept)),
        workers=workers,
    )
    questions = [
        (models.index(model), address, resolve(address)[0].id, repeat, None) for model, address, repeat in kept
    ]
    with project.write_transaction():
        batch = project.add_batch(plan.name, plan.model_dump_json(), questions)
        for item, answer in zip(project.items(batch), kept.values(), strict=True):
            record = answer.response.model_dump_json(exclude={"text", "reasoning", "tries"})
            project.add_reply(item.number, 0, _prompt(item.address), answer.text, answer.reasoning, record)
    return batch


def _recorded(model: str) -> Contender:
    return Contender(settings=ModelSettings(name=model, provider=Provider.RECORDED, model=model))


@lru_cache(maxsize=512)
def _prompt(address: str) -> str:
    one, instance = resolve(address)
    return one.prompt(instance).text
