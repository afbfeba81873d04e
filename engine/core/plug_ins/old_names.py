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


def accept_old_names() -> None:
    """Lets plug-ins import the old names from now on. Modules of others that have such a name come first."""
    if not any(isinstance(finder, _OldNames) for finder in sys.meta_path):
        # Before the finder of files, which would load a second copy of what an old name holds.
        sys.meta_path.insert(0, _OldNames())


class _OldNames(MetaPathFinder, Loader):
    """Finds `engine.core` as what `spatial_workbench.engine.core` is."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        room, _, rest = name.partition(".")
        if room not in ROOMS or not (_is_ours(room) if rest else _is_vacant(room)):
            return None
        new = f"{PACKAGE}.{name}"
        if find_spec(new) is None:
            return None
        if not rest:
            _warn(name, new)
        return ModuleSpec(name, self)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(f"{PACKAGE}.{spec.name}")
        self._specs[module.__name__] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has just told the module that its name is the old one.
        module.__spec__ = self._specs.pop(module.__name__)


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
