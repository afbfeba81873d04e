"""The registry: finds tasks by the names of their modules, and through the entry points of other packages."""

import importlib
import importlib.util
import inspect
import json
import logging
import pkgutil
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib.metadata import EntryPoint, entry_points
from itertools import chain
from types import ModuleType
from typing import Any
from urllib.parse import unquote

from spatial_workbench.engine.core.abilities import HoldsCollections
from spatial_workbench.engine.core.contract import Task
from spatial_workbench.engine.core.errors import UnknownName, meant
from spatial_workbench.engine.core.families import Bucket, Family
from spatial_workbench.engine.core.instance import Instance, InstanceError
from spatial_workbench.engine.core.plug_ins.foreign import (
    IMPORT_LIMIT_S,
    TaskFault,
    UnusableTask,
    faults_of,
    faults_of_instances,
    guarded,
    one_line,
    watch,
)
from spatial_workbench.engine.core.plug_ins.old_names import accept_old_names
from spatial_workbench.engine.core.plug_ins.old_tasks import adopt

_log = logging.getLogger(__name__)

GROUP = "spatial_workbench.tasks"
"""Entry-point group: each entry names a Task subclass, or a module that holds some."""
MOST_NAMED = 5
"""How many instances a message names."""
SEEDS = 2**63
"""Seeds are below this, so that projects can hold them."""


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
    # One broken task must not keep the others from being available.
    for name, load in _own_modules():
        try:
            usable |= {candidate.id: candidate for candidate in load()}
        except Exception as error:
            _log.exception("the task '%s' cannot be used", name)
            broken.append(BrokenTask(name, one_line(str(error) or type(error).__name__)))
    for entry in _entries(GROUP):
        try:
            usable |= {candidate.id: candidate for candidate in _foreign_tasks(entry, usable)}
        except (UnusableTask, TaskFault) as error:
            reason = one_line(str(error))
            _log.warning("The task “%s” cannot be used: %s", entry.name, reason)
            broken.append(BrokenTask(entry.name, reason))
    return tuple(sorted(usable.values(), key=_place)), tuple(broken)


def _foreign_tasks(entry: EntryPoint, taken: Container[str]) -> Sequence[Task[Any]]:
    """The tasks of an entry point, checked and watched; `taken` holds the ids that there are already.

    Raises:
        UnusableTask, TaskFault: One of them cannot be used; says why.
    """
    found = guarded("loading it", lambda: _checked_tasks(entry, taken), IMPORT_LIMIT_S)
    for candidate in found:
        watch(candidate)
    return found


def _checked_tasks(entry: EntryPoint, taken: Container[str]) -> Sequence[Task[Any]]:
    found = tuple(_named(entry))
    for candidate in found:
        adopt(type(candidate))
        if candidate.id in taken:
            raise UnusableTask(f"there is a task “{candidate.id}” already")
        for fault in chain(faults_of(candidate), faults_of_instances(candidate)):
            raise UnusableTask(fault)
    return found


def _entries(group: str) -> Sequence[EntryPoint]:
    """The entry points of a group; none if the list of installed packages cannot be read."""
    try:
        found = tuple(entry_points(group=group))
    except Exception as error:
        _log.warning("The installed plug-ins cannot be listed: %s", one_line(str(error)))
        return ()
    if found:
        accept_old_names()
    return found


def _place(task: Task[Any]) -> tuple[object, ...]:
    family = _index(Family.PUBLISHED, task.family)
    return family, task.family.label, _index(Bucket.PUBLISHED, task.bucket), task.bucket.id, task.title


def _index(order: Sequence[object], value: object) -> int:
    return order.index(value) if value in order else len(order)


@cache
def task(task_id: str) -> Task[Any]:
    """The task of that id.

    Raises:
        UnknownName: There is none; the message lists all ids.
    """
    for module_name in _module_names(task_id):
        if importlib.util.find_spec(module_name):
            for candidate in _tasks_in(importlib.import_module(module_name)):
                if candidate.id == task_id:
                    return candidate
    for candidate in tasks():
        if candidate.id == task_id:
            return candidate
    for broken in broken_tasks():
        if broken.name == task_id:
            raise UnknownName(f"The task “{task_id}” cannot be used: {broken.reason}")
    known = [candidate.id for candidate in tasks()]
    raise UnknownName(f"There is no task '{task_id}'{meant(task_id, known) or '.'} Tasks: {', '.join(known)}")


def _module_names(task_id: str) -> Iterator[str]:
    """The modules that may hold a task: one with its id as name, or one whose name is the beginning of its id."""
    words = task_id.split("_") if task_id.isidentifier() else []
    for count in range(len(words), 0, -1):
        yield f"spatial_workbench.engine.tasks.{'_'.join(words[:count])}"


