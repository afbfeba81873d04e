"""The folder that the workbench is installed from, and what is used from there alone."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent


class NotFromSource(Exception):
    """A command was given that is there only where the workbench is installed from its source."""


def tool(name: str) -> ModuleType:
    """A module beside the product, such as "tests.bench.main".

    Raises:
        NotFromSource: it is not there.
    """
    if not (ROOT / f"{name.replace('.', '/')}.py").is_file():
        raise NotFromSource("This command works only where the workbench is installed from its source.")
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    return importlib.import_module(name)
