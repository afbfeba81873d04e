"""The geometry of the cube: 27 cubelets with coordinates, and the index tables that follow from them.

x points right, y up, z towards the viewer. A cubelet is at -1, 0 or 1 on each axis. A sticker is one side of a cubelet,
given by the cubelet's place and a normal. Everything here is computed from that, in the environment's order (U L F R D
B, each face row by row as the net shows it, B below D). Tables hold sticker numbers from 0.
"""

from collections.abc import Mapping
from itertools import permutations, product
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.cube.letters import SOLVER_ORDER, FaceLetter

Vector = tuple[int, int, int]
Ints = NDArray[np.int64]

NORMALS: Mapping[FaceLetter, Vector] = MappingProxyType(
    {
        FaceLetter.U: (0, 1, 0),
        FaceLetter.L: (-1, 0, 0),
        FaceLetter.F: (0, 0, 1),
        FaceLetter.R: (1, 0, 0),
        FaceLetter.D: (0, -1, 0),
        FaceLetter.B: (0, 0, -1),
    }
)
"""The outward normal of each face."""

# How the net shows a face: the directions in which its columns and its rows run.
_NET_FRAMES: dict[FaceLetter, tuple[Vector, Vector]] = {
    FaceLetter.U: ((1, 0, 0), (0, 0, 1)),
    FaceLetter.L: ((0, 0, 1), (0, -1, 0)),
    FaceLetter.F: ((1, 0, 0), (0, -1, 0)),
    FaceLetter.R: ((0, 0, -1), (0, -1, 0)),
    FaceLetter.D: ((1, 0, 0), (0, 0, -1)),
    FaceLetter.B: ((1, 0, 0), (0, 1, 0)),
}
_NET_CORNERS = {"U": (3, 0), "L": (0, 3), "F": (3, 3), "R": (6, 3), "D": (3, 6), "B": (3, 9)}


def cross(a: Vector, b: Vector) -> Vector:
    """The vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def negative(a: Vector) -> Vector:
    """The opposite vector."""
    return -a[0], -a[1], -a[2]


def face_of(normal: Vector) -> FaceLetter:
    """The face with that normal."""
    return next(face for face, vector in NORMALS.items() if vector == normal)


def _add(*terms: tuple[int, Vector]) -> Vector:
    x, y, z = (sum(factor * vector[axis] for factor, vector in terms) for axis in range(3))
    return x, y, z


def _stickers() -> tuple[tuple[Vector, Vector], ...]:
    """The place and the normal of each sticker, in the environment's order."""
    return tuple(
        (_add((1, NORMALS[face]), (column, across), (row, down)), NORMALS[face])
        for face, (across, down) in _NET_FRAMES.items()
        for row in (-1, 0, 1)
        for column in (-1, 0, 1)
    )


_STICKERS = _stickers()
_NUMBER = {sticker: i for i, sticker in enumerate(_STICKERS)}

