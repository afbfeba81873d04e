"""The scene of the cube's tasks: a cube in space, and the turns of an answer as frames.

Unit: the side of a cubelet. The scene's x is the cube's x (right), its y the cube's -z (away from the viewer), its z
the cube's y (up). Ids: "sticker F1" (as in the net), "cubelet URF". While a layer turns it is drawn as meshes: "turning
body", and "turning R" for its stickers of a colour.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Boxes, Floats, Frame, Item, Mesh, Polygon, Scene
from spatial_workbench.engine.cube.facelets import apply_move
from spatial_workbench.engine.cube.geometry import LABELS, NORMALS, PLACES, STICKER_NORMALS, Vector
from spatial_workbench.engine.cube.letters import RGB, ColourLetter, Colours, FaceLetter
from spatial_workbench.engine.cube.views import FaceView, VertexView

CUBELET_SIZE = 0.98
STICKER_SIZE = 0.84
STICKER_DEPTH = 0.04
BODY = "#1a1a1a"
REACH = 1.75
"""Half the side of what the first view shows: room for a layer that turns."""
STEPS = 4
"""Frames of a quarter turn."""
MAX_TURNING, MAX_FRAMES = 100, 2000
"""Longer answers are shown one frame per move, and very long ones with moves skipped."""

TO_SCENE = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])


def hex_colour(letter: str) -> str:
    """The colour of a sticker as "#rrggbb"."""
    return "#{:02x}{:02x}{:02x}".format(*RGB[ColourLetter(letter)])


def draw_cube(start: Colours, moves: Sequence[str] = ()) -> Scene:
    """The cube after the moves, with frames from the start to there."""
    states = [start]
    for move in moves:
        states.append(apply_move(states[-1], move))
    return scene_of(at_rest(states[-1]), tuple(_frames(states, moves)) if moves else ())


def scene_of(items: Sequence[Item], frames: Sequence[Frame] = ()) -> Scene:
    """A scene of these items, seen as a cube is always seen."""
    bounds = ((-REACH,) * 3, (REACH,) * 3)
    return Scene(items=tuple(items), axes=("", "", ""), bounds=bounds, frames=frames, frame_unit="moves")


def at_rest(state: Colours) -> tuple[Item, ...]:
    """The cube with no layer turning."""
    return _bodies(None), _stickers(state, None)


def while_turning(state: Colours, move: str, share: float) -> tuple[Item, ...]:
    """The cube partway (0 to 1) through a quarter turn that begins at `state`."""
    face = FaceLetter(move[0])
    angle = np.pi / 2 * share * (1 if move.endswith("'") else -1)
    turn = _rotation(TO_SCENE @ np.array(NORMALS[face]), angle)
    return (_bodies(face), _stickers(state, face), *_turning(state, face, turn))


def _frames(states: Sequence[Colours], moves: Sequence[str]) -> Iterator[Frame]:
    yield Frame(0, at_rest(states[0]), "start")
    stride = -(-len(moves) // MAX_FRAMES)
    for number, move in enumerate(moves, start=1):
        if len(moves) <= MAX_TURNING:
            for step in range(1, STEPS):
                share = step / STEPS
                yield Frame(number - 1 + share, while_turning(states[number - 1], move, share), move)
        if number % stride == 0 or number == len(moves):
            yield Frame(number, at_rest(states[number]), move)


def draw_flat(colours: Sequence[str], cells: Sequence[tuple[int, int]]) -> Scene:
    """Stickers side by side, as a net or a face shows them: their colours, and their columns and rows."""
    centers = np.array([(column, row, 0.0) for column, row in cells])
    ids = [f"sticker {i}" for i in range(len(cells))]
    backs = Boxes(name="backs", ids=ids, centers=centers, sizes=np.array([1.0, 1.0, 0.01]), colors=BODY)
    fronts = Boxes(
        name="stickers",
        ids=ids,
        centers=centers + np.array([0.0, 0.0, 0.02]),
        sizes=np.array([STICKER_SIZE, STICKER_SIZE, 0.01]),
        colors=[hex_colour(colour) for colour in colours],
    )
    return Scene(items=(backs, fronts), flat=True, y_up=False)


def draw_face(state: Colours, view: FaceView) -> Scene:
    """The nine stickers of a face, named by their places in the view."""
    return draw_flat([state[i] for i in view.stickers], [(i % 3, i // 3) for i in range(9)])


def draw_corner(state: Colours, view: VertexView) -> Scene:
    """The 27 stickers of three faces in perspective, named by their places in the view; y goes down."""
    stickers = [
        Polygon(id=f"sticker {place}", points=3 * corners, color=hex_colour(state[number]), outline=BODY)
        for place, (number, corners) in enumerate(view.polygons.items())
    ]
    return Scene(items=tuple(stickers), axes=("", "", ""), flat=True, y_up=False)


# Parts ---------------------------------------------------------------------------------------------------------------

_CUBELETS: tuple[Vector, ...] = tuple(dict.fromkeys(PLACES))


def _cubelet_name(place: Vector) -> str:
    """The faces that a cubelet is on, U or D first and then R, L, F, B."""
    return "".join(face for face in "UDRLFB" if np.dot(place, NORMALS[FaceLetter(face)]) == 1)


def _is_in(layer: FaceLetter | None, place: Vector) -> bool:
    return layer is not None and bool(np.dot(place, NORMALS[layer]) == 1)


@cache
def _bodies(without: FaceLetter | None) -> Boxes:
    """The black cubelets, without those of a layer."""
    places = [place for place in _CUBELETS if not _is_in(without, place)]
    return Boxes(
        name="cubelets",
        ids=[f"cubelet {_cubelet_name(place)}" for place in places],
        centers=np.array(places) @ TO_SCENE.T.astype(float),
        sizes=np.full(3, CUBELET_SIZE),
        colors=BODY,
    )


def _stickers(state: Colours, without: FaceLetter | None) -> Boxes:
    """The stickers, without those of a layer."""
    chosen = [i for i in range(54) if not _is_in(without, PLACES[i])]
    centers, sizes = _sticker_boxes()
    return Boxes(
        name="stickers",
        ids=[f"sticker {LABELS[i]}" for i in chosen],
        centers=centers[chosen],
        sizes=sizes[chosen],
        colors=[hex_colour(state[i]) for i in chosen],
    )


@cache
def _sticker_boxes() -> tuple[Floats, Floats]:
    """Centres and sizes of all stickers: (54, 3) each."""
    places, normals = (np.array(vectors) @ TO_SCENE.T.astype(float) for vectors in (PLACES, STICKER_NORMALS))
    sizes = np.where(normals != 0, STICKER_DEPTH, STICKER_SIZE)
    return places + normals * CUBELET_SIZE / 2, sizes


def _turning(state: Colours, layer: FaceLetter, turn: Floats) -> Iterator[Mesh]:
    bodies = [place for place in _CUBELETS if _is_in(layer, place)]
    centers = np.array(bodies) @ TO_SCENE.T.astype(float)
    yield _mesh("turning body", centers, np.full((len(bodies), 3), CUBELET_SIZE), turn, BODY)
    centers, sizes = _sticker_boxes()
    for colour in ColourLetter:
        chosen = [i for i in range(54) if state[i] == colour and _is_in(layer, PLACES[i])]
        if chosen:
            yield _mesh(f"turning {colour}", centers[chosen], sizes[chosen], turn, hex_colour(colour))


_CORNERS = np.array([(x, y, z) for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)])
_SIDES = np.array([
    [0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4],
    [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5],
])  # fmt: skip


def _mesh(name: str, centers: Floats, sizes: Floats, turn: Floats, colour: str) -> Mesh:
    """Boxes as one mesh, turned about the origin."""
    vertices = (centers[:, None] + sizes[:, None] * _CORNERS).reshape(-1, 3) @ turn.T
    faces: NDArray[np.intp] = (8 * np.arange(len(centers))[:, None, None] + _SIDES).reshape(-1, 3)
    return Mesh(id=name, vertices=vertices, faces=faces, color=colour, pickable=False)


def _rotation(axis: Floats, angle: float) -> Floats:
    """The matrix of a rotation about a unit axis, counter-clockwise as seen from its tip."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], float)
    turn: Floats = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return turn
