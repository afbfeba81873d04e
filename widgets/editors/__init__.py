"""The editors: one module or package for each task, named like the task."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from spatial_workbench.engine.core import Task
from spatial_workbench.engine.core.plug_ins.foreign import CALL_LIMIT_S, IMPORT_LIMIT_S, TaskFault, guarded, say_once
from spatial_workbench.engine.core.plug_ins.old_names import accept_old_names
from spatial_workbench.widgets.editing.abilities import ABILITIES
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.runner import Runner

GROUP = "spatial_workbench.editors"
"""Entry-point group: each entry is named after a task and loads an Editor subclass."""


def editor_for(task: Task[Any]) -> type[Editor[Any]]:
    """The editor of a task; tasks without one get an editor that shows the scene, and are edited as text."""
    module_name = type(task).__module__.removeprefix("spatial_workbench.engine.tasks.").split(".")[0]
    for name in dict.fromkeys((task.id, module_name)):
        if importlib.util.find_spec(f"spatial_workbench.widgets.editors.{name}"):
            return _editor_in(f"spatial_workbench.widgets.editors.{name}")
    for entry in entry_points(group=GROUP, name=task.id):
        accept_old_names()
        try:
            return _foreign_editor(entry)
        except TaskFault as fault:
            say_once(fault)
    from spatial_workbench.widgets.editors.plain import PlainEditor

    return PlainEditor


def make_editor(document: AnswerDocument[Any], runner: Runner, **allowed: Any) -> Editor[Any]:
    """The editor of a document's task, with the arguments of `Editor`.

    If another package's editor cannot be built, the log says why, and the task gets the editor of tasks without one.
    """
    kind = editor_for(document.task)
    if kind.__module__.startswith("spatial_workbench."):
        return kind(document, runner, **allowed)
    what = f"The editor of {document.task.id}"
    try:
        return guarded(what, lambda: kind(document, runner, **allowed), CALL_LIMIT_S)
    except TaskFault as fault:
        say_once(fault)
    from spatial_workbench.widgets.editors.plain import PlainEditor

    return PlainEditor(document, runner, **allowed)


@cache
def _foreign_editor(entry: EntryPoint) -> type[Editor[Any]]:
    """The editor that another package names, with what the application calls in it guarded.

    Raises:
        TaskFault: It cannot be loaded, or is no editor.
    """
    what = f"The editor of {entry.name}"
    kind = guarded(what, entry.load, IMPORT_LIMIT_S)
    if not (inspect.isclass(kind) and issubclass(kind, Editor)):
        raise TaskFault(f"{what} is no Editor")
    hooks = [
        name
        for base in (Editor, *ABILITIES)
        for name, value in vars(base).items()
        if inspect.isfunction(value) and not name.startswith("_")
    ]
    for name in hooks:
        method = getattr(kind, name, None)
        if method is not None and not method.__module__.startswith("spatial_workbench."):
            setattr(kind, name, _guarded_hook(f"{what}: {name}", method))
    return kind


def _guarded_hook(what: str, method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*arguments: Any, **named: Any) -> Any:
        return guarded(what, lambda: method(*arguments, **named), CALL_LIMIT_S)

    return call


def _editor_in(module_name: str) -> type[Editor[Any]]:
    module = importlib.import_module(module_name)
    for value in vars(module).values():
        if inspect.isclass(value) and issubclass(value, Editor) and value.__module__.startswith(module_name):
            return value
    raise LookupError(f"{module_name} defines no Editor")
