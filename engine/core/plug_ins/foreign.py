"""Guards the calls of other packages' tasks: whatever goes wrong becomes one sentence, and nothing ever hangs."""

from __future__ import annotations

import ctypes
import functools
import logging
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from spatial_workbench.engine.core.abilities import HasFileFormats, PlayedByAgents
from spatial_workbench.engine.core.agents import AgentFailed, AgentRun, NoReply
from spatial_workbench.engine.core.answer import Answer
from spatial_workbench.engine.core.bodies import CannotRepresent
from spatial_workbench.engine.core.contract import Prompt, Task
from spatial_workbench.engine.core.errors import AnswerError
from spatial_workbench.engine.core.families import Bucket, Family
from spatial_workbench.engine.core.instance import Instance, InstanceError
from spatial_workbench.engine.core.progress import Cancelled
from spatial_workbench.engine.core.scene import Scene
from spatial_workbench.engine.core.verdict import Verdict

_log = logging.getLogger(__name__)

IMPORT_LIMIT_S = 30.0
"""How long it may take to import what an entry point names."""
CALL_LIMIT_S = 30.0
"""How long one call of a task may take, if it neither judges nor solves."""
GRACE_S = 3.0
"""How often a call that has exceeded its limit is told again to end."""
_LONGEST_SENTENCE = 300
_LONG_WORK = ("crosscheck", "generate", "motion", "solve", "thumbnail", "verify", "verify_all")
_UNLIMITED = ("play",)
"""A run of an agent waits for a model, and its plan limits it."""
_GIVES: Mapping[str, type] = {
    "caption": str,
    "crosscheck": Verdict,
    "empty": Answer,
    "format": str,
    "generate": Instance,
    "instance_named": Instance,
    "motion": Scene,
    "parse": Answer,
    "play": AgentRun,
    "prompt": Prompt,
    "rules": str,
    "scene": Scene,
    "schema": dict,
    "solve": Answer,
    "thumbnail": Scene,
    "verify": Verdict,
}
"""What some methods have to return, which Python does not check."""

_STATED = ("title", "summary", "family", "bucket", "answer_type")

T = TypeVar("T")


class TaskFault(Exception):
    """A task or an editor of another package did something wrong; the message is one line that says what."""


class Stopped(TaskFault):
    """A call took too long and was ended."""


class UnusableTask(ValueError):
    """A task violates the contract; the message says how."""


class _TookTooLong(BaseException):
    """Raised inside a call that has exceeded its limit."""


class _Interrupted(KeyboardInterrupt):
    """Ctrl-C by the user, as opposed to a KeyboardInterrupt that a package raises."""


_BY_CONTRACT = (AnswerError, InstanceError, CannotRepresent, Cancelled, NoReply, AgentFailed, TaskFault, UnusableTask)
"""What a task, and what watches it, may raise."""


_OF_MODELS = ("spatial_workbench.engine.models", "spatial_workbench.engine.sandbox")
"""Where the errors are defined that an agent's run passes on."""


def guarded(what: str, call: Callable[[], T], limit_s: float | None) -> T:
    """Calls a function of another package, and returns its result.

    what: What fails if the call does: "Task count_corners: verify".
    limit_s: Seconds after which the call is ended; None: it may take as long as it likes. A call inside another that
        is watched already shares the other's limit.

    Raises:
        TaskFault: It raised what the contract of tasks does not allow (SystemExit included), or took too long.
    """
    try:
        with _told_apart(), _watched(limit_s):
            return call()
    except (*_BY_CONTRACT, _Interrupted):
        raise
    except _TookTooLong:
        if _is_watched():
            raise
        raise Stopped(one_line(f"{what} did not end within {limit_s:g} s and was stopped")) from None
    except BaseException as error:
        if type(error).__module__.startswith(_OF_MODELS):
            raise
        raise TaskFault(one_line(f"{what} failed: {_in_words(error)}")) from error


def watch(task: Task[Any]) -> None:
    """Replaces every public method of a task by one that is guarded, and whose result is checked."""
    for name in dir(task):
        if not name.startswith("_"):
            method = getattr(task, name)
            if callable(method) and not isinstance(method, type):
                setattr(task, name, _guarded_method(task, name, method))


