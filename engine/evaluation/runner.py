"""The process of a batch: asks, stores and verifies until everything is done or somebody stops it.

One thread alone writes to the project. Other threads ask, as many per model as its limits allow, and an executor runs
what is computationally expensive. An item goes from waiting to asking to answered to done. Each step is stored before
the next begins, so that a question that has been answered is never asked again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from spatial_workbench.engine.evaluation.lock import batch_lock
from spatial_workbench.engine.evaluation.planning.gates import Gates
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan
from spatial_workbench.engine.evaluation.running.asking import BatchAsking
from spatial_workbench.engine.evaluation.running.jobs import BatchJobs
from spatial_workbench.engine.evaluation.running.judging import BatchJudging
from spatial_workbench.engine.evaluation.running.storing import BatchStore
from spatial_workbench.engine.evaluation.running.units import Unit
from spatial_workbench.engine.evaluation.running.watching import BatchHeartbeat
from spatial_workbench.engine.executor import Executor, ExecutorUnavailable, open_executor, usual_workers
from spatial_workbench.engine.models import Answerer
from spatial_workbench.engine.store import BatchItem, BatchState, ItemState, Project

if TYPE_CHECKING:
    from spatial_workbench.engine.core.drawer import Drawer

_MOMENT_S = 0.02

_log = logging.getLogger(__name__)


def run_batch(
    path: Path,
    batch: int,
    answerers: Mapping[int, Answerer] = MappingProxyType({}),
    drawer: Drawer | None = None,
) -> None:
    """Works on a batch until it is done, paused or cancelled. Does nothing if another process works on it.

    answerers: Those that the plan's settings do not open, by the positions of their contenders.
    drawer: Draws what models with hands look at; None: they see no pictures.
    """
    from filelock import Timeout

    try:
        with batch_lock(path, batch).acquire(timeout=0), Project.open(path) as project:
            project.survive_power_cuts()
            plan = BatchPlan.model_validate_json(project.batches.plan(batch))
            try:
                with open_executor(plan.workers, plan.cluster) as executor:
                    BatchRunner(project, batch, plan, executor, answerers, drawer).run()
            except ExecutorUnavailable as error:
                project.batches.set_state(batch, BatchState.PAUSED, str(error))
    except Timeout:
        _log.warning("another process works on batch %d of %s", batch, path)


class BatchRunner:
    """Works on one batch.

    It does not use `run_jobs`, since it waits for threads as well as for an executor, and may be paused.
    """

    def __init__(
        self,
        project: Project,
        batch: int,
        plan: BatchPlan,
        executor: Executor,
        answerers: Mapping[int, Answerer] = MappingProxyType({}),
        drawer: Drawer | None = None,
    ) -> None:
        self._project = project
        self._batch = batch
        self._plan = plan
        self._gates = Gates(plan.early_fail)
        self._jobs = BatchJobs(executor)
        self._store = BatchStore(project, batch, plan, self._gates)
        self._judging = BatchJudging(self._store, self._jobs, plan.programs)
        self._asking = BatchAsking(plan, self._store, self._jobs, self._judging.add, answerers, drawer)
        self._watch = BatchHeartbeat(project, batch, self._jobs, self._store.spending)

    def run(self) -> BatchState:
        """Works until the batch is done, paused or cancelled; returns that state."""
        self._load_items()
        try:
            while self._goes_on():
                if self._may_ask and self._judging.has_room:
                    self._asking.ask_more()
                self._judging.judge_more()
                self._store_news()
        finally:
            self._asking.stop()
            self._store_events(0.0)
            self._asking.close()
        return self._watch.leave(self._reason())

    def _load_items(self) -> None:
        asked = [k for k, contender in enumerate(self._plan.contenders) if not contender.is_computed]
        self._project.items.recover(self._batch, asked)
        units: dict[int, list[BatchItem]] = {}
        for item in self._project.items.of_batch(self._batch):
            units.setdefault(item.lead, []).append(item)
        scores = self._project.batches.scores(self._batch)
        for items in units.values():
            self._gates.add(Unit(tuple(items)), scores)
        self._let_through()
        for items in units.values():
            unit = Unit(tuple(item for item in items if not item.state.is_final))
            if unit.items and any(item.state is ItemState.ANSWERED for item in items):
                self._judging.add(unit)

    def _let_through(self) -> None:
        """Queues the units that may be asked now, and stores that others will not be asked at all."""
        for unit in self._gates.opened():
            self._asking.add(unit)
        for unit in self._gates.refused():
            self._store.refuse(unit)

    def _goes_on(self) -> bool:
        if self._watch.look():
            self._pause() if self._watch.state is BatchState.PAUSED else self._judging.resume()
        if self._watch.state is BatchState.CANCELLED:
            return False
        is_busy = bool(self._jobs) or self._judging.is_waiting or self._asking.is_busy
        return is_busy or (self._may_ask and self._asking.has_more)

    @property
    def _may_ask(self) -> bool:
        return self._watch.state is BatchState.RUNNING and not self._store.spending.is_over

    def _reason(self) -> str:
        """Why the batch ends early, if it does."""
        row = self._project.batches.get(self._batch)
        words = self._store.spending.words(row.total - row.ended) if row.ended < row.total else ""
        return " ".join(filter(None, (words, self._asking.reason)))

    def _pause(self) -> None:
        """Puts answers aside, and cancels the jobs that the executor has not begun."""
        self._judging.pause()
        self._jobs.cancel_all_but(self._plan.workers or usual_workers())

    def _store_news(self) -> None:
        """Stores the events of threads and the results of the executor; waits a moment for the first."""
        self._store_events(0.0 if self._jobs else _MOMENT_S)
        for unit, write in self._jobs.finished(_MOMENT_S if self._jobs else 0.0):
            with self._project.database.write_transaction():
                self._store.store(unit, write)
                self._let_through()

    def _store_events(self, timeout_s: float) -> None:
        """Stores the events of all threads in one transaction."""
        events = list(self._asking.new_events(timeout_s))
        if not events:
            return
        with self._project.database.write_transaction():
            for unit, write in events:
                self._store.store(unit, write)
            self._let_through()
        self._asking.tell_stored()
