"""Every test runs without a screen, with the same font and colours, and never touches a person's settings."""

import os
import tempfile
from pathlib import Path

import platformdirs

# What depends on nothing but its content is kept from run to run: compiling Python to WebAssembly's machine code takes
# two minutes of computing, simulating the terrain's reference solution one.
# Named in the environment, since the processes that run tests at once find a cache of the tests in the user's place.
_USERS_CACHE = Path(
    os.environ.setdefault("TEST_USERS_CACHE", platformdirs.user_cache_dir("spatial-workbench", appauthor=False))
)
_KEPT = {
    "cube": _USERS_CACHE / "tests" / "cube",
    "interpreter": _USERS_CACHE / "interpreter",
    "kernels": _USERS_CACHE / "kernels",
    "simulated": _USERS_CACHE / "tests" / "simulated",
}

# Set before anything imports Qt or creates a VTK window. EGL draws without a display server.
_HOME = Path(tempfile.mkdtemp(prefix="workbench-tests-"))
os.environ["QT_QPA_PLATFORM"] = os.environ.get("TEST_QT_PLATFORM", "offscreen")
os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
# Drawing with the processor: compiled shaders are kept, too, and no threads help where each core has a test process.
os.environ.setdefault("MESA_SHADER_CACHE_DIR", str(_USERS_CACHE / "tests" / "shaders"))
os.environ.setdefault("LP_NUM_THREADS", "0")
os.environ["QT_SCALE_FACTOR"] = "1"
os.environ["QT_API"] = "pyside6"
for _name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
    os.environ[_name] = str(_HOME / _name.lower())

_CACHE = _HOME / "xdg_cache_home" / "spatial-workbench"
_CACHE.mkdir(parents=True)
for _name, _folder in _KEPT.items():
    _folder.mkdir(parents=True, exist_ok=True)
    (_CACHE / _name).symlink_to(_folder)

import gc  # noqa: E402
import shutil  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Iterator  # noqa: E402
from functools import partial  # noqa: E402
from itertools import chain, repeat  # noqa: E402
from typing import TYPE_CHECKING, Any  # noqa: E402

import hypothesis  # noqa: E402
import pytest  # noqa: E402

from spatial_workbench.app.frame.memory import collect_due, give_back, keep_little  # noqa: E402
from tests import sweeps  # noqa: E402

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

keep_little()
gc.disable()

# The same cases on every machine, so that a failure can be reproduced; HYPOTHESIS_PROFILE=default looks for new ones.
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


_BROKE_OFF = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="also slow tests, all kills, all instances, all fuzzed answers")
    parser.addoption("--task", action="append", default=[], help="the id of a task that no sweep may leave out")


def pytest_configure(config: pytest.Config) -> None:
    sweeps.EVERYTHING = config.getoption("--all")
    sweeps.ASKED = frozenset(config.getoption("--task"))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object | None) -> None:
    """Notes that a process of tests broke off."""
    if error is not None:
        node.config.stash[_BROKE_OFF] = True


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process that broke off is no test that was late: `run.py test` tries tests once more, but not such a run."""
    if session.config.stash.get(_BROKE_OFF, False):
        session.exitstatus = pytest.ExitCode.INTERNAL_ERROR


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves slow tests to `--all`, unless tests are asked for by name."""
    if sweeps.EVERYTHING or any("::" in argument for argument in config.args):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if item not in set(slow)]


def pytest_collection_finish() -> None:
    """Spares every later collection of cycles the walk over modules and thousands of tests, which stay to the end."""
    give_back()
    gc.freeze()


PATIENCE_MS = 60_000
"""How long a test waits for something to happen. Tests assert that it happens, not when."""


@pytest.fixture(scope="session", autouse=True)
def tests_home() -> Iterator[Path]:
    """The folder that replaces a person's home; it is removed after the tests."""
    yield _HOME
    shutil.rmtree(_HOME, ignore_errors=True)


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Between tests, deletes the widgets that are left, and collects cycles in Qt's own thread."""
    before = set(_top_level_widgets())
    yield
    left = [widget for widget in _top_level_widgets() if widget not in before]
    _delete_widgets(left)
    collect_due()


