"""Files that are nothing but files."""

from __future__ import annotations

import stat
from pathlib import Path


def is_plain(path: Path) -> bool:
    """Whether there is a file of its own: nothing that waits for a reader, or that leads to a file of somebody else."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except (OSError, ValueError):
        return False
