"""Functions of background processes for findings: search, and make cases small. Free of Qt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifier


@dataclass(frozen=True)
class LabOrder:
    """A search that a person asks for.

    Attributes:
        tasks: Ids of tasks.
        minutes: For each task.
        seed: Of all draws.
        workers: Processes.
        programs: Whether programs in answers run, in the sandbox.
        own: Verifiers of the user's own that are asked, too.
    """

    tasks: tuple[str, ...]
    minutes: float = 5.0
    seed: int = 1
    workers: int = 1
    programs: bool = False
    own: tuple[OwnVerifier, ...] = ()


def search(path: Path, order: LabOrder, progress: Progress = silent) -> list[str]:
    """Searches, and stores what is found in a project.

    Returns what went wrong besides, in sentences.

    Raises:
        ProjectError: The project cannot be opened.
        Cancelled: Raised by `progress`; what was found until then is stored.
    """
    from spatial_workbench.engine.evaluation.laboratory.searching.lanes import LabPlan, SearchRun, stored_answers
    from spatial_workbench.engine.executor import open_executor
    from spatial_workbench.engine.store import Project

    lanes = max(1, order.workers // len(order.tasks))
    plan = LabPlan(order.tasks, order.minutes * 60, None, order.seed, lanes, order.programs, order.own)
    with Project.open(path) as project, open_executor(order.workers) as executor:
        stored = {task: stored_answers(project, task) for task in order.tasks}
        run = SearchRun(plan, executor, project.searches, stored, progress)
        run.run()
        return run.notes


def made_small(group: dict[str, Any], progress: Progress = silent) -> dict[str, Any]:
    """The group with a smaller case in the place of its smallest, as JSON data.

    Raises:
        OwnVerifierError: A verifier of the user's own that found it is gone.
        Cancelled: Raised by `progress`.
    """
    from spatial_workbench.engine.evaluation.laboratory.own import asked_by_name
    from spatial_workbench.engine.evaluation.laboratory.searching.task_search import group_as_data, group_from_data
    from spatial_workbench.engine.evaluation.laboratory.shrinking import group_made_small

    pair = group["divergence"]["first"], group["divergence"]["second"]
    with asked_by_name(pair) as others:
        small = group_as_data(group_made_small(group_from_data(group), progress=progress, others=others))
    return {**group, **small}


def case_text(group: dict[str, Any], reason: str, who: str, progress: Progress = silent) -> str:
    """The file of a case of a group's smallest answer.

    Raises:
        CaseError: There is no such instance, or the answer holds a program.
    """
    from spatial_workbench.engine.evaluation.laboratory.cases import case_of

    return case_of(group["address"], group["answer"], reason, who).as_text()


def pytest_text(group: dict[str, Any], name: str, reason: str, who: str, progress: Progress = silent) -> str:
    """A test for pytest of a group's smallest answer. Raises CaseError like `case_text`."""
    from spatial_workbench.engine.evaluation.laboratory.cases import as_pytest, case_of

    return as_pytest([(name, case_of(group["address"], group["answer"], reason, who))])
