"""The source folder of the workbench, and modules that are only available there."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from spatial_workbench.root import ROOT


class NotFromSource(Exception):
    """A command needs the workbench to be installed from source."""


def tool(name: str) -> ModuleType:
    """A module beside the product, such as "tests.bench.main".

    Raises:
        NotFromSource: The module is not available.
    """
    if not (ROOT / f"{name.replace('.', '/')}.py").is_file():
        raise NotFromSource("This command works only where the workbench is installed from its source.")
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    return importlib.import_module(name)
