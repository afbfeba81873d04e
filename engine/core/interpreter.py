"""How Python is started as a child process: with this program's modules, never with files from the working folder."""

import os
import sys

from spatial_workbench.root import ROOT


def python_command(*arguments: str) -> list[str]:
    """The command that starts the interpreter; use it with `python_environment`."""
    return [sys.executable, "-P", *arguments]


def program_command(*arguments: str) -> list[str]:
    """The command that starts this program anew, from any folder and at any later time."""
    if is_bundled():
        # An AppImage is mounted somewhere else each time.
        return [os.environ.get("APPIMAGE") or sys.executable, *arguments]
    return python_command("-m", "spatial_workbench", *arguments)


def is_bundled() -> bool:
    """Whether this program is a bundle, which contains no interpreter that could be called."""
    return bool(getattr(sys, "frozen", False))


def python_environment(**more: str) -> dict[str, str]:
    """This process's environment, with its module path, so that a child finds the same modules from any folder."""
    return {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(search_path()), **more}


def search_path() -> list[str]:
    """Where child processes look for modules: where this process does, except in the working folder."""
    folders = [os.path.abspath(entry) for entry in sys.path if entry]
    searched = [folder for folder in folders if folder != os.getcwd() or folder == str(ROOT)]
    return list(dict.fromkeys(searched if str(ROOT) in searched else [str(ROOT), *searched]))
