"""The source folder of the workbench, and modules that are only available there."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

from spatial_workbench.root import ROOT


class NotFromSource(Exception):
    """A command needs the workbench to be installed from source."""


def tool(name: str) -> ModuleType:
    """A module of the source folder that does not ship, such as "tools.bench.main".

    Raises:
        NotFromSource: The module is not available.
    """
    in_checkout(f"{name.replace('.', '/')}.py")
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    return importlib.import_module(name)


def in_checkout(path: str) -> Path:
    """A file of the source folder, such as "docs/aids.md".

    Raises:
        NotFromSource: There is no such file here.
    """
    found = ROOT / path
    if not found.is_file():
        raise NotFromSource("This command works only where the workbench is installed from its source.")
    return found
