"""A search on several processes: stored after each job, resumed, and not stopped by a process that dies."""

import json
from pathlib import Path
from typing import Any

import pytest

from spatial_workbench.engine.core import Cancelled
from spatial_workbench.engine.evaluation.laboratory.searching.lanes import (
    LabPlan,
    SearchMemory,
    SearchRun,
    groups_in,
)
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import explore
from spatial_workbench.engine.executor import ExecutorJob, Finished, JobOutcome
from spatial_workbench.engine.store import Project


class InThisProcess:
    """An executor that runs jobs as they come; those in `deaths`, by their number, die."""

    def __init__(self, deaths: tuple[int, ...] = ()) -> None:
        self.jobs: list[ExecutorJob] = []
        self._deaths = deaths
        self._finished: list[Finished] = []
        self.running: dict[str, float] = {}

    def submit(self, job: ExecutorJob) -> None:
        self.jobs.append(job)
        if len(self.jobs) in self._deaths:
            asked = {"address": "maze_3d:0", "answer": "A\nB", "source": "mutation"}
            Path(job.arguments["journal"]).write_text(json.dumps(asked))
            ended = Finished(job.key, JobOutcome.CRASHED, None, "Its process died", 1.0, 2)
        else:
            value = json.loads(json.dumps(explore(**job.arguments)))
            ended = Finished(job.key, JobOutcome.DONE, value, "", 0.1, 1)
        self._finished.append(ended)

    def cancel(self, key: str) -> None:
        pass

    def finished(self, timeout_s: float) -> list[Finished]:
        done, self._finished = self._finished, []
        return done

    @property
    def pending(self) -> int:
        return len(self._finished)

    def close(self) -> None:
        pass


def searched(keeps: Any, answers: int, lanes: int = 1, deaths: tuple[int, ...] = ()) -> tuple[SearchRun, InThisProcess]:
    executor = InThisProcess(deaths)
    plan = LabPlan(["maze_3d"], None, answers, 1, lanes)
    run = SearchRun(plan, executor, keeps)  # type: ignore[arg-type]
    run.run()
    return run, executor


@pytest.mark.slow
def test_a_search_asks_as_many_answers_as_was_said() -> None:
    keeps = SearchMemory()
    searched(keeps, 120)
    assert keeps.state("maze_3d", 1, 0)["asked"] == 120  # type: ignore[index]


@pytest.mark.slow
def test_lanes_draw_different_answers() -> None:
    keeps = SearchMemory()
    searched(keeps, 200, lanes=2)
    kept = [{row["answer"] for row in keeps.state("maze_3d", 1, lane)["kept"]} for lane in (0, 1)]  # type: ignore[index]
    assert kept[0] != kept[1]


@pytest.mark.slow
def test_a_search_is_stored_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.workbench") as project:
        searched(project.searches, 300)
        before = project.searches.groups("maze_3d")
    with Project.open(tmp_path / "p.workbench") as project:
        _, executor = searched(project.searches, 300)
        assert executor.jobs == []
        searched(project.searches, 400)
        after = project.searches.groups("maze_3d")
    assert before
    assert {group["key"] for group in before} <= {group["key"] for group in after}


@pytest.mark.slow
def test_a_process_that_dies_is_a_finding_with_its_answer_and_the_search_goes_on() -> None:
    keeps = SearchMemory()
    run, executor = searched(keeps, 100, deaths=(1,))
    assert len(executor.jobs) == 2
    assert run.notes == ["maze_3d: Its process died"]
    dead = [group for group in groups_in(keeps) if group.smallest.divergence.by_check == "crash"]
    assert [group.smallest.answer for group in dead] == ["A\nB"]
    assert dead[0].is_question


def test_a_search_can_be_cancelled() -> None:
    def stop(done: float, total: float, text: str = "") -> None:
        raise Cancelled

    run = SearchRun(LabPlan(["maze_3d"], None, 50), InThisProcess(), SearchMemory(), progress=stop)  # type: ignore[arg-type]
    with pytest.raises(Cancelled):
        run.run()


def test_progress_tells_answers_and_groups() -> None:
    said: list[str] = []
    plan = LabPlan(["maze_3d"], None, 60)
    run = SearchRun(
        plan,
        InThisProcess(),  # type: ignore[arg-type]
        SearchMemory(),
        progress=lambda done, total, text="": said.append(f"{done:g}/{total:g} {text}"),
    )
    run.run()
    assert said[0] == "0/60 0 answers, 0 groups of differences"
    assert said[-1].startswith("60/60 60 answers")
