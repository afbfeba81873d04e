"""Background work: persistent processes, so that neither Bullet nor a solid modeller can make the window wait."""

from __future__ import annotations

import itertools
import logging
import multiprocessing
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.reduction import ForkingPickler
from queue import SimpleQueue
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.background import worker
from app.background.delivery import Delivery
from engine.core.interpreter import keep_working_folder_out

GRACE_MS = 2000
"""A job that does not notice that it was cancelled is ended with its process after so long."""

LIVE_LANES = 3
"""Verdicts that can be worked out at a time."""
IDLE_MS = 20_000
"""Processes beyond the first are let go after so long without work, for their memory."""

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class BackgroundJob:
    """A call that runs, or waits to run, in a lane's process."""

    number: int
    label: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    done: Callable[[Any], None]
    failed: Callable[[str], None]
    progressed: Callable[[float, float, str], None]
    quiet: bool
    lane: Lane | Pool = field(repr=False)
    owner: object = None
    """Whose job it is, such as the tab that shows the result."""
    is_cancelled: bool = False

    @property
    def is_pending(self) -> bool:
        """Whether it runs or waits."""
        return self is self.lane.current or self in self.lane.waiting

    def cancel(self) -> None:
        """Stops it; none of the callbacks is called afterwards."""
        if not self.is_cancelled:
            self.is_cancelled = True
            self.lane.drop(self)


class Lane(QObject):
    """One process with its queue. It starts with the first job, and anew after a crash.

    Signals:
        changed(): a job began, went on or ended; `current` and `waiting` tell.
    """

    changed = Signal()

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.current: BackgroundJob | None = None
        self.waiting: deque[BackgroundJob] = deque()
        self.progress: tuple[float, float, str] = (0, 0, "")
        self._numbers = itertools.count(1)
        self._context = multiprocessing.get_context("spawn")
        self._generation = 0
        self._process: Any = None
        self._connection: Any = None
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._cancelled: Any = None
        self._grace = QTimer(self, singleShot=True, interval=GRACE_MS)
        self._grace.timeout.connect(self._end_stubborn_job)
        self._delivery = Delivery(self._take_message)

    def submit(
        self,
        label: str,
        function: Callable[..., Any],
        *arguments: Any,
        done: Callable[[Any], None],
        failed: Callable[[str], None] | None = None,
        progressed: Callable[[float, float, str], None] | None = None,
        quiet: bool = False,
    ) -> BackgroundJob:
        """Calls `function(*arguments, progress=...)` in the process; the callbacks come in this thread."""
        nothing = lambda *_: None  # noqa: E731
        job = BackgroundJob(
            next(self._numbers),
            label,
            function,
            arguments,
            done,
            failed or (lambda text: _log.error("%s: %s", label, text)),
            progressed or nothing,
            quiet,
            self,
        )
        self.waiting.append(job)
        self._next()
        return job

    def take(self, job: BackgroundJob) -> None:
        """Takes over a job that was waiting elsewhere."""
        job.number = next(self._numbers)
        job.lane = self
        self.waiting.append(job)
        self._next()

    def interrupt(self) -> BackgroundJob | None:
        """Gives up the running job by ending its process, and hands it back to be run again."""
        job = self.current
        self._grace.stop()
        self._kill()
        self.current = None
        return job if job is not None and not job.is_cancelled else None

    def retire(self) -> None:
        """Lets the idle process end; it is not waited for."""
        if self._process is None or self.current is not None:
            return
        self._generation += 1
        self._dismiss()
        self._process = None

    def start(self) -> None:
        """Starts the process ahead of the first job, so that the first verdict does not wait for it."""
        if self._process is None or not self._process.is_alive():
            self._spawn()

    def drop(self, job: BackgroundJob) -> None:
        """Takes a cancelled job out."""
        if job is self.current:
            self._cancelled.value = job.number
            self._grace.start()
        elif job in self.waiting:
            self.waiting.remove(job)
        self.changed.emit()

    def close(self) -> None:
        """Ends the process; waits two seconds at most."""
        self.waiting.clear()
        if self._process is None:
            return
        if self.current is not None:
            self.current.is_cancelled = True
            self._cancelled.value = self.current.number
        self._generation += 1
        self._dismiss()
        self._process.join(0.3 if self.current is None else GRACE_MS / 1000)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join(1)
        self._connection.close()
        self._process = None

    def _next(self) -> None:
        if self.current is not None or not self.waiting:
            return
        self.start()
        self.current = job = self.waiting.popleft()
        self.progress = (0, 0, "")
        self._outbox.put(bytes(ForkingPickler.dumps((job.number, job.function, job.arguments))))
        self.changed.emit()

    def _dismiss(self) -> None:
        """Tells the process that no job follows."""
        self._outbox.put(bytes(ForkingPickler.dumps(None)))
        self._outbox.put(None)

    def _spawn(self) -> None:
        self._generation += 1
        keep_working_folder_out()
        self._connection, theirs = self._context.Pipe()
        self._cancelled = self._context.Value("q", 0)
        self._process = self._context.Process(
            target=worker.serve, args=(theirs, self._cancelled), name=f"workbench-{self.name}", daemon=True
        )
        self._process.start()
        theirs.close()
        self._outbox.put(None)
        self._outbox = SimpleQueue()
        self._in_thread("read", _read, self._connection, self._generation, self._delivery)
        self._in_thread("write", _write, self._connection, self._generation, self._outbox, self._delivery)

    def _in_thread(self, name: str, work: Callable[..., None], *arguments: Any) -> None:
        threading.Thread(target=work, args=arguments, name=f"{name}-{self.name}", daemon=True).start()

    def _take_message(self, received: tuple[int, tuple[Any, ...] | None]) -> None:
        """Takes a message of a generation of the process; None: the process is gone."""
        generation, message = received
        if generation != self._generation or self.current is None:
            return
        job = self.current
        if message is None:
            self._process = None
            self._finish(job, lambda: job.failed("The process that did this work ended unexpectedly."))
            return
        kind, number, *rest = message
        if number != job.number:
            return
        if kind == "progress":
            self.progress = (rest[0], rest[1], rest[2])
            if not job.is_cancelled:
                job.progressed(*rest)
            self.changed.emit()
        elif kind == "result":
            self._finish(job, lambda: job.done(rest[0]))
        elif kind == "error":
            _log.error("%s failed\n%s", job.label, rest[1])
            self._finish(job, lambda: job.failed(rest[0]))
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
        if self.current is not None and self._process is not None:
            self._kill()
            self._finish(self.current, lambda: None)

    def _kill(self) -> None:
        self._generation += 1
        self._outbox.put(None)
        if self._process is not None:
            self._process.kill()
        self._process = None


