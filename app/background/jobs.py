"""Background jobs run in persistent processes, so that physics and solid modelling never block the window."""

from __future__ import annotations

import itertools
import logging
import pickle
import traceback
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from spatial_workbench.app.background.delivery import Delivery
from spatial_workbench.engine.children import ChildProcess, Message
from spatial_workbench.engine.core.errors import sentence_of

GRACE_MS = 2000
"""How long a cancelled job may go on before its process is ended."""

JUDGING_DRAIN_S = 60
"""How long judging that is paused waits for answers that are on their way."""

LIVE_LANES = 3
"""How many verdicts can be computed at the same time."""
IDLE_MS = 20_000
"""How long processes beyond the first may be idle before they are ended, to free their memory."""

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class BackgroundJob:
    """A call that runs, or waits to run, in a lane's process."""

    label: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    done: Callable[[Any], None]
    failed: Callable[[str], None]
    progressed: Callable[[float, float, str], None]
    quiet: bool = False
    owner: object = None
    """Whose job it is, such as the tab that shows the result."""
    lane: Lane | Pool | None = field(default=None, repr=False)
    number: int = 0
    is_cancelled: bool = False

    @property
    def is_pending(self) -> bool:
        """Whether the job is running or waiting."""
        return self.lane is not None and (self is self.lane.current or self in self.lane.waiting)

    def cancel(self) -> None:
        """Cancels the job; no callback is called afterwards."""
        if not self.is_cancelled and self.lane is not None:
            self.is_cancelled = True
            self.lane.drop(self)


class Submits:
    """Accepts jobs."""

    def run(
        self,
        label: str,
        function: Callable[..., Any],
        *arguments: Any,
        done: Callable[[Any], None],
        failed: Callable[[str], None] | None = None,
        progressed: Callable[[float, float, str], None] | None = None,
        quiet: bool = False,
        owner: object = None,
    ) -> BackgroundJob:
        """Calls `function(*arguments, progress=...)` in a process; the callbacks come in this thread.

        See `spatial_workbench.widgets.editing.runner.Runner`.
        """
        fails = failed or self.on_failure(label)
        job = BackgroundJob(label, function, arguments, done, fails, progressed or _ignore, quiet, owner)
        self.submit(job)
        return job

    def submit(self, job: BackgroundJob) -> None:
        """Queues a job."""
        raise NotImplementedError

    def on_failure(self, label: str) -> Callable[[str], None]:
        """Handles the failure of a job with this label that has no handler of its own: writes to the log."""
        return partial(_log.error, "%s: %s", label)


def _ignore(done: float, total: float, text: str) -> None:
    pass


