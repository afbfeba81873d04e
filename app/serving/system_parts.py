"""The programs and files of the system that serving needs."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.engine.core.extras import how_to_get, is_installed
from spatial_workbench.engine.sandbox import bubblewrap
from spatial_workbench.engine.sandbox.contracts import SandboxUnavailable

NOVNC_FOLDERS = (Path("/usr/share/novnc"), Path("/usr/share/webapps/novnc"))
_PACKAGES = ("jwt", "starlette", "uvicorn", "websockets", "jinja2", "markdown_it")


class PartsMissing(RuntimeError):
    """Something that serving needs is not installed; says what, and how to get it."""


@dataclass(frozen=True)
class SystemParts:
    """What was found.

    Attributes:
        xvnc: The program that draws the screens.
        novnc: The folder of noVNC, with `core/rfb.js`.
    """

    xvnc: str
    novnc: Path


def found_parts(confines: bool = True) -> SystemParts:
    """The parts that serving needs.

    confines: whether windows run in sandboxes.

    Raises:
        PartsMissing: This system is not Linux, or a part is not installed.
    """
    if not sys.platform.startswith("linux"):
        raise PartsMissing("Windows are served from Linux only. They can be seen in any desktop browser.")
    if not is_installed("serve"):
        raise PartsMissing(how_to_get("serve"))
    if confines:
        _find_sandbox()
    xvnc = shutil.which("Xvnc") or shutil.which("Xtigervnc")
    if xvnc is None:
        raise PartsMissing("Serving needs Xvnc. On Debian and Ubuntu: apt-get install tigervnc-standalone-server")
    folder = next((folder for folder in NOVNC_FOLDERS if (folder / "core" / "rfb.js").is_file()), None)
    if folder is None:
        raise PartsMissing("Serving needs noVNC. On Debian and Ubuntu: apt-get install novnc")
    return SystemParts(xvnc, folder)


def _find_sandbox() -> None:
    try:
        bubblewrap.executable()
    except SandboxUnavailable as error:
        raise PartsMissing(f"Serving needs a sandbox: {error}") from None
