"""Starts the bundled application, or, as its own child processes ask for it, a module or a line of code.

The application starts its children as `python -P -m MODULE …` and `python -P -c CODE`. In a bundle there is no such
interpreter: the program itself takes its place.
"""

import os
import runpy
import sys


def main() -> None:
    restore_library_path()
    arguments = sys.argv[1:]
    if arguments[:2] == ["-P", "-m"]:
        sys.argv = arguments[2:]
        runpy.run_module(arguments[2], run_name="__main__", alter_sys=True)
    elif arguments[:2] == ["-P", "-c"]:
        sys.argv = ["-c", *arguments[3:]]
        exec(compile(arguments[2], "<string>", "exec"), {"__name__": "__main__"})
    else:
        from spatial_workbench.app.commands.main import main as run

        sys.exit(run())


def restore_library_path() -> None:
    """Other programs, such as OpenSCAD or the browser, must not load the libraries of the bundle; its own children find
    them anew."""
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if before is None:
        os.environ.pop("LD_LIBRARY_PATH", None)
    else:
        os.environ["LD_LIBRARY_PATH"] = before
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"


if __name__ == "__main__":
    main()
