"""The editors: one module or package for each task, named like the task."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from importlib.metadata import entry_points
from typing import Any

from engine.core import Task
from widgets.editing.editor import Editor

GROUP = "spatial_workbench.editors"
"""Entry-point group: each entry is named after a task and loads an Editor subclass."""


def editor_for(task: Task[Any]) -> type[Editor[Any]]:
    """The editor of a task; tasks without one get an editor that shows the scene, and are edited as text."""
    module_name = type(task).__module__.removeprefix("engine.tasks.").split(".")[0]
    for name in dict.fromkeys((task.id, module_name)):
        if importlib.util.find_spec(f"widgets.editors.{name}"):
            return _editor_in(f"widgets.editors.{name}")
    for entry in entry_points(group=GROUP, name=task.id):
        editor: type[Editor[Any]] = entry.load()
        return editor
    from widgets.editors.plain import PlainEditor

    return PlainEditor


def _editor_in(module_name: str) -> type[Editor[Any]]:
    module = importlib.import_module(module_name)
    for value in vars(module).values():
        if inspect.isclass(value) and issubclass(value, Editor) and value.__module__.startswith(module_name):
            return value
    raise LookupError(f"{module_name} defines no Editor")
