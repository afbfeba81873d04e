"""The process of a batch: asks, stores and verifies until everything is done or somebody stops it.

One thread alone writes to the project. Other threads ask, as many per model as its limits allow, and an executor runs
what is computationally expensive. An item goes from waiting to asking to answered to done. Each step is stored before
the next begins, so that a question that has been answered is never asked again.
"""

from __future__ import annotations

import json
import logging
import queue
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core import Cancelled, PlayedByAgents, Verdict, resolve
from spatial_workbench.engine.core.agents import AgentFailed, NoReply
from spatial_workbench.engine.core.plug_ins.foreign import TaskFault
from spatial_workbench.engine.core.reading.limits import MAX_TEXT_CHARS, well_formed
from spatial_workbench.engine.evaluation.agent_runs import PlayedRun, play
from spatial_workbench.engine.evaluation.lock import batch_lock
from spatial_workbench.engine.evaluation.planning.gates import Gates
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.planning.single import request_for
from spatial_workbench.engine.evaluation.work import JUDGING_LIMIT_S
from spatial_workbench.engine.executor import (
    Executor,
    ExecutorJob,
    ExecutorUnavailable,
    Finished,
    JobOutcome,
    open_executor,
    usual_workers,
)
from spatial_workbench.engine.models import (
    Answerer,
    ErrorKind,
    ModelError,
    Provider,
    Request,
    Response,
    Try,
    open_answerer,
)
from spatial_workbench.engine.sandbox import SandboxUnavailable
from spatial_workbench.engine.store import Actor, Asked, BatchItem, BatchState, ItemState, Project, StoredReply

BEAT_S = 1.0
_LOOK_S = 0.1
"""How often the process checks whether it is to pause."""
_MOMENT_S = 0.02
_NAMED_AFTER_S = 2.0
"""A verdict that takes longer is named in the list of items."""
_MOST_PENDING = 256
"""How many jobs the executor is given at a time; the rest wait in the project."""
_FATAL = (ErrorKind.AUTH, ErrorKind.QUOTA)
"""Errors after which every further question would fail as well."""

