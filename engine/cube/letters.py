"""Letters of the cube: faces, colours, schemes, and the three kinds of string that hold a whole state.

B and R name both faces and colours, so each alphabet has a type of its own, and so has each kind of string:

    Faces         54 face letters in the environment's order, U L F R D B
    Colours       54 colour letters in the environment's order
    SolverString  54 face letters in the order of two-phase solvers, U R F D L B

See docs/cube.md.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NewType

Faces = NewType("Faces", str)
Colours = NewType("Colours", str)
SolverString = NewType("SolverString", str)


class FaceLetter(StrEnum):
    """A face, named after the position of its centre; in the environment's order."""

    U = "U"
    L = "L"
    F = "F"
    R = "R"
    D = "D"
    B = "B"


class ColourLetter(StrEnum):
    """A colour of a sticker."""

    W = "W"
    R = "R"
    B = "B"
    O = "O"  # noqa: E741
    G = "G"
    Y = "Y"


SOLVER_ORDER = tuple(map(FaceLetter, "URFDLB"))
"""The faces in the order of two-phase solvers."""

RGB: Mapping[ColourLetter, tuple[int, int, int]] = MappingProxyType(
    {
        ColourLetter.R: (255, 0, 0),
        ColourLetter.G: (0, 255, 0),
        ColourLetter.B: (0, 0, 255),
        ColourLetter.Y: (255, 255, 0),
        ColourLetter.O: (255, 165, 0),
        ColourLetter.W: (255, 255, 255),
    }
)
"""The RGB values of each colour, 0 to 255."""


class Scheme(StrEnum):
    """Which colour is on which face of a solved cube."""

    REFERENCE = "reference"
    WESTERN = "western"

    @property
    def colours(self) -> Mapping[FaceLetter, ColourLetter]:
        """The colour of each face's centre."""
        return _SCHEMES[self]


_SCHEMES = {
    scheme: MappingProxyType(dict(zip(FaceLetter, map(ColourLetter, letters), strict=True)))
    for scheme, letters in ((Scheme.REFERENCE, "OBRYWG"), (Scheme.WESTERN, "WOGRYB"))
}
