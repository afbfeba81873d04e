"""Asks models in threads, as many per model as its limits allow, and has reference and random answers computed."""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import Cancelled, resolve
from spatial_workbench.engine.core.agents import AgentFailed, NoReply
from spatial_workbench.engine.core.plug_ins.foreign import TaskFault
from spatial_workbench.engine.core.reading.limits import well_formed
from spatial_workbench.engine.evaluation.agent_runs import PlayedRun, play
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.planning.single import request_for
from spatial_workbench.engine.evaluation.running.jobs import BatchJobs
from spatial_workbench.engine.evaluation.running.spending import (
    ITEM_LIMIT,
    ItemLimitReached,
    ItemSpending,
    LimitedAnswerer,
)
from spatial_workbench.engine.evaluation.running.storing import BatchStore
from spatial_workbench.engine.evaluation.running.units import Unit
from spatial_workbench.engine.executor import Finished, JobOutcome
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
from spatial_workbench.engine.models.conversation import EarlierReply
from spatial_workbench.engine.sandbox import SandboxUnavailable

if TYPE_CHECKING:
    from spatial_workbench.engine.core.drawer import Drawer

_KINDS = {SandboxUnavailable: "no sandbox", AgentFailed: "agent failed", NoReply: "no reply"}
"""How errors without a kind of their own are stored."""
_LOCAL = (Provider.OFFLINE, Provider.FUNCTION)
"""Nobody else can be asked in their place."""
_FATAL = (ErrorKind.AUTH, ErrorKind.QUOTA)
"""Errors after which every further question would fail as well."""

