"""Keeps a participant's screen and window apart from everything else: own processes and mounts, and no network.

Whatever a person finds in the window, there is nothing behind it: the program, a folder of this session, and a screen.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from spatial_workbench.engine.core.interpreter import search_path
from spatial_workbench.engine.sandbox.bubblewrap import ENVIRONMENT, executable
from spatial_workbench.root import ROOT

X_SOCKETS = Path("/tmp/.X11-unix")
"""Where programs look for the socket of a display."""
MEMORY_BYTES = 1 << 30
FILE_BYTES = 256 << 20
FILES = 1024
PROCESSES = 200
"""Processes and threads of a screen, or of a window; the most that were seen are 40."""
SCRATCH_BYTES = 64 << 20
_NICENESS = 5
"""The gate comes first, and answers pages although all windows are busy."""
_COUNTS_BY_SANDBOX = (5, 14)
"""From this version on, the kernel counts the processes of each sandbox apart."""
_KEPT = ("LANG", "LC_ALL", "TZ", "XDG_DATA_DIRS")
_FONTS = ("/etc/fonts", "/var/cache/fontconfig")
_SYSTEM = (*_FONTS, "/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives", "/var/lib/xkb")


def confined(
    command: Iterable[str],
    environment: Mapping[str, str],
    x_sockets: Path,
    writable: Iterable[Path],
    readable: Iterable[Path] = (),
) -> list[str]:
    """The command that runs another one in a sandbox; start it with `bubblewrap.ENVIRONMENT`.

    environment: all that the program sees of the environment. x_sockets: the folder with the socket of its display.
    writable, readable: folders and files that it reaches under their own paths, besides the system's libraries.

    Raises:
        SandboxUnavailable: There is no bubblewrap.
    """
    words = [*_limits(), executable(), "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    words += ["--clearenv", "--hostname", "study", "--proc", "/proc", "--dev", "/dev"]
    for name in ("/dev/shm", "/tmp"):
        words += ["--size", str(SCRATCH_BYTES), "--tmpfs", name]
    words += ["--ro-bind", "/usr", "/usr"]
    for name in ("lib", "lib64", "bin", "sbin"):
        path = Path("/", name)
        if path.is_symlink():
            words += ["--symlink", os.readlink(path), str(path)]
        elif path.exists():
            words += ["--ro-bind", str(path), str(path)]
    for path in (*map(Path, _SYSTEM), *readable):
        words += ["--ro-bind-try", str(path), str(path)]
    words += ["--bind", str(x_sockets), str(X_SOCKETS)]
    for path in writable:
        words += ["--bind", str(path), str(path)]
    seen = {
        "PATH": ENVIRONMENT["PATH"],
        "HOME": "/tmp",
        **{name: os.environ[name] for name in _KEPT if name in os.environ},
    }
    for name, value in {**seen, **environment}.items():
        words += ["--setenv", name, value]
    # Else files could be written there, to memory without a limit.
    words += ["--remount-ro", "/dev", "--remount-ro", "/"]
    return [*words, "--chdir", "/tmp", "--", *_inner_limits(), *command]


def program_folders() -> list[Path]:
    """Where this program and its interpreter are, outermost first."""
    folders = {Path(sys.prefix), Path(sys.base_prefix), ROOT, *map(Path, search_path())}
    present = {folder.resolve() for folder in folders if folder.is_dir()}
    return sorted(present, key=lambda folder: len(folder.parts))


def _limits() -> list[str]:
    """The limits of each process; what it starts has them, too."""
    return [
        *("/usr/bin/nice", "-n", str(_NICENESS)),
        *("/usr/bin/prlimit", f"--data={MEMORY_BYTES}", f"--fsize={FILE_BYTES}", f"--nofile={FILES}", "--core=0"),
    ]


def _inner_limits() -> list[str]:
    """The limit of the sandbox as a whole; outside, all processes of this user would count. Root has no such limit."""
    version = tuple(int(number) for number in os.uname().release.split("-")[0].split(".")[:2])
    return ["/usr/bin/prlimit", f"--nproc={PROCESSES}"] if version >= _COUNTS_BY_SANDBOX else []