def _top_level_widgets() -> "list[QWidget]":
    widgets = sys.modules.get("PySide6.QtWidgets")
    return widgets.QApplication.topLevelWidgets() if widgets and widgets.QApplication.instance() else []


def _delete_widgets(left: "list[QWidget]") -> None:
    """Deletes what a test left open, and what Qt was to delete later: no event loop runs between tests.

    A modal dialog would take every later test's clicks. Each window that opens gives its theme to all others, so a few
    hundred editors that nobody deleted would double the time of the tests after them.
    """
    for widget in left:
        widget.close()
        widget.deleteLater()
    if (core := sys.modules.get("PySide6.QtCore")) is not None:
        core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete)


LARGE_TABLES = ("spatial_workbench.engine.cube.layers", "spatial_workbench.engine.cube.patterns")
"""Modules that remember tables of 100 MB, which are read from the user's cache in a moment."""


@pytest.fixture(scope="module", autouse=True)
def given_back() -> None:
    """Returns the memory of the tests of the module before, since a process opens hundreds of windows.

    Only now has pytest let go of what the last of them used. What is frozen while it is held is never collected.
    """
    for name in LARGE_TABLES:
        if (module := sys.modules.get(name)) is not None:
            module._remembered.cache_clear()
    give_back()
    # What is left is in use and mostly stays: modules, and the results that they remember.
    gc.freeze()


@pytest.fixture
def qtbot(qtbot):
    """pytest-qt's qtbot, but patient enough for a busy machine, and with no key held down from an earlier test."""
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QWidget

    qtbot.keyRelease(QWidget(), Qt.Key.Key_Shift)
    for name in ("waitSignal", "waitSignals"):
        setattr(qtbot, name, partial(getattr(qtbot, name), timeout=PATIENCE_MS))
    qtbot.waitUntil = partial(_wait_until, qtbot)
    return qtbot


def _wait_until(qtbot, holds, timeout=PATIENCE_MS):
    """Waits like pytest-qt's `waitUntil`, but looks more often at first: tests mostly wait for a few milliseconds."""
    deadline = time.monotonic() + timeout / 1000
    for pause_ms in chain((1, 1, 2, 2, 4), repeat(10)):
        try:
            if holds() in (True, None):
                return
            failure = None
        except AssertionError as error:
            failure = error
        if time.monotonic() > deadline:
            raise TimeoutError(f"What was waited for did not happen within {timeout} ms") from failure
        qtbot.wait(pause_ms)


@pytest.fixture(scope="session")
def qapp(qapp_args, qapp_cls, pytestconfig, tests_home):
    """pytest-qt's application, with a fixed look, and with its settings in the tests' folder."""
    from PySide6.QtCore import QSettings, QStandardPaths, Qt
    from PySide6.QtGui import QFont
    from PySide6.QtWidgets import QApplication

    from spatial_workbench.widgets.theme import LIGHT

    QStandardPaths.setTestModeEnabled(True)
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tests_home / "settings"))
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    app = QApplication.instance() or qapp_cls(qapp_args)
    app.setOrganizationName("spatial-workbench-tests")
    app.setApplicationName("tests")
    app.setStyle("Fusion")
    app.setPalette(LIGHT.palette())
    font = QFont("DejaVu Sans")
    font.setPixelSize(13)
    app.setFont(font)
    return app


@pytest.fixture(scope="session")
def vtk_reports() -> list[str]:
    """The errors and warnings of VTK since the last test; it reports them to a window of its own, not to Python."""
    from vtkmodules.util.misc import calldata_type
    from vtkmodules.vtkCommonCore import VTK_STRING, vtkOutputWindow

    reports: list[str] = []

    @calldata_type(VTK_STRING)
    def keep(_caller: object, _event: str, text: str) -> None:
        reports.append(text)

    for event in ("ErrorEvent", "WarningEvent"):
        vtkOutputWindow.GetInstance().AddObserver(event, keep)
    return reports


@pytest.fixture(autouse=True)
def no_error_of_vtk(vtk_reports: list[str]) -> Iterator[None]:
    """Fails a test during which VTK reports an error."""
    vtk_reports.clear()
    yield
    assert not vtk_reports, vtk_reports
