"""What closed pages held goes back to the system."""

from __future__ import annotations

import ctypes
import ctypes.util
import gc
import sys
from functools import cache


def give_back() -> None:
    """Collects what nobody refers to any more, and has the C library return what is free.

    Closed editors refer to themselves in rings, which Python looks for seldom, and glibc keeps freed memory for itself.
    """
    gc.collect()
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim():
    """glibc's malloc_trim; None where there is none."""
    if not sys.platform.startswith("linux"):
        return None
    return getattr(ctypes.CDLL(ctypes.util.find_library("c")), "malloc_trim", None)
