"""Copies a plain Python interpreter into the bundle: the sandbox of Linux runs programs of models in it.

The bundle's own program cannot serve for that, since it would bring the whole application, which solves tasks, into the
sandbox.
"""

import compileall
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

LEFT_OUT = (
    *("site-packages", "dist-packages", "test", "tests", "idle_test", "__pycache__", "config-*", "_test*", "xx*"),
    *("_ctypes_test*", "ensurepip", "idlelib", "lib2to3", "msilib", "pydoc_data", "tkinter", "_tkinter*", "turtle*"),
    *("venv", "curses", "_curses*", "_crypt*", "_dbm*", "_gdbm*", "nis*"),
    "readline*",  # its licence, GPL-3, would hold for the whole bundle
)


def copy_interpreter(folder: Path) -> None:
    """Copies interpreter, library and extension modules to a folder of the bundle; the library as bytecode only."""
    program = Path(sys.executable).resolve()
    (folder / "bin").mkdir(parents=True)
    shutil.copy2(program, folder / "bin" / "python3")
    library = folder / "lib" / f"python{sysconfig.get_python_version()}"
    shutil.copytree(sysconfig.get_path("stdlib"), library, ignore=shutil.ignore_patterns(*LEFT_OUT))
    extensions = Path(sysconfig.get_config_var("DESTSHARED"))
    shutil.copytree(extensions, library / "lib-dynload", ignore=shutil.ignore_patterns(*LEFT_OUT), dirs_exist_ok=True)
    compileall.compile_dir(library, quiet=1, legacy=True, stripdir=str(library))
    for source in library.rglob("*.py"):
        source.unlink()
    for path in _needed(program):
        shutil.copy2(path, folder / "lib" / path.name)
        _share(folder.parent / path.name, folder / "lib" / path.name)
    _strip([folder / "bin" / "python3", *(folder / "lib").glob("*.so*"), *(library / "lib-dynload").glob("*.so")])


def _share(own: Path, copied: Path) -> None:
    """Makes the bundle's program use the copy, too; not the other way round, as the sandbox sees nothing else."""
    own.unlink(missing_ok=True)
    own.symlink_to(copied.relative_to(own.parent))


def _needed(program: Path) -> list[Path]:
    """The interpreter's own shared library, if it has one."""
    lines = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=True).stdout.splitlines()
    return [Path(line.split()[2]) for line in lines if "libpython" in line]


def _strip(files: list[Path]) -> None:
    for file in files:
        file.chmod(0o755)
    subprocess.run(["strip", "--strip-unneeded", *map(str, files)], check=True)
