"""Whether a string is a possible cube: checks in a fixed order; the first failure is reported with reason and place.

docs/cube.md lists the checks. 43 252 003 274 489 856 000 states pass.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from spatial_workbench.engine.cube.cubies import Cubies, corner_showing, edge_showing, is_odd
from spatial_workbench.engine.cube.geometry import (
    CORNER_NAMES,
    CORNERS,
    EDGE_NAMES,
    EDGES,
    ENV_OF_SOLVER,
    LABELS,
    SOLVER_LABELS,
)
from spatial_workbench.engine.cube.letters import ColourLetter, Colours, FaceLetter, Faces, SolverString
from spatial_workbench.engine.cube.strings import CENTRES, faces_of_colours, faces_of_solver


class StateForm(StrEnum):
    """The three forms of a state."""

    COLOURS = "colours"
    FACES = "faces"
    SOLVER = "solver"

    @property
    def alphabet(self) -> str:
        """The letters that may occur."""
        return "".join(ColourLetter) if self is StateForm.COLOURS else "URFDLB"


@dataclass(frozen=True)
class CubeFault:
    """Why a string is not a cube.

    Attributes:
        code: Such as "E_TWIST".
        message: A sentence.
        stickers: Labels of the stickers concerned, in the numbering of the string's form.
    """

    code: str
    message: str
    stickers: tuple[str, ...] = ()


class InvalidCube(ValueError):
    """The string is not a cube; `fault` says why."""

    def __init__(self, fault: CubeFault) -> None:
        self.fault = fault
        super().__init__(f"{fault.code}: {fault.message}")

    def __reduce__(self) -> tuple[type, tuple[CubeFault]]:
        return type(self), (self.fault,)


def fault_of(text: str, form: StateForm) -> CubeFault | None:
    """The first fault of a string; None if it is a cube."""
    return next(_faults(text, form), None)


def faces_of(text: str, form: StateForm) -> Faces:
    """The state that a string holds, as face letters in the environment's order.

    Raises:
        InvalidCube: It is not a cube.
    """
    fault = fault_of(text, form)
    if fault is not None:
        raise InvalidCube(fault)
    return _as_faces(text, form)


def _faults(text: str, form: StateForm) -> Iterator[CubeFault]:
    """Each check relies on the ones before it, so only the first fault may be taken from this iterator."""
    if len(text) != 54:
        yield CubeFault("E_LENGTH", f"expected 54 characters, got {len(text)}")
    yield from _wrong_characters(text, form)
    yield from _wrong_centres(text, form)
    yield from _wrong_counts(text, form)
    state = _as_faces(text, form)
    shown = text if form is not StateForm.SOLVER else "".join(text[i] for i in _SOLVER_NUMBERS)
    yield from _undefined_edges(state, shown, form)
    yield from _duplicate_edges(state, shown, form)
    yield from _undefined_corners(state, shown, form)
    yield from _duplicate_corners(state, shown, form)
    cubies = Cubies.of(state)
    if sum(cubies.flips) % 2:
        yield CubeFault("E_FLIP", "one edge is flipped")
    if sum(cubies.twists) % 3:
        yield CubeFault("E_TWIST", "one corner is twisted")
    if is_odd(cubies.corners) != is_odd(cubies.edges):
        yield CubeFault("E_PARITY", "two pieces are swapped")


_SOLVER_NUMBERS = [ENV_OF_SOLVER.index(i) for i in range(54)]


def _as_faces(text: str, form: StateForm) -> Faces:
    if form is StateForm.COLOURS:
        return faces_of_colours(Colours(text))
    return faces_of_solver(SolverString(text)) if form is StateForm.SOLVER else Faces(text)


def _label(number: int, form: StateForm) -> str:
    """The label of a character of the string."""
    return SOLVER_LABELS[number] if form is StateForm.SOLVER else LABELS[number]


def _labels(stickers: tuple[int, ...], form: StateForm) -> tuple[str, ...]:
    """The labels of stickers, whose numbers are those of the environment's order."""
    return tuple(_label(_SOLVER_NUMBERS[i] if form is StateForm.SOLVER else i, form) for i in stickers)


def _wrong_characters(text: str, form: StateForm) -> Iterator[CubeFault]:
    for i, letter in enumerate(text):
        if letter not in form.alphabet:
            message = f"character '{letter}' at position {i} is not one of {form.alphabet}"
            yield CubeFault("E_CHAR", message, (_label(i, form),))


def _wrong_centres(text: str, form: StateForm) -> Iterator[CubeFault]:
    faces = "URFDLB" if form is StateForm.SOLVER else "".join(FaceLetter)
    centres = [text[i] for i in CENTRES]
    for i, (face, centre) in enumerate(zip(faces, centres, strict=True)):
        is_wrong = centre in centres[:i] if form is StateForm.COLOURS else centre != face
        if is_wrong:
            message = f"centre of {face} is {centre}; centres must be six different colours"
            yield CubeFault("E_CENTRE", message, (f"{face}5",))


def _wrong_counts(text: str, form: StateForm) -> Iterator[CubeFault]:
    counts = Counter(text)
    for letter in form.alphabet:
        if counts[letter] != 9:
            stickers = tuple(_label(i, form) for i, shown in enumerate(text) if shown == letter)
            yield CubeFault("E_COUNT", f"colour {letter} occurs {counts[letter]} times instead of 9", stickers)


def _letters(state: str, stickers: tuple[int, ...]) -> str:
    return "".join(state[i] for i in stickers)


def _undefined_edges(state: Faces, shown: str, form: StateForm) -> Iterator[CubeFault]:
    for name, place in zip(EDGE_NAMES, EDGES, strict=True):
        if edge_showing(_letters(state, place)) is None:
            message = f"edge {name} shows {_letters(shown, place)}, which is no edge"
            yield CubeFault("E_EDGE_UNDEFINED", message, _labels(place, form))


def _undefined_corners(state: Faces, shown: str, form: StateForm) -> Iterator[CubeFault]:
    for name, place in zip(CORNER_NAMES, CORNERS, strict=True):
        if corner_showing(_letters(state, place)) is None:
            message = f"corner {name} shows {_letters(shown, place)}, which is no corner"
            yield CubeFault("E_CORNER_UNDEFINED", message, _labels(place, form))


def _duplicate_edges(state: Faces, shown: str, form: StateForm) -> Iterator[CubeFault]:
    first: dict[int, int] = {}
    for i, place in enumerate(EDGES):
        piece, _ = edge_showing(_letters(state, place)) or (-1, 0)
        if (j := first.setdefault(piece, i)) != i:
            message = f"edge {_letters(shown, place)} occurs at {EDGE_NAMES[j]} and {EDGE_NAMES[i]}"
            yield CubeFault("E_EDGE_DUPLICATE", message, _labels((*EDGES[j], *place), form))


def _duplicate_corners(state: Faces, shown: str, form: StateForm) -> Iterator[CubeFault]:
    first: dict[int, int] = {}
    for i, place in enumerate(CORNERS):
        piece, _ = corner_showing(_letters(state, place)) or (-1, 0)
        if (j := first.setdefault(piece, i)) != i:
            message = f"corner {_letters(shown, place)} occurs at {CORNER_NAMES[j]} and {CORNER_NAMES[i]}"
            yield CubeFault("E_CORNER_DUPLICATE", message, _labels((*CORNERS[j], *place), form))
