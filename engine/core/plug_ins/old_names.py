"""The names by which older plug-ins import this program: `engine`, `widgets` and `app`, without a package.

They are other names of the same modules, and importing one warns. The next release will no longer know them.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

PACKAGE = "spatial_workbench"
ROOMS = ("app", "engine", "widgets")
MOVED = {
    "engine.core.candidates": "engine.core.reading.candidates",
    "engine.core.fields": "engine.core.reading.fields",
    "engine.core.foreign": "engine.core.plug_ins.foreign",
    "engine.core.how_read": "engine.core.reading.how_read",
    "engine.core.jsonlayout": "engine.core.formats.jsonlayout",
    "engine.core.jsontext": "engine.core.formats.jsontext",
    "engine.core.limits": "engine.core.reading.limits",
    "engine.core.mending": "engine.core.reading.mending",
    "engine.core.patch": "engine.core.formats.patch",
    "engine.core.png": "engine.core.formats.png",
    "engine.core.reading": "engine.core.reading.pipeline",
    "engine.core.sound": "engine.core.formats.sound",
    "engine.core.task": "engine.core.contract",
    "engine.core.typesetting": "engine.core.formats.typesetting",
    "widgets.answer_panel": "widgets.panels.answer_panel",
    "widgets.canvas2d": "widgets.scene_views.canvas2d",
    "widgets.canvas2d_items": "widgets.scene_views.canvas2d_items",
    "widgets.gizmo": "widgets.scene_views.gizmo",
    "widgets.interactive_view": "widgets.scene_views.interactive_view",
    "widgets.lamps": "widgets.panels.lamps",
    "widgets.legend": "widgets.scene_views.legend",
    "widgets.meter": "widgets.panels.meter",
    "widgets.out_of_sight": "widgets.scene_views.out_of_sight",
    "widgets.overlays": "widgets.scene_views.overlays",
    "widgets.problem_lines": "widgets.panels.problem_lines",
    "widgets.prompt_panel": "widgets.panels.prompt_panel",
    "widgets.rulers": "widgets.scene_views.rulers",
    "widgets.section_control": "widgets.scene_views.section_control",
    "widgets.timeline": "widgets.scene_views.timeline",
    "widgets.verdict_panel": "widgets.panels.verdict_panel",
    "widgets.view": "widgets.scene_views.view",
    "widgets.viewport3d": "widgets.scene_views.viewport3d",
    "widgets.views": "widgets.scene_views.views",
}
"""The modules of the kit for tasks and editors that have another place now, by their old names."""


def accept_old_names() -> None:
    """Lets plug-ins import the old names from now on. Modules of others that have such a name come first."""
    if not any(isinstance(finder, _OldNames) for finder in sys.meta_path):
        # It comes before the finder of files, which would load a second copy of a module under its old name.
        sys.meta_path.insert(0, _OldNames())


class _OldNames(MetaPathFinder, Loader):
    """Finds `engine.core` as another name of the module `spatial_workbench.engine.core`."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        room, _, rest = name.partition(".")
        if room not in ROOMS or not (_is_ours(room) if rest else _is_vacant(room)):
            return None
        new = _new_name(name)
        if find_spec(new) is None:
            return None
        if not rest:
            _warn(name, new)
        return ModuleSpec(name, self)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(_new_name(spec.name))
        self._specs[module.__name__] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has just told the module that its name is the old one.
        module.__spec__ = self._specs.pop(module.__name__)


def _new_name(name: str) -> str:
    return f"{PACKAGE}.{MOVED.get(name, name)}"


def _is_ours(room: str) -> bool:
    return sys.modules.get(room) is sys.modules.get(f"{PACKAGE}.{room}")


def _is_vacant(room: str) -> bool:
    """Whether nobody else has a module of that name; in a checkout, the folder of that name is ours."""
    found = PathFinder.find_spec(room)
    ours = find_spec(f"{PACKAGE}.{room}")
    if found is None or found.origin is None or ours is None or ours.origin is None:
        return found is None
    return Path(found.origin).resolve() == Path(ours.origin).resolve()


def _warn(old: str, new: str) -> None:
    warnings.warn(
        f"A plug-in imports “{old}”, which is now called “{new}”; the next release will no longer know the old name.",
        FutureWarning,
        stacklevel=2,
    )
