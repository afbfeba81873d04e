"""Returns the memory of closed pages to the system."""

from __future__ import annotations

import ctypes
import ctypes.util
import gc
import sys
from functools import cache
from types import ModuleType

from PySide6.QtCore import QObject, QTimer

COLLECT_MS = 1000
"""How often the window's thread looks whether a collection is due."""

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Names of glibc's mallopt(3)."""
_KEPT_BYTES = 1 << 20
_ARENAS = 2


class Collector(QObject):
    """Collects reference cycles in the window's thread, and nowhere else.

    Left alone, Python collects in whichever thread happens to allocate. A widget or a render window that a cycle holds
    would then be destroyed outside the window's thread, which Qt and VTK do not survive.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        timer = QTimer(self, interval=COLLECT_MS)
        timer.timeout.connect(collect_due)
        timer.start()


@cache
def exempt_loaded() -> None:
    """Exempts what is loaded from garbage collection: it stays for good, and scanning it costs 100 ms.

    Only the first call does anything. It has to come before the first editor is built: what is opened later has to be
    given back when it is closed. Nothing is collected first, since that would cost the same and find next to nothing.
    """
    gc.freeze()


def collect_due() -> None:
    """Collects the oldest generation whose threshold is passed, as Python would by itself."""
    pairs = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [generation for generation, (count, threshold) in enumerate(pairs) if count > threshold]
    if due:
        gc.collect(due[-1])


def keep_little() -> None:
    """Makes the C library keep little freed memory, and Qt's bindings no source text.

    Call it before threads are started. Left alone, glibc makes an arena for each thread that draws, and hands only
    blocks back at once that are larger than the largest picture or mesh it has seen.
    """
    library = _library()
    if library is not None:
        library.mallopt(_ARENA_MAX, _ARENAS)
        library.mallopt(_MMAP_THRESHOLD, _KEPT_BYTES)
        library.mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)
    _read_no_sources()


def _read_no_sources() -> None:
    """Stops Qt's bindings from reading the source of every module that is imported after them.

    They look for modules that switch to other names of Qt's methods, which none of ours does, and Python keeps all the
    text that was read: 13 MB for the window, 150 MB for a process that runs every test.
    """
    switches = sys.modules.get("PySide6.support.feature")
    if hasattr(switches, "_mod_uses_pyside"):
        vars(switches)["_mod_uses_pyside"] = _switches_nothing


def _switches_nothing(_module: ModuleType) -> bool:
    return False


def give_back() -> None:
    """Collects unreachable objects, and makes the C library return free memory.

    Closed editors form reference cycles, which Python rarely collects, and glibc keeps freed memory for itself.
    """
    gc.collect()
    library = _library()
    if library is not None:
        library.malloc_trim(0)


@cache
def _library() -> ctypes.CDLL | None:
    """The C library, if it is glibc."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(ctypes.util.find_library("c"))
    return library if hasattr(library, "malloc_trim") else None