class Lane(QObject, Submits):
    """One process with a queue. It starts with the first job and restarts after a crash.

    Signals:
        changed(): a job started, progressed or ended; see `current` and `waiting`.
    """

    changed = Signal()

    def __init__(self, name: str, parent: QObject | None = None, grace_ms: int = GRACE_MS) -> None:
        super().__init__(parent)
        self.name = name
        self.current: BackgroundJob | None = None
        self.waiting: deque[BackgroundJob] = deque()
        self.progress: tuple[float, float, str] = (0, 0, "")
        self._numbers = itertools.count(1)
        self._generation = 0
        self._child: ChildProcess | None = None
        self._grace = QTimer(self, singleShot=True, interval=grace_ms)
        self._grace.timeout.connect(self._end_stubborn_job)
        self._delivery = Delivery(self._take_message)

    def submit(self, job: BackgroundJob) -> None:
        """Queues a job behind those already waiting."""
        job.lane = self
        job.number = next(self._numbers)
        self.waiting.append(job)
        self._next()

    def interrupt(self) -> BackgroundJob | None:
        """Ends the process of the running job, and returns the job so that it can be run again."""
        job = self.current
        self._grace.stop()
        self.retire()
        self.current = None
        return job if job is not None and not job.is_cancelled else None

    def start(self) -> None:
        """Starts the process ahead of the first job, so that the first verdict does not wait for it."""
        if self._child is None or not self._child.is_alive:
            self.retire()
            self._child = ChildProcess(
                "spatial_workbench.app.background.worker:serve",
                deliver=partial(_open, self._generation, self._delivery),
            )

    def retire(self) -> None:
        """Ends the process without waiting for it."""
        self._generation += 1
        if self._child is not None:
            self._child.kill()
        self._child = None

    def drop(self, job: BackgroundJob) -> None:
        """Removes a cancelled job."""
        if job is self.current:
            if self._child is not None:
                self._child.send(Message({"cancel": job.number}))
            self._grace.start()
        elif job in self.waiting:
            self.waiting.remove(job)
        self.changed.emit()

    def close(self) -> None:
        """Ends the process."""
        self.waiting.clear()
        if self.current is not None:
            self.current.is_cancelled = True
        self._grace.stop()
        self.retire()

    def _next(self) -> None:
        if self.current is not None or not self.waiting:
            return
        self.start()
        assert self._child is not None
        self.current = job = self.waiting.popleft()
        self.progress = (0, 0, "")
        self._child.send(Message({"job": job.number}, content=pickle.dumps((job.function, job.arguments))))
        self.changed.emit()

    def _take_message(self, received: tuple[int, tuple[Mapping[str, Any], Any] | None]) -> None:
        """Handles a message from one generation of the process; None means that the process has ended."""
        generation, message = received
        if generation != self._generation or self.current is None:
            return
        if message is None:
            self._bury(self.current)
        elif message[0]["job"] == self.current.number:
            self._take_reply(self.current, *message)

    def _bury(self, job: BackgroundJob) -> None:
        how = self._child.obituary() if self._child is not None else ""
        self.retire()
        self._finish(job, lambda: job.failed(f"The process that did this work ended unexpectedly {how}"))

    def _take_reply(self, job: BackgroundJob, reply: Mapping[str, Any], value: Any) -> None:
        kind = reply["kind"]
        if kind == "progress":
            self.progress = reply["done"], reply["total"], reply["text"]
            if not job.is_cancelled:
                job.progressed(*self.progress)
            self.changed.emit()
        elif kind == "result":
            self._finish(job, lambda: job.done(value))
        elif kind == "error":
            _log.error("%s failed\n%s", job.label, reply["traceback"])
            self._finish(job, lambda: job.failed(reply["sentence"]))
        else:
            self._finish(job, lambda: None)

    def _finish(self, job: BackgroundJob, tell: Callable[[], None]) -> None:
        self._grace.stop()
        self.current = None
        if not job.is_cancelled:
            tell()
        self.changed.emit()
        self._next()

    def _end_stubborn_job(self) -> None:
        if self.current is not None:
            self.retire()
            self._finish(self.current, lambda: None)


def _open(generation: int, delivery: Delivery, message: Message | None) -> None:
    """Passes a reply on. Its value is unpickled here, to keep that work out of the window's thread."""
    if message is None:
        delivery.send(generation, None)
        return
    try:
        value = pickle.loads(message.content) if message.content else None
    except Exception as error:
        reason = {"kind": "error", "sentence": sentence_of(error), "traceback": traceback.format_exc()}
        delivery.send(generation, ({**message.data, **reason}, None))
    else:
        delivery.send(generation, (message.data, value))


