"""Optional abilities of this computer: sandbox, OpenSCAD, physics, video, cube solver. Importable by name."""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

from spatial_workbench.engine.core import Progress, silent


class Ability(NamedTuple):
    """An optional ability: its name, whether it is available, and a sentence."""

    name: str
    is_available: bool
    words: str


def abilities(progress: Progress = silent) -> list[Ability]:
    """Tries everything; where only the WebAssembly sandbox works, its first trial takes a minute."""
    from spatial_workbench.engine.sandbox import availability, openscad_availability

    progress(0, 3, "testing the sandbox")
    sandbox = availability()
    progress(1, 3, "testing OpenSCAD")
    openscad = openscad_availability()
    progress(2, 3, "looking for optional packages")
    return [
        Ability("Sandbox", sandbox.available, _with_version(sandbox.reason, sandbox.version)),
        Ability("OpenSCAD", openscad.available, _with_version(openscad.reason, openscad.version)),
        _package("Physics", "pybullet", "Bullet is installed", "Bullet has no package for this platform"),
        _package("Video", "av", "PyAV is installed", "PyAV is not installed; videos are saved as GIF"),
        _package("Cube solver", "kociemba", "kociemba is installed", "kociemba is not installed; it is optional"),
    ]


def _with_version(words: str, version: str) -> str:
    return f"{words} ({version})" if version else words


def _package(name: str, module: str, present: str, absent: str) -> Ability:
    is_installed = find_spec(module) is not None
    return Ability(name, is_installed, present if is_installed else absent)
