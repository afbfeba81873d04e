"""The grid, what an instance asks of it, and its symmetries."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Cells = NDArray[np.int64]

AXES = "xyz"
PLANES = ((0, 1), (0, 2), (1, 2))
"""The projections in the order of their checks: along z, along y, along x."""


@dataclass(frozen=True)
class VoxelRule:
    """Further conditions on the cells. A cell is forbidden if

    digit: this digit is in the decimal text of x + y + z; modulus, residues: the sum leaves one of these residues;
    boxes: it is in one of them (x0, y0, z0, x1, y1, z1, both ends included). required: cells that have to be filled.
    """

    digit: int | None = None
    modulus: int = 0
    residues: tuple[int, ...] = ()
    boxes: tuple[tuple[int, ...], ...] = ()
    required: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "VoxelRule":
        """The rule of an instance's parameters."""
        return cls(
            data.get("digit"),
            data.get("modulus", 0),
            tuple(data.get("residues", ())),
            tuple(map(tuple, data.get("boxes", ()))),
            tuple(map(tuple, data.get("required", ()))),
        )

    def forbidden(self, n: int) -> Bools:
        """The cells (n, n, n) that may not be filled."""
        sums = np.add.outer(np.add.outer(np.arange(n), np.arange(n)), np.arange(n))
        is_forbidden = np.zeros((n, n, n), bool)
        if self.digit is not None:
            bad = [total for total in range(3 * n) if str(self.digit) in str(total)]
            is_forbidden |= np.isin(sums, bad)
        if self.modulus:
            is_forbidden |= np.isin(sums % self.modulus, self.residues)
        for x0, y0, z0, x1, y1, z1 in self.boxes:
            is_forbidden[x0 : x1 + 1, y0 : y1 + 1, z0 : z1 + 1] = True
        return is_forbidden

    def why(self, cell: Sequence[int]) -> str:
        """Why a cell is forbidden, in words; empty if it is not."""
        total = sum(cell)
        if self.digit is not None and str(self.digit) in str(total):
            return f"x + y + z = {total} contains a {self.digit}"
        if self.modulus and total % self.modulus in self.residues:
            return f"x + y + z = {total} leaves {total % self.modulus} when divided by {self.modulus}"
        for box in self.boxes:
            if all(box[k] <= cell[k] <= box[3 + k] for k in range(3)):
                return f"it lies in the box from {box[:3]} to {box[3:]}"
        return ""


@dataclass(frozen=True)
class VoxelGrid:
    """n x n x n cells of which `count` are to be filled."""

    n: int
    count: int
    rule: VoxelRule

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "VoxelGrid":
        """The grid of an instance's parameters."""
        return cls(parameters["n"], parameters["count"], VoxelRule.of(parameters["rule"]))

    @cached_property
    def forbidden(self) -> Bools:
        """The cells (n, n, n) that may not be filled."""
        return self.rule.forbidden(self.n)

    def filled(self, cells: Iterable[Sequence[int]]) -> Bools:
        """The boolean array (n, n, n) of cells that lie in the grid."""
        array = np.zeros((self.n,) * 3, bool)
        index = np.array(list(cells), dtype=int).reshape(-1, 3)
        array[tuple(index.T)] = True
        return array


def cells_of(array: Bools) -> list[tuple[int, int, int]]:
    """The filled cells in order."""
    return [(int(x), int(y), int(z)) for x, y, z in np.argwhere(array)]


def holes(array: Bools, axis: int) -> Bools:
    """The rays along an axis that meet no filled cell: (n, n), by the other two coordinates in order."""
    met: Bools = np.asarray(array.any(axis=axis))
    return ~met


@dataclass(frozen=True)
class Symmetry:
    """A signed permutation of the axes: out[i] = c[order[i]] if signs[i] > 0, else n - 1 - c[order[i]]."""

    order: tuple[int, int, int]
    signs: tuple[int, int, int]

    @property
    def matrix(self) -> NDArray[np.int64]:
        """The linear part (3, 3)."""
        rows = np.zeros((3, 3), int)
        rows[np.arange(3), self.order] = self.signs
        return rows

    def image(self, array: Bools) -> Bools:
        """The image of a set (n, n, n)."""
        flipped = tuple(i for i in range(3) if self.signs[i] < 0)
        image: Bools = np.flip(array.transpose(self.order), flipped)
        return image

    def cell(self, cell: Sequence[int], n: int) -> tuple[int, int, int]:
        """The image of a cell."""
        x, y, z = (cell[k] if s > 0 else n - 1 - cell[k] for k, s in zip(self.order, self.signs, strict=True))
        return x, y, z

    @property
    def formula(self) -> str:
        """Where (x, y, z) goes, with x' for n - 1 - x."""
        return (
            "(" + ", ".join(AXES[k] + ("" if s > 0 else "′") for k, s in zip(self.order, self.signs, strict=True)) + ")"
        )

    @property
    def name(self) -> str:
        """What it is, such as "turn by 90° about z" or "mirror image in x"."""
        matrix = self.matrix
        if round(np.linalg.det(matrix)) > 0:
            return _turn_name(matrix)
        if (matrix == -np.eye(3, dtype=int)).all():
            return "point reflection"
        axis, angle = _axis_and_angle(-matrix)
        if angle == 180:
            return _mirror_name(axis)
        return f"{'turn by 90°' if angle == 90 else 'turn by 60°'} about {_axis_name(axis)} and mirror image across"


def _turn_name(matrix: NDArray[np.int64]) -> str:
    axis, angle = _axis_and_angle(matrix)
    return f"turn by {angle}° about {_axis_name(axis)}"


def _mirror_name(axis: NDArray[np.int64]) -> str:
    used = np.flatnonzero(axis)
    if len(used) == 1:
        return f"mirror image in {AXES[used[0]]}"
    first, second = (AXES[k] for k in used)
    return f"{first} and {second} exchanged" + (", both reversed" if axis[used[0]] == axis[used[1]] else "")


def _axis_and_angle(rotation: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Axis (whole numbers, first one positive) and angle in degrees of a rotation that maps the cube to itself."""
    angle = {3: 0, 1: 90, 0: 120, -1: 180}[int(np.trace(rotation))]
    axes = [np.array(axis) for axis in product((0, 1, -1), repeat=3) if next((v for v in axis if v), 0) > 0]
    return next(axis for axis in axes if (rotation @ axis == axis).all()), angle


def _axis_name(axis: NDArray[np.int64]) -> str:
    if np.abs(axis).sum() == 1:
        return AXES[int(np.flatnonzero(axis)[0])]
    return "the diagonal (" + ", ".join(str(v).replace("-", "−") for v in axis.tolist()) + ")"


@cache
def symmetries() -> tuple[Symmetry, ...]:
    """The 47 signed permutations of the axes that are not the identity."""
    candidates = [
        Symmetry((a, b, c), (r, s, t)) for a, b, c in permutations(range(3)) for r, s, t in product((1, -1), repeat=3)
    ]
    return tuple(symmetry for symmetry in candidates if not (symmetry.matrix == np.eye(3, dtype=int)).all())


def kept_symmetries(array: Bools) -> list[Symmetry]:
    """The symmetries that map a set (n, n, n) to itself."""
    return [symmetry for symmetry in symmetries() if np.array_equal(symmetry.image(array), array)]
