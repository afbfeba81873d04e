"""Bodies: an answer as solids in space, for files of other programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Ints

_AROUND = ((0, 1), (1, 2), (2, 3), (3, 0))
_LIDS = [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7]]
_BOX = np.array(_LIDS + [[a, b, b + 4] for a, b in _AROUND] + [[a, b + 4, a + 4] for a, b in _AROUND])


@dataclass(frozen=True, eq=False)
class Body:
    """A closed surface. vertices: (n, 3), in the task's unit; triangles: (m, 3), counter-clockwise from outside."""

    name: str
    vertices: Floats
    triangles: Ints

    @classmethod
    def box(cls, name: str, low: Floats, high: Floats) -> Body:
        """A box with its sides along the axes."""
        (x0, y0, z0), (x1, y1, z1) = low, high
        floor = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
        corners = np.array([[*xy, z0] for xy in floor] + [[*xy, z1] for xy in floor], float)
        return cls(name, corners, _BOX)


class CannotRepresent(ValueError):
    """A file holds something that an answer cannot represent, or the other way round; the message says what."""


@dataclass(frozen=True)
class FileFormat:
    """A file format for the answers of one task.

    Attributes:
        name: The name that people know it by.
        write: (task, instance, answer) -> contents.
        read: (task, instance, contents) -> answer; raises `CannotRepresent`. None: such files are only written.
        left_out: (task, instance, answer) -> sentences about what a file cannot hold of the answer.
    """

    name: str
    write: Callable[[Any, Any, Any], bytes]
    read: Callable[[Any, Any, bytes], Any] | None
    left_out: Callable[[Any, Any, Any], Sequence[str]] | None = None