PLACES: tuple[Vector, ...] = tuple(place for place, _ in _STICKERS)
"""The cubelet that each sticker is on."""
STICKER_NORMALS: tuple[Vector, ...] = tuple(normal for _, normal in _STICKERS)
"""The side of the cubelet that each sticker is on."""
FACE_OF: tuple[FaceLetter, ...] = tuple(face_of(normal) for normal in STICKER_NORMALS)
"""The face that each sticker is on."""
CENTRE_OF: tuple[int, ...] = tuple(9 * (i // 9) + 4 for i in range(54))
"""The centre of the face that each sticker is on."""
LABELS: tuple[str, ...] = tuple(f"{face}{i % 9 + 1}" for i, face in enumerate(FACE_OF))
"""The name of each sticker in the net, from "U1" to "B9"."""
NET_CELLS: tuple[tuple[int, int], ...] = tuple(
    (_NET_CORNERS[face][0] + i % 3, _NET_CORNERS[face][1] + i % 9 // 3) for i, face in enumerate(FACE_OF)
)
"""The column and the row of each sticker in the net of 9 columns and 12 rows."""


def sticker_at(place: Vector, normal: Vector) -> int:
    """The number of the sticker on that side of that cubelet."""
    return _NUMBER[place, normal]


def face_grid(front: Vector, top: Vector) -> tuple[int, ...]:
    """The nine stickers of a face, row by row as seen from outside with `top` up."""
    right = cross(top, front)
    return tuple(
        sticker_at(_add((1, front), (column, right), (-row, top)), front) for row in (-1, 0, 1) for column in (-1, 0, 1)
    )


# The solver's order ------------------------------------------------------------------------------------------------

_SOLVER_TOPS = {"U": (0, 0, -1), "D": (0, 0, 1)}

ENV_OF_SOLVER: tuple[int, ...] = tuple(
    number for face in SOLVER_ORDER for number in face_grid(NORMALS[face], _SOLVER_TOPS.get(face, (0, 1, 0)))
)
"""The environment's number of each sticker of the solver's order."""
SOLVER_OF_ENV: tuple[int, ...] = tuple(int(i) for i in np.argsort(ENV_OF_SOLVER))
"""The solver's number of each sticker of the environment's order."""
SOLVER_LABELS: tuple[str, ...] = tuple(f"{face}{i + 1}" for face in SOLVER_ORDER for i in range(9))
"""The names of the stickers in the solver's order; only those of B differ from LABELS."""
STICKER_NAMED: Mapping[str, int] = MappingProxyType(dict(zip(SOLVER_LABELS, ENV_OF_SOLVER, strict=True)))
"""The environment's number of a sticker by its label in the solver's numbering."""


# Turns -------------------------------------------------------------------------------------------------------------


def quarter_turn(axis: Vector) -> Ints:
    """The matrix of a quarter turn, clockwise as seen by somebody who looks at the face with that normal."""
    x, y, z = axis
    turn: Ints = np.outer(axis, axis) - np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return turn


def carried(matrix: Ints, only: Vector | None = None) -> tuple[int, ...]:
    """Where each sticker goes when a matrix moves the cube, or only the layer on the side of the normal `only`."""
    return tuple(
        i
        if only is not None and np.dot(place, only) != 1
        else sticker_at(_image(matrix, place), _image(matrix, normal))
        for i, (place, normal) in enumerate(_STICKERS)
    )


def _image(matrix: Ints, vector: Vector) -> Vector:
    x, y, z = (matrix @ np.array(vector)).tolist()
    return x, y, z


def _turns() -> dict[str, tuple[int, ...]]:
    turns: dict[str, tuple[int, ...]] = {}
    for face in SOLVER_ORDER:
        target = carried(quarter_turn(NORMALS[face]), NORMALS[face])
        once = tuple(int(i) for i in np.argsort(target))
        twice = tuple(once[i] for i in once)
        turns |= {f"{face}": once, f"{face}2": twice, f"{face}'": tuple(target)}
    return turns


TURNS: Mapping[str, tuple[int, ...]] = MappingProxyType(_turns())
"""The 18 moves in the order U U2 U' R R2 R' ... B': after a move, position i has the sticker of TURNS[move][i]."""


def _symmetries() -> tuple[Ints, ...]:
    unit = np.eye(3, dtype=np.int64)
    signed = [unit[list(order)] * sign for order in permutations(range(3)) for sign in product((1, -1), repeat=3)]
    return tuple(sorted(signed, key=lambda matrix: -round(float(np.linalg.det(matrix)))))


SYMMETRIES: tuple[Ints, ...] = _symmetries()
"""The matrices of the 48 symmetries of a cube: first the 24 rotations (the first is the identity), then the mirrors."""


# Pieces ------------------------------------------------------------------------------------------------------------

CORNER_NAMES = ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB")
"""The corners: the U or D side first, then clockwise."""
EDGE_NAMES = ("UR", "UF", "UL", "UB", "DR", "DF", "DL", "DB", "FR", "FL", "BL", "BR")


def stickers_of(name: str) -> tuple[int, ...]:
    """The stickers of the cubelet where these faces meet, in the order of its name."""
    normals = [NORMALS[FaceLetter(letter)] for letter in name]
    place = _add(*((1, normal) for normal in normals))
    return tuple(sticker_at(place, normal) for normal in normals)


CORNERS: tuple[tuple[int, ...], ...] = tuple(map(stickers_of, CORNER_NAMES))
"""The three stickers of each corner position."""
EDGES: tuple[tuple[int, ...], ...] = tuple(map(stickers_of, EDGE_NAMES))
"""The two stickers of each edge position."""