def _guarded_method(task: Task[Any], name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    what = f"Task {task.id}: {name}"
    stopped: list[TaskFault] = []
    """The fault for which the method is not called again: one wait for a call that does not end is enough."""
    is_long = name in _LONG_WORK
    limit_s: float | None = task.judging_limit_s if is_long else CALL_LIMIT_S
    if name in _UNLIMITED:
        limit_s = None

    @functools.wraps(method)
    def call(*arguments: Any, **named: Any) -> Any:
        if stopped:
            raise TaskFault(str(stopped[0]))
        try:
            return guarded(what, lambda: _checked(name, method(*arguments, **named)), limit_s)
        except TaskFault as fault:
            say_once(fault)
            if isinstance(fault, Stopped) and not is_long:
                stopped.append(fault)
            raise

    return call


def _checked(name: str, value: Any) -> Any:
    expected = _GIVES.get(name)
    if expected is not None and not isinstance(value, expected):
        raise TypeError(f"it returns {type(value).__name__} instead of {expected.__name__}")
    if isinstance(value, Prompt):
        _check_prompt(value)
    return value


def _check_prompt(prompt: Prompt) -> None:
    if not (isinstance(prompt.text, str) and isinstance(prompt.system, str)):
        raise TypeError("its text is not a string")
    if not all(isinstance(picture, bytes) for picture in prompt.pictures):
        raise TypeError("its pictures are not bytes")


def _in_words(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return f"it tried to end the program (SystemExit: {error.code})"
    return f"{type(error).__name__}: {error}".removesuffix(": ")


_said: set[str] = set()


def say_once(fault: TaskFault) -> None:
    """Logs a fault, unless it was logged before."""
    line = str(fault)
    if line not in _said:
        _said.add(line)
        _log.warning("%s", line)


def one_line(sentence: str) -> str:
    """A sentence of another package on one line of bounded length."""
    line = " ".join(sentence.split())
    return line if len(line) <= _LONGEST_SENTENCE else line[: _LONGEST_SENTENCE - 1] + "…"


# Limits --------------------------------------------------------------------------------------------------------------

_watching = threading.local()


def _is_watched() -> bool:
    return getattr(_watching, "is_on", False)


@contextmanager
def _watched(limit_s: float | None) -> Iterator[None]:
    """Raises _TookTooLong in this thread if the block takes too long; inside another such block, does nothing."""
    if limit_s is None or _is_watched():
        yield
        return
    alarm = _Alarm(limit_s)
    _watching.is_on = True
    try:
        alarm.start()
        yield
    finally:
        _watching.is_on = False
        alarm.stop()


on_stuck: Callable[[str], None] | None = None
"""Called with a sentence if a call does not end although it was told to; set by processes that may end themselves."""


class _Alarm:
    """Raises an exception in the thread that made it when its time is up, and every GRACE_S after that."""

    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._is_over = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._wait, name="limit of a plug-in", daemon=True).start()

    def stop(self) -> None:
        """Stops the alarm; an exception that has not reached the thread yet is withdrawn."""
        with self._lock:
            self._is_over.set()
            _raise_in(self._thread, None)

    def _wait(self) -> None:
        pause_s = self._limit_s
        tries = 0
        while not self._is_over.wait(pause_s):
            with self._lock:
                if not self._is_over.is_set():
                    _raise_in(self._thread, _TookTooLong)
            pause_s = GRACE_S
            tries += 1
            if tries > 1 and on_stuck is not None:
                on_stuck(f"A plug-in did not end within {self._limit_s:g} s, and could not be stopped")


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Raises an exception in a thread as soon as that runs Python code; None withdraws one that is still to come."""
    raised = ctypes.py_object(kind) if kind is not None else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


@contextmanager
def _told_apart() -> Iterator[None]:
    """Within the block, a user's Ctrl-C raises _Interrupted, which differs from a KeyboardInterrupt of the block."""
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt(*_: object) -> None:
    raise _Interrupted


# What a task says about itself ---------------------------------------------------------------------------------------


def faults_of(task: Task[Any]) -> Iterator[str]:
    """What is wrong with the attributes of a task, each fault as a part of a sentence about "it"."""
    lacking = [name for name in _STATED if not hasattr(task, name)]
    if lacking:
        yield f"it does not say its {' and '.join(lacking)}"
        return
    for name in ("id", "title", "summary"):
        value = getattr(task, name)
        if not isinstance(value, str) or not value.strip():
            yield f"its {name} is {_short(value)} instead of a text"
    if not (isinstance(task.answer_type, type) and issubclass(task.answer_type, Answer)):
        yield f"its answer_type is {_short(task.answer_type)} instead of an Answer"
    if task.answer_format not in ("json", "text"):
        yield f"its answer_format is {_short(task.answer_format)} instead of json or text"
    if not (isinstance(task.bucket, Bucket) and isinstance(task.bucket.id, str)):
        yield f"its bucket is {_short(task.bucket)} instead of a Bucket with a name"
    if not isinstance(task.family, Family) or task.family in Family.PUBLISHED:
        yield "its family has to be one of its own"
    elif not (isinstance(task.family.id, str) and isinstance(task.family.label, str)):
        yield "the names of its family are not texts"
    if "default" not in task.verifiers():
        yield "it has no verifier “default”"
    for ability, name in ((PlayedByAgents, "agents"), (HasFileFormats, "file_formats")):
        if isinstance(task, ability) and not isinstance(getattr(task, name, None), Mapping):
            yield f"its {name} are no mapping"
    if not isinstance(task.judging_limit_s, int | float) or not task.judging_limit_s > 0:
        yield f"its judging_limit_s is {_short(task.judging_limit_s)} instead of a number of seconds"


def faults_of_instances(task: Task[Any]) -> Iterator[str]:
    """What is wrong with the instances of a task, each fault as a part of a sentence about "it"."""
    try:
        yield from _faults_of_instances(task)
    except Exception as error:
        yield f"its instances cannot be read: {_in_words(error)}"


def _faults_of_instances(task: Task[Any]) -> Iterator[str]:
    instances = task.instances()
    if not isinstance(instances, Sequence):
        yield f"its instances are {_short(instances)} instead of a list"
        return
    for place, instance in enumerate(instances):
        if not isinstance(instance, Instance):
            yield f"its instance {place} is {_short(instance)} instead of an Instance"
            return
        caption = task.caption(instance)
        if not isinstance(caption, str):
            yield f"the caption of its instance {place} is {_short(caption)} instead of a text"
            return


def _short(value: object) -> str:
    return repr(value)[:40]
