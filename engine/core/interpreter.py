"""How Python is started as a child: with this program's modules, never with a file that lies in the working folder."""

import os
import sys
from pathlib import Path

_ROOT = str(Path(__file__).resolve().parents[2])


def python_command(*arguments: str) -> list[str]:
    """The command that starts the interpreter; to be used with `python_environment`."""
    return [sys.executable, "-P", *arguments]


def python_environment(**more: str) -> dict[str, str]:
    """Ours, with the places of our modules, so that a child finds the same ones from any folder."""
    return {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(search_path()), **more}


def search_path() -> list[str]:
    """Where children look for modules: where this process does, without the working folder."""
    folders = [os.path.abspath(entry) for entry in sys.path if entry]
    kept = [folder for folder in folders if folder != os.getcwd() or folder == _ROOT]
    return list(dict.fromkeys(kept if _ROOT in kept else [_ROOT, *kept]))