class Pool(QObject, Submits):
    """Several lanes for jobs that must not wait for each other; more are opened as needed.

    If all are busy, jobs of the owner in front go first. If necessary, they interrupt another owner's job, which is
    started again later.

    Signals:
        changed(): a job started, progressed or ended.
    """

    changed = Signal()

    def __init__(self, name: str, most: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.front: object = None
        """Whose jobs go first."""
        self.waiting: list[BackgroundJob] = []
        self._most = most
        self._lanes = [self._lane()]
        self._is_assigning = False
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(self._retire_spare_lanes)

    @property
    def current(self) -> BackgroundJob | None:
        """A running job, or None."""
        return next((lane.current for lane in self._lanes if lane.current is not None), None)

    def submit(self, job: BackgroundJob) -> None:
        """Queues a job until a process is free."""
        job.lane = self
        self.waiting.append(job)
        self._assign()

    def start(self) -> None:
        """Starts a process ahead of the first job."""
        self._lanes[0].start()

    def drop(self, job: BackgroundJob) -> None:
        """Removes a waiting job."""
        if job in self.waiting:
            self.waiting.remove(job)

    def close(self) -> None:
        """Ends all processes."""
        self.waiting.clear()
        for lane in self._lanes:
            lane.close()

    def _assign(self) -> None:
        if self._is_assigning:
            return
        self._is_assigning = True
        try:
            while self.waiting and (lane := self._free_lane()) is not None:
                lane.submit(self._pop())
        finally:
            self._is_assigning = False
        self._idle.start()

    def _pop(self) -> BackgroundJob:
        index = next((i for i, job in enumerate(self.waiting) if self._is_in_front(job)), 0)
        return self.waiting.pop(index)

    def _free_lane(self) -> Lane | None:
        idle = next((lane for lane in self._lanes if lane.current is None), None)
        if idle is not None:
            return idle
        if len(self._lanes) < self._most:
            self._lanes.append(self._lane())
            return self._lanes[-1]
        return self._make_room() if any(map(self._is_in_front, self.waiting)) else None

    def _make_room(self) -> Lane | None:
        """Frees a lane by interrupting another owner's job, which goes back to the queue."""
        lane = next((lane for lane in self._lanes if not self._is_in_front(lane.current)), None)
        if lane is not None:
            interrupted = lane.interrupt()
            if interrupted is not None:
                interrupted.lane = self
                self.waiting.append(interrupted)
        return lane

    def _is_in_front(self, job: BackgroundJob | None) -> bool:
        return job is not None and self.front is not None and job.owner is self.front

    def _lane(self) -> Lane:
        lane = Lane(self.name, self)
        lane.changed.connect(self._lane_changed)
        return lane

    def _lane_changed(self) -> None:
        self._assign()
        self.changed.emit()

    def _retire_spare_lanes(self) -> None:
        spare = [lane for lane in self._lanes[1:] if lane.current is None]
        for lane in spare:
            lane.retire()
            self._lanes.remove(lane)
            lane.deleteLater()
        if len(self._lanes) > 1:
            self._idle.start()


class ScopedRunner(Submits):
    """The Runner of one workspace. Closing it cancels its jobs, so that no result reaches a closed tab."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._started: list[BackgroundJob] = []

    def submit(self, job: BackgroundJob) -> None:
        """Runs a job that may take long."""
        self._keep(job)
        self._jobs.submit(job)

    def run_soon(self, label: str, function: Callable[..., Any], *arguments: Any, done: Callable[[Any], None]) -> None:
        """Runs a short job ahead of long ones, without showing progress."""
        self._keep(self._jobs.live.run(label, function, *arguments, done=done, quiet=True))

    def _keep(self, job: BackgroundJob) -> None:
        self._started = [*(earlier for earlier in self._started if earlier.is_pending), job]

    def close(self) -> None:
        """Cancels everything running or waiting."""
        for job in self._started:
            if job.is_pending:
                job.cancel()


class Jobs(QObject, Submits):
    """The background processes: several for live verdicts, one for longer work, one that draws videos, one that
    asks judges.

    A verdict waits neither for a solver nor for another tab. This is the Runner that editors see.

    Signals:
        changed(): something that the status bar shows changed.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.live = Pool("live", LIVE_LANES, self)
        self.long = Lane("long", self)
        self.videos = Lane("videos", self)
        """Ends with its last job: the libraries that draw take much memory."""
        self.judging = Lane("judging", self, 1000 * JUDGING_DRAIN_S + GRACE_MS)
        """What is paused here waits for the answers that are on their way."""
        for lane in (self.videos, self.judging):
            lane.changed.connect(self._end_idle)
            lane.changed.connect(self.changed)
        self.live.changed.connect(self.changed)
        self.long.changed.connect(self.changed)

    def submit(self, job: BackgroundJob) -> None:
        """Runs a job that may take long."""
        self.long.submit(job)

    def close(self) -> None:
        """Ends all processes."""
        self.long.close()
        self.videos.close()
        self.judging.close()
        self.live.close()

    @property
    def shown(self) -> Lane | None:
        """The lane whose job the status bar shows: the first with one that is not quiet."""
        lanes = (self.long, self.videos, self.judging)
        jobs = ((lane, lane.current) for lane in lanes)
        return next((lane for lane, job in jobs if job is not None and not job.quiet and not job.is_cancelled), None)

    def _end_idle(self) -> None:
        for lane in (self.videos, self.judging):
            if lane.current is None and not lane.waiting:
                lane.retire()
