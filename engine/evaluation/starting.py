"""From a plan, or from a file of answers, to a batch in a project that a process can work on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from engine.core import Instance, InstanceError, Progress, resolve, silent
from engine.evaluation.plan import BatchPlan, Contender
from engine.models import ImportProblem, ModelSettings, Provider, RecordedAnswer, read_answers
from engine.store import Project


class NothingToImport(ValueError):
    """A file holds no answer that can be used; the message says why."""


@dataclass(frozen=True)
class Imported:
    """What came of a file of answers: the batch that verifies them, how many there are, the lines passed over."""

    batch: int
    count: int
    problems: tuple[ImportProblem, ...]


def store_batch(project: Project, plan: BatchPlan) -> int:
    """Stores a batch; gives its number.

    Raises:
        InstanceError: the plan names an instance that there is not.
    """
    return project.add_batch(plan.name, plan.model_dump_json(), plan.questions())


def import_answers(project: Project, path: Path, workers: int | None = None, progress: Progress = silent) -> Imported:
    """Stores the answers of a file as a batch in which everything is answered and nothing verified yet.

    workers: processes that are to verify them; None: one less than there are cores.

    Raises:
        NothingToImport: there is none that can be used.
        OSError: the file cannot be read.
        Cancelled: out of `progress`; nothing is stored then.
    """
    answers, problems = read_answers(path)
    kept: list[tuple[RecordedAnswer, Instance]] = []
    more: list[ImportProblem] = []
    for k, answer in enumerate(answers):
        progress(k, len(answers), "Reading")
        try:
            kept.append((answer, resolve(answer.address)[1]))
        except InstanceError as error:
            more.append(ImportProblem(answer.line or 0, str(error)))
    if not kept:
        first = (*problems, *more)
        why = f" Line {first[0].line}: {first[0].message}" if first else ""
        raise NothingToImport(f"“{path.name}” holds no answer that can be used.{why}")
    batch = _store(project, path.name, kept, workers)
    return Imported(batch, len(kept), tuple(sorted((*problems, *more), key=lambda problem: problem.line)))


def _store(project: Project, name: str, kept: Sequence[tuple[RecordedAnswer, Instance]], workers: int | None) -> int:
    unique = {(answer.model, instance.address, answer.repeat or 0): answer for answer, instance in kept}
    models = list(dict.fromkeys(model for model, _, _ in unique))
    plan = BatchPlan(
        name=name,
        contenders=tuple(_recorded(model) for model in models),
        addresses=tuple(dict.fromkeys(address for _, address, _ in unique)),
        workers=workers,
    )
    questions = [
        (models.index(model), address, resolve(address)[0].id, repeat, None) for model, address, repeat in unique
    ]
    with project.write_transaction():
        batch = project.add_batch(plan.name, plan.model_dump_json(), questions)
        for item, answer in zip(project.items(batch), unique.values(), strict=True):
            record = answer.response.model_dump_json(exclude={"text", "reasoning", "tries"})
            project.add_reply(item.number, 0, _prompt(item.address), answer.text, answer.reasoning, record)
    return batch


def _recorded(model: str) -> Contender:
    return Contender(settings=ModelSettings(name=model, provider=Provider.RECORDED, model=model))


@lru_cache(maxsize=512)
def _prompt(address: str) -> str:
    one, instance = resolve(address)
    return one.prompt(instance).text