def _write(connection: Any, generation: int, outbox: SimpleQueue[bytes | None], delivery: Delivery) -> None:
    """Sends what is put out, in a thread of its own: a process that starts or works reads nothing meanwhile."""
    while (message := outbox.get()) is not None:
        try:
            connection.send_bytes(message)
        except (OSError, ValueError):
            delivery.send(generation, None)
            return


def _read(connection: Any, generation: int, delivery: Delivery) -> None:
    """Passes on what the process says, in a thread of its own, until the process is gone."""
    while _pass_on_message(connection, generation, delivery):
        pass


def _pass_on_message(connection: Any, generation: int, delivery: Delivery) -> bool:
    """Waits for a message of the process; whether there may be another.

    A function of its own, so that the thread keeps no message while it waits for the next.
    """
    try:
        message = connection.recv()
    except (EOFError, OSError):
        message = None
    delivery.send(generation, message)
    return message is not None


class Pool(QObject):
    """Several lanes for jobs that must not wait for each other; more are opened as they are needed.

    When all are busy, jobs of the owner in front go first, and if need be take the place of another owner's job, which
    is begun again later.

    Signals:
        changed(): a job began, went on or ended.
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
        """A job that runs, or None where none does."""
        return next((lane.current for lane in self._lanes if lane.current is not None), None)

    def submit(
        self,
        label: str,
        function: Callable[..., Any],
        *arguments: Any,
        done: Callable[[Any], None],
        failed: Callable[[str], None] | None = None,
        quiet: bool = False,
        owner: object = None,
    ) -> BackgroundJob:
        """Calls `function(*arguments, progress=...)` in one of the processes; the callbacks come in this thread."""
        told = failed or (lambda text: _log.error("%s: %s", label, text))
        job = BackgroundJob(0, label, function, arguments, done, told, lambda *_: None, quiet, self, owner)
        self.waiting.append(job)
        self._assign()
        return job

    def start(self) -> None:
        """Starts a process ahead of the first job."""
        self._lanes[0].start()

    def drop(self, job: BackgroundJob) -> None:
        """Takes out a job that waits."""
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
                lane.take(self._pop())
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
        """A lane that ran something for another owner, whose job waits again."""
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


class ScopedRunner:
    """The Runner of one workspace: what it started is given up with it, so nothing comes back to a closed tab."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._started: list[BackgroundJob] = []

    def run(
        self,
        label: str,
        function: Callable[..., Any],
        *arguments: Any,
        done: Callable[[Any], None],
        failed: Callable[[str], None] | None = None,
        quiet: bool = False,
    ) -> BackgroundJob:
        """See widgets.editing.runner.Runner."""
        return self._kept(self._jobs.run(label, function, *arguments, done=done, failed=failed, quiet=quiet))

    def run_soon(self, label: str, function: Callable[..., Any], *arguments: Any, done: Callable[[Any], None]) -> None:
        """Runs what is short, where nothing that takes long is before it; nothing is shown meanwhile."""
        self._kept(self._jobs.live.submit(label, function, *arguments, done=done, quiet=True))

    def _kept(self, job: BackgroundJob) -> BackgroundJob:
        self._started = [one for one in self._started if one.is_pending] + [job]
        return job

    def close(self) -> None:
        """Gives up what runs or waits."""
        for job in self._started:
            if job.is_pending:
                job.cancel()


class Jobs(QObject):
    """The background processes: some for live verdicts, one for what takes longer.

    A verdict waits neither for a solver nor for another tab. This is the Runner that editors see.

    Signals:
        changed(): something that the status bar shows changed.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.live = Pool("live", LIVE_LANES, self)
        self.long = Lane("long", self)
        self.live.changed.connect(self.changed)
        self.long.changed.connect(self.changed)

    def run(
        self,
        label: str,
        function: Callable[..., Any],
        *arguments: Any,
        done: Callable[[Any], None],
        failed: Callable[[str], None] | None = None,
        quiet: bool = False,
    ) -> BackgroundJob:
        """See widgets.editing.runner.Runner."""
        return self.long.submit(label, function, *arguments, done=done, failed=failed, quiet=quiet)

    def close(self) -> None:
        """Ends all processes."""
        self.long.close()
        self.live.close()