_UNSTORABLE = (
    ValueError,
    TypeError,
    ArithmeticError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
)
"""Errors that concern what is to be stored, not the project or its disk."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Unit:
    """Items that share an answer: usually just one. The first is asked."""

    items: tuple[BatchItem, ...]

    @property
    def lead(self) -> BatchItem:
        """The item that is asked."""
        return self.items[0]


@dataclass(frozen=True)
class _Event:
    """Something for the writing thread to store, from another thread."""

    unit: Unit
    write: Callable[[], None]
    is_end: bool


def run_batch(path: Path, batch: int) -> None:
    """Works on a batch until it is done, paused or cancelled. Does nothing if another process works on it."""
    from filelock import Timeout

    try:
        with batch_lock(path, batch).acquire(timeout=0), Project.open(path) as project:
            project.survive_power_cuts()
            plan = BatchPlan.model_validate_json(project.batches.plan(batch))
            try:
                with open_executor(plan.workers, plan.cluster) as executor:
                    BatchRunner(project, batch, plan, executor).run()
            except ExecutorUnavailable as error:
                project.batches.set_state(batch, BatchState.PAUSED, str(error))
    except Timeout:
        _log.warning("another process works on batch %d of %s", batch, path)


class BatchRunner:
    """Works on one batch."""

    def __init__(self, project: Project, batch: int, plan: BatchPlan, executor: Executor) -> None:
        self._project = project
        self._batch = batch
        self._plan = plan
        self._executor = executor
        self._events: queue.SimpleQueue[_Event] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._state = BatchState.RUNNING
        self._next_beat = self._next_look = 0.0
        self._pools: dict[int, ThreadPoolExecutor] = {}
        self._answerers: dict[int, Answerer] = {}
        self._waiting: dict[int, deque[Unit]] = {k: deque() for k in range(len(plan.contenders))}
        self._asking: dict[int, int] = dict.fromkeys(self._waiting, 0)
        self._stopped: dict[int, str] = {}
        self._answered: deque[Unit] = deque()
        self._held: list[Unit] = []
        self._submitted = 0
        self._jobs: dict[str, tuple[Unit, Callable[[Unit, Finished], None]]] = {}
        self._played: dict[int, PlayedRun] = {}
        self._unstorable: set[int] = set()
        self._named: set[str] = set()
        self._gates = Gates(plan.early_fail)

    def run(self) -> BatchState:
        """Works until the batch is done, paused or cancelled; returns that state."""
        self._load()
        try:
            while self._goes_on():
                self._ask_more()
                self._judge_more()
                self._hear()
        finally:
            self._stop.set()
            for pool in self._pools.values():
                pool.shutdown(wait=True, cancel_futures=True)
            self._write_all(self._new_events())
            for answerer in self._answerers.values():
                answerer.close()
        return self._leave()

    # What there is to do -----------------------------------------------------------------------------------------

    def _load(self) -> None:
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
                self._answered.append(unit)

    def _let_through(self) -> None:
        """Queues what may be asked now, and stores what will not be asked at all."""
        for unit in self._gates.opened():
            self._waiting[unit.lead.model].append(unit)
        for unit in self._gates.refused():
            reason = "The first subtasks of this task went badly (early fail)."
            self._project.items.fail(unit.lead.number, ItemState.NOT_ASKED, "early fail", reason)

    def _goes_on(self) -> bool:
        before = self._state
        self._look()
        if self._state is not before:
            self._withdraw() if self._state is BatchState.PAUSED else self._take_up()
        if self._state is BatchState.CANCELLED:
            return False
        busy = bool(self._jobs or self._answered or any(self._asking.values()))
        if self._state is not BatchState.RUNNING:
            return busy
        return busy or any(waiting for k, waiting in self._waiting.items() if k not in self._stopped)

    def _look(self) -> None:
        """Reads which state the user wants, and regularly records that this process is alive."""
        now = time.monotonic()
        if now >= self._next_beat:
            self._next_beat = now + BEAT_S
            self._state = self._project.batches.beat(self._batch)
            self._name_slow_verdicts()
        elif now >= self._next_look:
            self._state = self._project.batches.wanted_state(self._batch)
        else:
            return
        self._next_look = now + _LOOK_S

    def _name_slow_verdicts(self) -> None:
        """Says in the list of items which answers are being judged for a while."""
        for key, seconds in self._executor.running.items():
            if seconds > _NAMED_AFTER_S and key in self._jobs and key not in self._named:
                self._named.add(key)
                began = datetime.now().astimezone() - timedelta(seconds=seconds)
                self._project.items.note(self._jobs[key][0].lead.number, f"Being judged since {began:%H:%M:%S}")

    def _withdraw(self) -> None:
        """Puts aside what is stored as answered, and takes back what the executor has not begun."""
        self._held += [unit for unit in self._answered if unit.lead.number not in self._played]
        self._answered = deque(unit for unit in self._answered if unit.lead.number in self._played)
        for key in list(self._jobs)[self._plan.workers or usual_workers() :]:
            self._executor.cancel(key)

    def _take_up(self) -> None:
        """Takes up what was put aside, if the batch is resumed before its process has ended."""
        self._answered += self._held
        self._held.clear()

    def _leave(self) -> BatchState:
        if self._state is not BatchState.CANCELLED:
            row = self._project.batches.get(self._batch)
            is_unfinished = row.ended < row.total
            self._state = BatchState.PAUSED if is_unfinished else BatchState.FINISHED
            self._project.batches.set_state(self._batch, self._state, " ".join(self._stopped.values()))
        return self._state

    # Asking ------------------------------------------------------------------------------------------------------

    def _ask_more(self) -> None:
        if self._state is not BatchState.RUNNING:
            return
        for k, waiting in self._waiting.items():
            contender = self._plan.contenders[k]
            while waiting and k not in self._stopped and self._has_room(k, contender):
                unit = waiting.popleft()
                self._store(unit, partial(self._begin, unit, contender))

    def _begin(self, unit: Unit, contender: Contender) -> None:
        self._project.items.begin_asking(unit.lead.number)
        if contender.is_computed:
            self._compute(unit, contender)
            return
        earlier = self._earlier(unit)
        self._asking[unit.lead.model] += 1
        self._pool(unit.lead.model, contender).submit(self._ask, unit, contender, earlier)

    def _has_room(self, k: int, contender: Contender) -> bool:
        if len(self._answered) >= _MOST_PENDING:
            return False
        if contender.is_computed:
            return len(self._jobs) < _MOST_PENDING
        return self._asking[k] < contender.settings.limits.parallel

    def _pool(self, k: int, contender: Contender) -> ThreadPoolExecutor:
        if k not in self._pools:
            self._pools[k] = ThreadPoolExecutor(contender.settings.limits.parallel, f"ask-{k}")
        return self._pools[k]

    def _earlier(self, unit: Unit) -> list[Response]:
        return [_response_of(reply) for reply in self._project.runs.replies(unit.lead.number)]

    def _ask(self, unit: Unit, contender: Contender, earlier: list[Response]) -> None:
        """Runs in a thread. Whatever happens, exactly one final event is sent."""
        try:
            self._ask_or_play(unit, contender, earlier)
        except Cancelled:
            self._send_event(unit, partial(self._project.items.put_back, unit.lead.number))
        except ModelError as error:
            self._send_event(unit, partial(self._model_failed, unit, error))
        except (SandboxUnavailable, AgentFailed, NoReply) as error:
            self._send_event(unit, partial(self._fail, unit, "no sandbox", str(error)))
        except TaskFault as fault:
            self._send_event(unit, partial(self._fail, unit, "internal", str(fault)))
        except Exception as error:
            _log.exception("item %d", unit.lead.number)
            self._send_event(unit, partial(self._fail, unit, "internal", f"{type(error).__name__}: {error}"))

    def _ask_or_play(self, unit: Unit, contender: Contender, earlier: list[Response]) -> None:
        lead = unit.lead
        task, instance = resolve(lead.address)
        answerer = self._answerer(lead.model, contender)

        def heard(one_try: Try) -> None:
            self._send_event(unit, lambda: self._store_try(lead.number, one_try), is_end=False)

        if self._plan.agent is not None and isinstance(task, PlayedByAgents) and self._plan.plays(contender, task):

            def on_reply(number: int, response: Response, prompt: str) -> None:
                self._send_event(
                    unit, lambda: self._store_reply(lead.number, number, prompt, response, False), is_end=False
                )

            asked = Request("", address=lead.address, repeat=lead.repeat, heard=heard)
            played = play(task, instance, self._plan.agent, answerer, asked, earlier, on_reply, self._progress)
            self._send_event(unit, lambda: self._has_played(unit, played))
            return
        request = replace(request_for(task, instance, lead.repeat), heard=heard)
        response = answerer.ask(request, self._progress)
        self._send_event(unit, lambda: self._has_answered(unit, request.text, response))

    def _answerer(self, k: int, contender: Contender) -> Answerer:
        if k not in self._answerers:
            # If two threads get here at once, one answerer is dropped, which does no harm: it has opened nothing yet.
            self._answerers.setdefault(k, open_answerer(contender.settings, contender.capabilities))
        return self._answerers[k]

    def _progress(self, done: float, total: float, text: str = "") -> None:
        if self._stop.is_set():
            raise Cancelled

    def _compute(self, unit: Unit, contender: Contender) -> None:
        lead = unit.lead
        settings = contender.settings
        arguments: dict[str, Any] = {"address": lead.address}
        name = "reference"
        if settings.provider is Provider.RANDOM:
            name = "random_answer"
            arguments |= {"repeat": lead.repeat, "seed": settings.seed}
        self._submit(
            f"ask:{lead.number}", f"spatial_workbench.engine.evaluation.work:{name}", arguments, unit, self._computed
        )

    def _computed(self, unit: Unit, finished: Finished) -> None:
        if finished.outcome is JobOutcome.CANCELLED:
            self._project.items.put_back(unit.lead.number)
            self._waiting[unit.lead.model].appendleft(unit)
            return
        if finished.outcome is not JobOutcome.DONE:
            self._fail(unit, finished.outcome.value, finished.message, finished.outcome)
            return
        task, instance = resolve(unit.lead.address)
        try:
            text = task.prompt(instance).text
        except TaskFault as fault:
            self._fail(unit, "internal", str(fault))
            return
        self._has_answered(unit, text, Response.model_validate(finished.value))

    # Hearing -----------------------------------------------------------------------------------------------------

    def _send_event(self, unit: Unit, write: Callable[[], None], is_end: bool = True) -> None:
        self._events.put(_Event(unit, write, is_end))

    def _hear(self) -> None:
        self._write_all(self._new_events(_MOMENT_S if not self._jobs else 0.0))
        for finished in self._executor.finished(_MOMENT_S if self._jobs else 0.0):
            unit, then = self._jobs.pop(finished.key)
            with self._project.database.write_transaction():
                self._store(unit, partial(then, unit, finished))
                self._let_through()

    def _new_events(self, timeout_s: float = 0.0) -> Iterator[_Event]:
        try:
            yield self._events.get(timeout=timeout_s) if timeout_s else self._events.get_nowait()
            while True:
                yield self._events.get_nowait()
        except queue.Empty:
            return

    def _write_all(self, events: Iterator[_Event]) -> None:
        """Stores the events of all threads in one transaction."""
        new_events = list(events)
        if not new_events:
            return
        with self._project.database.write_transaction():
            for event in new_events:
                self._store(event.unit, event.write)
                if event.is_end:
                    self._asking[event.unit.lead.model] -= 1
            self._let_through()

    def _store(self, unit: Unit, write: Callable[[], None]) -> None:
        """Stores something about a unit. What cannot be stored is this unit's error, and nobody else's."""
        if unit.lead.number in self._unstorable:
            return
        try:
            with self._project.database.all_or_nothing():
                write()
        except _UNSTORABLE as error:
            _log.exception("item %d", unit.lead.number)
            self._unstorable.add(unit.lead.number)
            self._fail(unit, "internal", f"It cannot be stored: {_one_line(error)}")

    def _store_try(self, item: int, record: Try) -> None:
        self._project.items.add_try(
            item,
            record.model_dump_json(),
            record.started_at.isoformat(timespec="milliseconds"),
            record.seconds,
            record.error.value if record.error else None,
            record.usage.output_tokens,
            record.cost_usd,
        )

    def _store_reply(self, item: int, number: int, prompt: str, response: Response, is_last: bool) -> None:
        record = response.model_dump_json(exclude={"text", "reasoning", "tries"})
        self._project.items.add_reply(item, number, prompt, response.text, response.reasoning, record, is_last)

    def _has_answered(self, unit: Unit, prompt: str, response: Response) -> None:
        self._store_reply(unit.lead.number, 0, prompt, response, True)
        self._answered.append(unit)

    def _has_played(self, unit: Unit, played: PlayedRun) -> None:
        # The replies are stored. If the process ended now, the run would be replayed from them; no model is asked.
        self._played[unit.lead.number] = played
        self._answered.append(unit)

    def _model_failed(self, unit: Unit, error: ModelError) -> None:
        offline = self._plan.contenders[unit.lead.model].settings.provider is Provider.OFFLINE
        if error.kind in _FATAL or (offline and error.kind is ErrorKind.UNAVAILABLE):
            name = self._plan.contenders[unit.lead.model].settings.name
            self._stopped[unit.lead.model] = well_formed(f"{name}: {error}")
            self._project.items.put_back(unit.lead.number)
            self._waiting[unit.lead.model].appendleft(unit)
            return
        self._fail(unit, error.kind.value, str(error))

    def _fail(self, unit: Unit, kind: str, message: str, outcome: JobOutcome = JobOutcome.FAILED) -> None:
        state = ItemState.CRASHED if outcome is JobOutcome.CRASHED else ItemState.ERROR
        self._project.items.fail(unit.lead.lead, state, kind, well_formed(message))
        self._gates.ended(unit, {})

    # Judging -----------------------------------------------------------------------------------------------------

    def _judge_more(self) -> None:
        while self._answered and len(self._jobs) < _MOST_PENDING:
            unit = self._answered.popleft()
            self._store(unit, partial(self._judge, unit))

    def _judge(self, unit: Unit) -> None:
        addresses = [item.address for item in unit.items]
        arguments = {"addresses": addresses, "text": self._text_of(unit), "programs": self._plan.programs}
        self._submit(
            f"judge:{unit.lead.number}", "spatial_workbench.engine.evaluation.work:judge", arguments, unit, self._judged
        )

    def _text_of(self, unit: Unit) -> str:
        played = self._played.get(unit.lead.number)
        if played is not None:
            return played.answer
        return self._project.runs.replies(unit.lead.lead)[-1].text[: MAX_TEXT_CHARS + 1]

    def _submit(
        self, key: str, function: str, arguments: dict[str, Any], unit: Unit, then: Callable[[Unit, Finished], None]
    ) -> None:
        self._submitted += 1
        key = f"{key}:{self._submitted}"
        self._jobs[key] = (unit, then)
        self._executor.submit(ExecutorJob(key, function, arguments, JUDGING_LIMIT_S))

    def _judged(self, unit: Unit, finished: Finished) -> None:
        if finished.outcome is JobOutcome.CANCELLED:
            (self._answered if self._state is BatchState.RUNNING else self._held).append(unit)
            return
        if finished.outcome is not JobOutcome.DONE:
            self._fail(unit, f"verifier {finished.outcome}", finished.message, finished.outcome)
            return
        scores = {item.number: self._store_attempt(item, unit, finished.value) for item in unit.items}
        self._gates.ended(unit, {number: score for number, score in scores.items() if score is not None})
        self._played.pop(unit.lead.number, None)

    def _store_attempt(self, item: BatchItem, unit: Unit, judged: dict[str, Any]) -> float | None:
        """Stores the attempt of an item, unless that has been done, and returns its score.

        None: It has none yet, since its programs were not run.
        """
        task, instance = resolve(item.address)
        verdicts = tuple(Verdict.model_validate(verdict) for verdict in judged["verdicts"][item.address])
        if not self._project.items.is_done(item.number):
            contender = self._plan.contenders[item.model]
            played = self._played.get(unit.lead.number)
            asked, seconds = self._asked(item, contender)
            number = self._project.attempts.add(
                instance,
                judged["answer"],
                Actor.REFERENCE if contender.settings.provider is Provider.REFERENCE else Actor.MODEL,
                contender.settings.name,
                seconds,
                verdicts,
                played.transcript if played else None,
                asked,
                task.score_tolerance,
            )
            self._project.items.finish(item.number, number)
        return verdicts[0].score if verdicts else None

    def _asked(self, item: BatchItem, contender: Contender) -> tuple[Asked, float | None]:
        """What was asked, and its cost and time; items that share the answer of another carry no cost of their own."""
        replies = self._project.runs.replies(item.lead)
        responses = [_response_of(reply) for reply in replies]
        asked = Asked(
            batch=self._batch,
            item=item.lead,
            repeat=item.repeat,
            tools=contender.settings.tools,
            budget=contender.settings.max_output_tokens,
            finish_reason=responses[-1].finish_reason if responses else None,
            prompt=replies[0].prompt if replies else None,
            reasoning="\n".join(filter(None, (response.reasoning for response in responses))) or None,
        )
        if item.number != item.lead:
            return asked, None
        counts = {
            name: _sum([getattr(response.usage, name) for response in responses])
            for name in ("input_tokens", "output_tokens", "reasoning_tokens")
        }
        counts["cost_usd"] = _sum([response.cost_usd for response in responses])
        return asked.model_copy(update=counts), sum(response.seconds for response in responses)


def _response_of(reply: StoredReply) -> Response:
    return Response.model_validate({**json.loads(reply.record), "text": reply.text, "reasoning": reply.reasoning})


def _one_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


def _sum(values: list[Any]) -> Any:
    """The sum; None if any value is unknown."""
    return None if None in values or not values else sum(values)