def resolve(address: str) -> tuple[Task[Any], Instance]:
    """The task and the instance that an address names: `TASK:N`, `TASK@SEED` with `?name=value&...`, `TASK:NAME`.

    Raises:
        InstanceError: Says what is wrong with the address.
    """
    head, _, query = address.partition("?")
    separator = "@" if "@" in head else ":"
    name, _, rest = head.partition(separator)
    chosen = _task_named(name)
    if separator == ":" and rest and not rest.lstrip("-").isdigit():
        if isinstance(chosen, HoldsCollections):
            return chosen, chosen.instance_named(rest)
        raise InstanceError(f"“{rest}” in “{head}” is not a number")
    try:
        number = int(rest or "0")
    except ValueError:
        raise InstanceError(f"“{rest}” in “{address}” is not a number") from None
    if separator == "@":
        if not 0 <= number < SEEDS:
            raise InstanceError(f"“{rest}” in “{address}” is not a seed; seeds are from 0 to {SEEDS - 1}")
        return chosen, _generated(chosen, number, query)
    published = chosen.instances()
    if not 0 <= number < len(published):
        raise InstanceError(f"{name} has the instances 0 to {len(published) - 1}, not {number}")
    return chosen, published[number]


def as_stored(address: str, parameters_json: str) -> tuple[Task[Any], Instance]:
    """The task and the generated instance of an address, with parameters that a project holds; nothing is generated.

    Raises:
        InstanceError: Says what is wrong with the address or the parameters.
    """
    head, _, query = address.partition("?")
    name, _, seed = head.partition("@")
    if not seed.isdecimal():
        raise InstanceError(f"“{address}” holds no seed")
    try:
        parameters = json.loads(parameters_json)
    except ValueError:
        parameters = None
    if not isinstance(parameters, dict):
        raise InstanceError(f"The stored parameters of “{address}” are no JSON object")
    return _task_named(name), Instance.generated(name, int(seed), parameters, arguments_of(query))


def _task_named(task_id: str) -> Task[Any]:
    try:
        return task(task_id)
    except KeyError as error:
        raise InstanceError(error.args[0]) from None


@lru_cache(maxsize=512)
def _generated(chosen: Task[Any], seed: int, query: str) -> Instance:
    """Cached, because some instances take seconds to make and a batch asks for them again and again."""
    return chosen.generate(seed, **arguments_of(query))


def arguments_of(query: str) -> dict[str, Any]:
    """The arguments of a generator, from the part of an address after the question mark."""
    arguments: dict[str, Any] = {}
    for part in filter(None, query.split("&")):
        key, _, value = part.partition("=")
        try:
            arguments[key] = json.loads(unquote(value))
        except ValueError:
            arguments[key] = unquote(value)
    return arguments


def instance_with(task_id: str, parameters: Mapping[str, Any] | None = None, seed: int | None = None) -> Instance:
    """The instance that a file of other people means by its seed, its parameters, or both.

    With a seed, the parameters are those of the generator. Without one, they may be those of the instance itself: a
    published instance that has them, or one that the generator makes with them from the seed 0 and that has them, too,
    as a shell of Lego bricks follows from its two radii.

    Raises:
        UnknownName: There is no such task.
        InstanceError: There is no such instance; says why.
    """
    chosen = task(task_id)
    if not isinstance(parameters, Mapping | None):
        raise InstanceError("parameters: an object with their names and values is expected")
    if seed is not None:
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < SEEDS:
            raise InstanceError(f"seed: a whole number from 0 to {SEEDS - 1} is expected")
        return chosen.generate(seed, **_named_arguments(parameters))
    if not parameters:
        raise InstanceError("neither a seed nor parameters are given")
    return _published_with(chosen, parameters) or _made_with(chosen, parameters)


def _named_arguments(parameters: Mapping[str, Any] | None) -> dict[str, Any]:
    return {str(name): value for name, value in (parameters or {}).items()}


def _published_with(chosen: Task[Any], parameters: Mapping[str, Any]) -> Instance | None:
    """The published instance that has these parameters, if there is one and no other has them."""
    found = [instance for instance in chosen.instances() if _has(instance, parameters)]
    if len(found) > 1:
        numbers = ", ".join(str(instance.number) for instance in found[:MOST_NAMED])
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        raise InstanceError(f"parameters: the instances {numbers}{more} of {chosen.id} have them; give further ones")
    return found[0] if found else None


def _made_with(chosen: Task[Any], parameters: Mapping[str, Any]) -> Instance:
    """The instance that the generator makes with these parameters and that has them."""
    try:
        made = chosen.generate(0, **_named_arguments(parameters)) if chosen.generates else None
    except InstanceError as error:
        raise InstanceError(f"parameters: no published instance of {chosen.id} has them. {error}") from None
    if made is None or not _has(made, parameters):
        raise InstanceError(
            f"parameters: no published instance of {chosen.id} has them, and they alone make none; give a seed, too"
        )
    return made


def _has(instance: Instance, parameters: Mapping[str, Any]) -> bool:
    own = instance.parameters
    return all(name in own and own[name] == value for name, value in parameters.items())


Load = Callable[[], Iterable[Task[Any]]]


def _own_modules() -> Iterator[tuple[str, Load]]:
    package = importlib.import_module("spatial_workbench.engine.tasks")
    for module in pkgutil.iter_modules(package.__path__):
        yield module.name, partial(_tasks_of, f"spatial_workbench.engine.tasks.{module.name}")


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


def _tasks_in(module: ModuleType) -> Iterator[Task[Any]]:
    for value in vars(module).values():
        is_task = inspect.isclass(value) and issubclass(value, Task) and not inspect.isabstract(value)
        if is_task and value.__module__.startswith(module.__name__):
            yield _single(value)


@cache
def _single(kind: type[Task[Any]]) -> Task[Any]:
    return kind()