_LOOK_S = 0.1
"""How often a thread that waits until a reply is stored looks whether it is to stop."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Event:
    """Something for the writing thread to store, from another thread."""

    unit: Unit
    write: Callable[[], None]
    is_end: bool
    is_stored: threading.Event = field(default_factory=threading.Event)

    def await_stored(self, stop: threading.Event) -> None:
        """Waits until it is stored, or everything stops.

        A reply that is stored is not asked for, and paid for, once more after a kill: only the question that is being
        answered then is.
        """
        while not self.is_stored.wait(_LOOK_S) and not stop.is_set():
            pass


class BatchAsking:
    """Asks models about units: holds the units that wait to be asked, and counts those that are being asked."""

    def __init__(
        self,
        plan: BatchPlan,
        store: BatchStore,
        jobs: BatchJobs,
        answered: Callable[[Unit, PlayedRun | None], None],
        answerers: Mapping[int, Answerer] = MappingProxyType({}),
        drawer: Drawer | None = None,
    ) -> None:
        """`answered` is called with each unit that has been answered, in the writing thread.

        answerers: Those that the plan's settings do not open, by the positions of their contenders.
        drawer: Draws what models with hands look at; None: they see no pictures.
        """
        self._plan = plan
        self._drawer = drawer
        self._store = store
        self._jobs = jobs
        self._answered = answered
        self._stop = threading.Event()
        self._events: queue.SimpleQueue[_Event] = queue.SimpleQueue()
        self._taken: list[_Event] = []
        self._pools: dict[int, ThreadPoolExecutor] = {}
        self._answerers = dict(answerers)
        self._waiting: dict[int, deque[Unit]] = {k: deque() for k in range(len(plan.contenders))}
        self._asking: dict[int, int] = dict.fromkeys(self._waiting, 0)
        self._stopped: dict[int, str] = {}

    @property
    def is_busy(self) -> bool:
        """Whether a model is being asked."""
        return any(self._asking.values())

    @property
    def has_more(self) -> bool:
        """Whether units wait for a model that still answers."""
        return any(waiting for k, waiting in self._waiting.items() if k not in self._stopped)

    @property
    def reason(self) -> str:
        """Why some models are asked no more; empty if all still are."""
        return " ".join(self._stopped.values())

    def add(self, unit: Unit) -> None:
        """Adds a unit that may be asked."""
        self._waiting[unit.lead.model].append(unit)

    def ask_more(self) -> None:
        """Begins to ask waiting units, as far as the models' limits allow."""
        for k, waiting in self._waiting.items():
            contender = self._plan.contenders[k]
            while waiting and k not in self._stopped and self._has_room(k, contender):
                unit = waiting.popleft()
                self._store.store(unit, partial(self._begin_unit, unit, contender))

    def new_events(self, timeout_s: float = 0.0) -> Iterator[tuple[Unit, Callable[[], None]]]:
        """The units about which there is something to store, each with a function that stores it.

        Waits for the first, but no longer than the timeout.
        """
        try:
            yield self._unpack_event(self._events.get(timeout=timeout_s) if timeout_s else self._events.get_nowait())
            while True:
                yield self._unpack_event(self._events.get_nowait())
        except queue.Empty:
            return

    def tell_stored(self) -> None:
        """Lets the threads go on whose events have been stored."""
        for event in self._taken:
            event.is_stored.set()
        self._taken.clear()

    def stop(self) -> None:
        """Stops the threads, and waits until they have sent their last events."""
        self._stop.set()
        for pool in self._pools.values():
            pool.shutdown(wait=True, cancel_futures=True)

    def close(self) -> None:
        """Closes the answerers of all models."""
        for answerer in self._answerers.values():
            answerer.close()

    def _begin_unit(self, unit: Unit, contender: Contender) -> None:
        self._store.begin(unit)
        if contender.is_computed:
            self._compute_answer(unit, contender)
            return
        earlier = self._store.earlier(unit)
        self._asking[unit.lead.model] += 1
        self._pool(unit.lead.model, contender).submit(self._ask_unit, unit, contender, earlier)

    def _has_room(self, k: int, contender: Contender) -> bool:
        if contender.is_computed:
            return self._jobs.has_room
        return self._asking[k] < contender.settings.limits.parallel

    def _pool(self, k: int, contender: Contender) -> ThreadPoolExecutor:
        if k not in self._pools:
            self._pools[k] = ThreadPoolExecutor(contender.settings.limits.parallel, f"ask-{k}")
        return self._pools[k]

    # In threads --------------------------------------------------------------------------------------------------

    def _ask_unit(self, unit: Unit, contender: Contender, earlier: list[EarlierReply]) -> None:
        """Asks a model about a unit. Whatever happens, exactly one final event is sent."""
        try:
            self._ask_or_play(unit, contender, earlier)
        except Cancelled:
            self._send_event(unit, partial(self._store.put_back, unit))
        except ItemLimitReached as error:
            self._send_event(unit, partial(self._store_limit, unit, error))
        except ModelError as error:
            self._send_event(unit, partial(self._store_failure, unit, error))
        except (SandboxUnavailable, AgentFailed, NoReply) as error:
            self._send_event(unit, partial(self._store.fail, unit, _KINDS[type(error)], str(error)))
        except TaskFault as fault:
            self._send_event(unit, partial(self._store.fail, unit, "internal", str(fault)))
        except Exception as error:
            _log.exception("item %d", unit.lead.number)
            self._send_event(unit, partial(self._store.fail, unit, "internal", f"{type(error).__name__}: {error}"))

    def _ask_or_play(self, unit: Unit, contender: Contender, earlier: list[EarlierReply]) -> None:
        lead = unit.lead
        task, instance = resolve(lead.address)
        item = ItemSpending(self._plan.spending)
        answerer = LimitedAnswerer(self._answerer(lead.model, contender), item)

        def heard(one_try: Try) -> None:
            item.add(one_try.usage.output_tokens, one_try.cost_usd)
            self._send_event(unit, partial(self._store.add_try, unit, one_try), is_end=False)

        if self._plan.agent is not None and self._plan.plays(contender, task):

            def on_reply(number: int, response: Response, prompt: str) -> None:
                write = partial(self._store.add_reply, unit, number, prompt, response, is_last=False)
                self._send_event(unit, write, is_end=False).await_stored(self._stop)

            asked = Request("", address=lead.address, repeat=lead.repeat, heard=heard)
            agent = self._plan.agent
            found = contender.capabilities
            drawer = None if found is not None and found.refuses_pictures else self._drawer
            native = found is not None and found.calls_functions
            parallel = contender.settings.limits.parallel
            played = play(
                task, instance, agent, answerer, asked, earlier, on_reply, self._progress, drawer, native, parallel
            )
            self._send_event(unit, partial(self._answered, unit, played))
            return
        request = replace(request_for(task, instance, lead.repeat, variant=contender.variant), heard=heard)
        response = answerer.ask(request, self._progress)
        self._send_event(unit, partial(self._store_answer, unit, request.text, response))

    def _answerer(self, k: int, contender: Contender) -> Answerer:
        if k not in self._answerers:
            # If two threads get here at once, one answerer is dropped, which does no harm: it has opened nothing yet.
            self._answerers.setdefault(k, open_answerer(contender.settings, contender.capabilities))
        return self._answerers[k]

    def _progress(self, done: float, total: float, text: str = "") -> None:
        if self._stop.is_set():
            raise Cancelled

    def _send_event(self, unit: Unit, write: Callable[[], None], is_end: bool = True) -> _Event:
        event = _Event(unit, write, is_end)
        self._events.put(event)
        return event

    # In the writing thread ---------------------------------------------------------------------------------------

    def _unpack_event(self, event: _Event) -> tuple[Unit, Callable[[], None]]:
        """The unit of an event, and the function that stores it; after a final event, its model may be asked more."""
        self._taken.append(event)
        if event.is_end:
            self._asking[event.unit.lead.model] -= 1
        return event.unit, event.write

    def _compute_answer(self, unit: Unit, contender: Contender) -> None:
        arguments: dict[str, Any] = {"address": unit.lead.address}
        function = "reference"
        if contender.settings.provider is Provider.RANDOM:
            function = "random_answer"
            arguments |= {"repeat": unit.lead.repeat, "seed": contender.settings.seed}
        self._jobs.submit(function, arguments, unit, self._store_computed)

    def _store_computed(self, unit: Unit, finished: Finished) -> None:
        if finished.outcome is JobOutcome.CANCELLED:
            self._put_back(unit)
            return
        if finished.outcome is not JobOutcome.DONE:
            self._store.fail(unit, finished.outcome.value, finished.message, finished.outcome)
            return
        task, instance = resolve(unit.lead.address)
        try:
            text = task.prompt(instance).text
        except TaskFault as fault:
            self._store.fail(unit, "internal", str(fault))
            return
        self._store_answer(unit, text, Response.model_validate(finished.value))

    def _store_answer(self, unit: Unit, prompt: str, response: Response) -> None:
        self._store.add_reply(unit, 0, prompt, response, is_last=True)
        self._answered(unit, None)

    def _store_limit(self, unit: Unit, error: ItemLimitReached) -> None:
        self._store.spending.stopped += 1
        self._store.fail(unit, ITEM_LIMIT, str(error))

    def _store_failure(self, unit: Unit, error: ModelError) -> None:
        settings = self._plan.contenders[unit.lead.model].settings
        is_away = settings.provider in _LOCAL and error.kind is ErrorKind.UNAVAILABLE
        if error.kind in _FATAL or is_away:
            self._stopped[unit.lead.model] = well_formed(f"{settings.name}: {error}")
            self._put_back(unit)
            return
        self._store.fail(unit, error.kind.value, str(error))

    def _put_back(self, unit: Unit) -> None:
        self._store.put_back(unit)
        self._waiting[unit.lead.model].appendleft(unit)
