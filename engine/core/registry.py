"""The registry: finds tasks by the names of their modules, and through the entry points of other packages."""

import importlib
import importlib.util
import inspect
import json
import logging
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any
from urllib.parse import unquote

from engine.core.families import Bucket, Family
from engine.core.instance import Instance, InstanceError
from engine.core.task import Task

_log = logging.getLogger(__name__)

GROUP = "spatial_workbench.tasks"
"""Entry-point group: each entry names a Task subclass, or a module that holds some."""
_STATED = ("title", "summary", "family", "bucket", "answer_type")


class UnusableTask(ValueError):
    """A task violates the contract; the message says how."""


@dataclass(frozen=True)
class BrokenTask:
    """A task that cannot be used.

    Attributes:
        name: Its id, or the name of its entry point or module.
        reason: What is wrong with it, in a sentence.
    """

    name: str
    reason: str


def tasks() -> tuple[Task[Any], ...]:
    """All tasks: those of the published systems in their order, then those of other packages by family and title."""
    return _registry()[0]


def broken_tasks() -> tuple[BrokenTask, ...]:
    """The tasks that were found but cannot be used."""
    return _registry()[1]


@cache
def _registry() -> tuple[tuple[Task[Any], ...], tuple[BrokenTask, ...]]:
    usable: dict[str, Task[Any]] = {}
    broken: list[BrokenTask] = []
    for name, load, is_own in (*_own_modules(), *_entry_points()):
        try:
            for candidate in load():
                if candidate.id in usable:
                    raise UnusableTask(f"there is a task “{candidate.id}” already")
                if not is_own:
                    _check(candidate)
                usable[candidate.id] = candidate
        except Exception as error:
            # One broken task must not keep the others from being available.
            _log.exception("the task '%s' cannot be used", name)
            broken.append(BrokenTask(name, str(error) or type(error).__name__))
    return tuple(sorted(usable.values(), key=_place)), tuple(broken)


def _place(task: Task[Any]) -> tuple[object, ...]:
    family = _index(Family.PUBLISHED, task.family)
    return family, task.family.label, _index(Bucket.PUBLISHED, task.bucket), task.bucket.id, task.title


def _index(order: Sequence[object], value: object) -> int:
    return order.index(value) if value in order else len(order)


@cache
def task(task_id: str) -> Task[Any]:
    """The task of that id.

    Raises:
        KeyError: There is none; the message lists all ids.
    """
    for module_name in _module_names(task_id):
        if importlib.util.find_spec(module_name):
            for candidate in _tasks_in(importlib.import_module(module_name)):
                if candidate.id == task_id:
                    return candidate
    for candidate in tasks():
        if candidate.id == task_id:
            return candidate
    raise KeyError(f"There is no task '{task_id}'. Tasks: {', '.join(candidate.id for candidate in tasks())}")


def _module_names(task_id: str) -> Iterator[str]:
    """The modules that may hold a task: one with its id as name, or one whose name is the beginning of its id."""
    words = task_id.split("_") if task_id.isidentifier() else []
    for count in range(len(words), 0, -1):
        yield f"engine.tasks.{'_'.join(words[:count])}"


def resolve(address: str) -> tuple[Task[Any], Instance]:
    """The task and the instance that an address names: `TASK:N`, `TASK@SEED` with `?name=value&...`, `TASK:NAME`.

    Raises:
        InstanceError: Says what is wrong with the address.
    """
    head, _, query = address.partition("?")
    separator = "@" if "@" in head else ":"
    name, _, rest = head.partition(separator)
    try:
        chosen = task(name)
    except KeyError as error:
        raise InstanceError(error.args[0]) from None
    if separator == ":" and rest and not rest.lstrip("-").isdigit():
        return chosen, chosen.instance_named(rest)
    try:
        number = int(rest or "0")
    except ValueError:
        raise InstanceError(f"“{rest}” in “{address}” is not a number") from None
    if separator == "@":
        return chosen, _generated(chosen, number, query)
    published = chosen.instances()
    if not 0 <= number < len(published):
        raise InstanceError(f"{name} has the instances 0 to {len(published) - 1}, not {number}")
    return chosen, published[number]


@lru_cache(maxsize=512)
def _generated(chosen: Task[Any], seed: int, query: str) -> Instance:
    """Cached, because some instances take seconds to make and a batch asks for them again and again."""
    return chosen.generate(seed, **arguments_of(query))


def arguments_of(query: str) -> dict[str, Any]:
    """What a generator is told by the part of an address after the question mark."""
    arguments: dict[str, Any] = {}
    for part in filter(None, query.split("&")):
        key, _, value = part.partition("=")
        try:
            arguments[key] = json.loads(unquote(value))
        except ValueError:
            arguments[key] = unquote(value)
    return arguments


Load = Callable[[], Iterable[Task[Any]]]


def _own_modules() -> Iterator[tuple[str, Load, bool]]:
    package = importlib.import_module("engine.tasks")
    for module in pkgutil.iter_modules(package.__path__):
        yield module.name, partial(_tasks_of, f"engine.tasks.{module.name}"), True


def _entry_points() -> Iterator[tuple[str, Load, bool]]:
    for entry in entry_points(group=GROUP):
        yield entry.name, partial(_named, entry), False


def _tasks_of(module_name: str) -> Iterable[Task[Any]]:
    return _tasks_in(importlib.import_module(module_name))


def _named(entry: EntryPoint) -> Iterable[Task[Any]]:
    """The tasks that an entry point names: a task, or a module that holds some."""
    loaded = entry.load()
    if isinstance(loaded, ModuleType):
        return _tasks_in(loaded)
    if not (inspect.isclass(loaded) and issubclass(loaded, Task)):
        raise UnusableTask("the entry point names neither a task nor a module")
    if inspect.isabstract(loaded):
        raise UnusableTask(f"it lacks {', '.join(sorted(loaded.__abstractmethods__))}")
    return (_single(loaded),)


def _check(candidate: Task[Any]) -> None:
    """Checks that a task of another package keeps the contract.

    Raises:
        UnusableTask: It does not; says why.
    """
    lacking = [name for name in _STATED if not hasattr(candidate, name)]
    if lacking:
        raise UnusableTask(f"it does not say its {' and '.join(lacking)}")
    if not isinstance(candidate.family, Family) or candidate.family in Family.PUBLISHED:
        raise UnusableTask("its family has to be one of its own")
    if "default" not in candidate.verifiers():
        raise UnusableTask("it has no verifier “default”")
    try:
        for instance in candidate.instances():
            candidate.caption(instance)
    except Exception as error:
        raise UnusableTask(f"its instances cannot be read: {error}") from error


def _tasks_in(module: ModuleType) -> Iterator[Task[Any]]:
    for value in vars(module).values():
        is_task = inspect.isclass(value) and issubclass(value, Task) and not inspect.isabstract(value)
        if is_task and value.__module__.startswith(module.__name__):
            yield _single(value)


@cache
def _single(kind: type[Task[Any]]) -> Task[Any]:
    return kind()
