"""Finds out which kind of OpenGL window works here, in a child process, since VTK crashes if no driver answers.

The kinds, from first to last choice:
    "glx"     what VTK's factory gives (GLX on X11; the native window on Windows and macOS)
    "egl"     no window system needed; the only safe choice beside a Wayland Qt
    "osmesa"  software rendering without a driver
    "none"    the 3D view is unavailable

The environment variable APP_RENDER sets the kind. Otherwise the answer of the first start is stored, and used until
VTK, the platform or the graphics driver changes, or a start ends before its first picture.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.core.interpreter import python_command, python_environment

if TYPE_CHECKING:
    from vtkmodules.vtkRenderingCore import vtkRenderWindow

KINDS = ("glx", "egl", "osmesa", "none")
TIME_LIMIT_S = 20.0
"""Long enough for the first start on a busy machine; later starts use the stored answer."""
SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swiftshader", "basic render")
_VTK_CLASSES = {
    "vtkXOpenGLRenderWindow": "glx",
    "vtkWin32OpenGLRenderWindow": "glx",
    "vtkEGLRenderWindow": "egl",
    "vtkOSOpenGLRenderWindow": "osmesa",
}


class NoRenderer(RuntimeError):
    """No OpenGL driver works; the message says what was tried."""


@dataclass(frozen=True)
class ProbeAnswer:
    """The kind of window to use, and why not the better ones."""

    kind: str
    driver: str = ""
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.kind}, {self.driver}" if self.driver else self.kind


Attempt = Callable[[str], tuple[str, str]]
"""Tries a kind; returns the driver's name ("" if it does not work), and the reason why it does not."""


def is_software(driver: str) -> bool:
    """Whether an OpenGL renderer of this name draws in software."""
    return any(word in driver.lower() for word in SOFTWARE)


def candidates(platform: str) -> tuple[str, ...]:
    """The kinds to try under a Qt platform ("" without Qt), best first."""
    if sys.platform in ("win32", "darwin"):
        return ("glx",)
    return ("glx", "egl", "osmesa") if platform == "xcb" else ("egl", "osmesa")


@cache
def decide() -> ProbeAnswer:
    """The kind of window this process uses; asks at most once."""
    forced = os.environ.get("APP_RENDER", "").lower()
    if forced in KINDS:
        return ProbeAnswer(forced, reason="set by APP_RENDER")
    named = _VTK_CLASSES.get(os.environ.get("VTK_DEFAULT_OPENGL_WINDOW", ""))
    if named:
        return ProbeAnswer(named)
    return remembered(qt_platform(), cache_file(), attempt)


def remembered(platform: str, path: Path, ask: Attempt) -> ProbeAnswer:
    """The stored answer for this platform; a new one if there is none, or if the last start drew no picture."""
    key = f"vtk {_vtk_version()} {sys.platform} {platform}"
    stored = _read(path)
    entry = stored.get(key, {})
    if entry.get("confirmed"):
        answer = ProbeAnswer(*(str(entry[name]) for name in ("kind", "driver", "reason")))
    else:
        answer = first_that_works(candidates(platform), ask)
    stored[key] = {"kind": answer.kind, "driver": answer.driver, "reason": answer.reason, "confirmed": False}
    _write(path, stored)
    return answer


def confirm(driver: str, path: Path | None = None) -> None:
    """Stores that this driver has drawn a picture, so that the next start need not ask."""
    path = path or cache_file()
    stored = _read(path)
    new = [entry for entry in stored.values() if not entry["confirmed"] and entry["driver"] in ("", driver)]
    for entry in new:
        entry |= {"driver": driver, "confirmed": True}
    if new:
        _write(path, stored)


def first_that_works(kinds: Sequence[str], ask: Attempt) -> ProbeAnswer:
    """The first kind that works, in the given order."""
    reasons: list[str] = []
    for kind in kinds:
        driver, reason = ask(kind)
        if driver:
            return ProbeAnswer(kind, driver, "; ".join(reasons))
        reasons.append(f"{kind}: {reason}")
    return ProbeAnswer("none", reason="; ".join(reasons))


def probe() -> ProbeAnswer:
    """Finds out again which kind works here, ignoring the stored answer.

    Raises:
        NoRenderer: none does.
    """
    answer = first_that_works(candidates(qt_platform()), attempt)
    if answer.kind == "none":
        raise NoRenderer(answer.reason)
    return answer


def attempt(kind: str) -> tuple[str, str]:
    """Draws a small picture in a child process."""
    code = f"from spatial_workbench.widgets.render3d.probe import draw_something; draw_something({kind!r})"
    return run_probe(python_command("-c", code))


def run_probe(command: Sequence[str], limit_s: float = TIME_LIMIT_S) -> tuple[str, str]:
    """Runs a command that prints "driver: NAME" when it could draw."""
    environment = python_environment()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit_s, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return "", f"no answer within {limit_s:g} s"
    for line in done.stdout.splitlines():
        if line.startswith("driver: ") and done.returncode == 0:
            return line.removeprefix("driver: "), ""
    return "", f"ended with status {done.returncode}"


def draw_something(kind: str) -> None:
    """Draws an empty picture of 64 x 64 pixels, and prints the driver's name."""
    import vtkmodules.vtkInteractionStyle
    import vtkmodules.vtkRenderingOpenGL2  # noqa: F401
    from vtkmodules.vtkRenderingCore import vtkRenderer

    window = _window_of(kind)
    window.SetShowWindow(False)
    window.SetOffScreenRendering(1)
    window.SetSize(64, 64)
    window.AddRenderer(vtkRenderer())
    window.Render()
    lines = window.ReportCapabilities().splitlines()
    name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("OpenGL renderer string:")), kind)
    print(f"driver: {name}", flush=True)


def new_render_window() -> vtkRenderWindow:
    """A render window of the kind that works here.

    Raises:
        NoRenderer: none does.
    """
    answer = decide()
    if answer.kind == "none":
        raise NoRenderer(answer.reason or "no OpenGL driver works")
    return _window_of(answer.kind)


def _window_of(kind: str) -> vtkRenderWindow:
    from vtkmodules import vtkRenderingCore, vtkRenderingOpenGL2

    if kind == "glx":
        window = vtkRenderingCore.vtkRenderWindow()
    elif kind == "egl":
        window = vtkRenderingOpenGL2.vtkEGLRenderWindow()
    else:
        window = vtkRenderingOpenGL2.vtkOSOpenGLRenderWindow()
    if sys.platform == "darwin":
        # Without this a hidden Cocoa window still shows in the dock.
        window.SetConnectContextToNSView(False)
    return window


def qt_platform() -> str:
    """The platform of the running Qt application, "" if there is none. Qt is asked only if it is loaded already."""
    gui = sys.modules.get("PySide6.QtGui")
    if gui is None or gui.QGuiApplication.instance() is None:
        return ""
    return str(gui.QGuiApplication.platformName())


def cache_file() -> Path:
    """The file in which the answer is stored between starts."""
    from platformdirs import user_cache_path

    return user_cache_path("spatial-workbench", appauthor=False) / "render.json"


def _vtk_version() -> str:
    from vtkmodules.vtkCommonCore import vtkVersion

    return str(vtkVersion.GetVTKVersion())


def _read(path: Path) -> dict[str, dict[str, object]]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def _write(path: Path, answers: dict[str, dict[str, object]]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(answers, indent=1), encoding="utf-8")
    except OSError:
        return  # A read-only home only means asking again next time.
