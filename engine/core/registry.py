"""The registry: finds tasks by the names of their modules, and through the entry points of other packages."""

import importlib
import importlib.util
import inspect
import json
import logging
import pkgutil
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any
from urllib.parse import unquote

from engine.core.instance import Instance, InstanceError
from engine.core.task import Bucket, Family, Task

_log = logging.getLogger(__name__)

GROUP = "spatial_workbench.tasks"
"""Entry-point group: each entry names a Task subclass, or a module that holds some."""


@cache
def tasks() -> tuple[Task[Any], ...]:
    """All tasks, ordered by family, bucket and title."""
    found = {one.id: one for one in (*_own_tasks(), *_foreign_tasks())}
    return tuple(
        sorted(found.values(), key=lambda t: (list(Family).index(t.family), list(Bucket).index(t.bucket), t.title))
    )


@cache
def task(task_id: str) -> Task[Any]:
    """The task of that id.

    Raises:
        KeyError: there is none; the message lists those there are.
    """
    for module_name in _module_names(task_id):
        if importlib.util.find_spec(module_name):
            for one in _tasks_in(importlib.import_module(module_name)):
                if one.id == task_id:
                    return one
    for one in tasks():
        if one.id == task_id:
            return one
    raise KeyError(f"There is no task '{task_id}'. Tasks: {', '.join(one.id for one in tasks())}")


def _module_names(task_id: str) -> Iterator[str]:
    """Where a task may be: in the module of its name, or in that of its family, whose name begins the task's."""
    words = task_id.split("_") if task_id.isidentifier() else []
    for count in range(len(words), 0, -1):
        yield f"engine.tasks.{'_'.join(words[:count])}"


def resolve(address: str) -> tuple[Task[Any], Instance]:
    """The task and the instance that an address names: `TASK:N`, or `TASK@SEED` with `?name=value&...`.

    Raises:
        InstanceError: says what is wrong with the address.
    """
    head, _, query = address.partition("?")
    separator = "@" if "@" in head else ":"
    name, _, number_text = head.partition(separator)
    try:
        found = task(name)
    except KeyError as error:
        raise InstanceError(error.args[0]) from None
    try:
        number = int(number_text or "0")
    except ValueError:
        raise InstanceError(f"'{number_text}' in '{address}' is not a number") from None
    if separator == "@":
        return found, _generated(found, number, query)
    published = found.instances()
    if not 0 <= number < len(published):
        raise InstanceError(f"{name} has the instances 0 to {len(published) - 1}, not {number}")
    return found, published[number]


@lru_cache(maxsize=512)
def _generated(found: Task[Any], seed: int, query: str) -> Instance:
    """Some instances take seconds to make, and a batch asks for them again and again."""
    return found.generate(seed, **_arguments(query))


def _arguments(query: str) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    for part in filter(None, query.split("&")):
        key, _, value = part.partition("=")
        try:
            arguments[key] = json.loads(unquote(value))
        except ValueError:
            arguments[key] = unquote(value)
    return arguments


def _own_tasks() -> Iterator[Task[Any]]:
    package = importlib.import_module("engine.tasks")
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith("_"):
            yield from _tasks_in(importlib.import_module(f"engine.tasks.{module.name}"))


def _foreign_tasks() -> Iterator[Task[Any]]:
    for entry in entry_points(group=GROUP):
        try:
            loaded = entry.load()
        except Exception:
            # Somebody else's package: it must not take our own tasks with it.
            _log.exception("the tasks of '%s' could not be loaded", entry.value)
            continue
        if isinstance(loaded, ModuleType):
            yield from _tasks_in(loaded)
        else:
            yield _single(loaded)


def _tasks_in(module: ModuleType) -> Iterator[Task[Any]]:
    for value in vars(module).values():
        is_task = inspect.isclass(value) and issubclass(value, Task) and not inspect.isabstract(value)
        if is_task and value.__module__.startswith(module.__name__):
            yield _single(value)


@cache
def _single(kind: type[Task[Any]]) -> Task[Any]:
    return kind()
