"""Scenes: drawings that are independent of any toolkit.

A Scene is right-handed with z up, in the unit that it declares. A flat scene lies in the plane z = 0 and says whether y
points up or down. Every item represents one element (`id`) or many of a kind (`ids`). Verdicts use the same ids, such
as "brick 17" or "region 2", so that a check can point at the elements that it concerns.

Colours are roles that the theme resolves, so that scenes look right in the light and the dark theme:
    "neutral" "muted" "line" "accent" "passed" "failed" "warning" "target" "rock" "soil" "water" "text"
    "series 0" ... "series 7"   the colour-blind safe series
    "scale 0.35"                a value from 0 to 1 on the heat scale
    "#rrggbb"                   a fixed colour, for things whose colour is data (a cube's stickers)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.integer]
Colors: TypeAlias = str | Sequence[str]
"""One role for all elements of an item, or one for each."""
Pattern = Literal["solid", "hatch", "cross", "dots", "grid"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Boxes:
    """Many boxes, each turned about the vertical.

    centers: (n, 3). sizes: (n, 3) or (3,), before turning. angles_deg: (n,) about +z. `studs` draws that many studs
    along the local x and y on top of each box (Lego).
    """

    name: str
    ids: Sequence[str]
    centers: Floats
    sizes: Floats
    angles_deg: Floats | None = None
    colors: Colors = "neutral"
    opacity: float = 1.0
    studs: tuple[int, int] | None = None
    pickable: bool = True


@dataclass(frozen=True, eq=False, kw_only=True)
class Mesh:
    """A triangle mesh. vertices: (n, 3); faces: (m, 3) indices, counter-clockwise from outside.

    `edges` draws its creases as well; `wireframe` draws all edges, and no faces.
    """

    id: str
    vertices: Floats
    faces: Ints
    color: str = "neutral"
    opacity: float = 1.0
    edges: bool = False
    wireframe: bool = False
    pickable: bool = True

    @property
    def name(self) -> str:
        """The item's name is its element's id."""
        return self.id


@dataclass(frozen=True, eq=False, kw_only=True)
class RigidBodies:
    """Meshes that move without changing their shape, such as the parts of a machine, or stones.

    meshes: one for each body, closed: its vertices (v, 3) in the body's own frame and its triangles (m, 3),
    counter-clockwise from outside; bodies may share one. positions: (n, 3). rotations: (n, 4) quaternions x, y, z, w.
    A body whose position or rotation is not finite is not drawn. Frames that keep the same `meshes` object are drawn by
    moving what is already there.
    """

    name: str
    ids: Sequence[str]
    meshes: Sequence[tuple[Floats, Ints]]
    positions: Floats
    rotations: Floats
    colors: Colors = "neutral"
    opacity: float = 1.0
    edges: bool = True
    pickable: bool = True


@dataclass(frozen=True, eq=False, kw_only=True)
class Voxels:
    """Unit cells on a grid. cells: (n, 3) whole numbers; cell c fills origin + pitch * [c, c + 1].

    The id of a cell is "<name> x,y,z". Only the faces between a cell and a cell that is not in the item are drawn.
    """

    name: str
    cells: Ints
    pitch: float = 1.0
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    colors: Colors = "neutral"
    opacity: float = 1.0
    edges: bool = True
    pickable: bool = True

    def id_of(self, cell: Sequence[int]) -> str:
        """The id of one cell."""
        x, y, z = cell
        return f"{self.name} {x},{y},{z}"


@dataclass(frozen=True, eq=False, kw_only=True)
class HeightField:
    """A surface over a grid of cells. heights: (rows, columns) = (y, x), at the cells' centres.

    With `steps`, every cell is flat at its height; otherwise the surface is smooth.
    """

    id: str
    heights: Floats
    pitch: float = 1.0
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    color: str = "soil"
    steps: bool = False
    opacity: float = 1.0
    pickable: bool = True

    @property
    def name(self) -> str:
        """The item's name is its element's id."""
        return self.id


@dataclass(frozen=True, eq=False, kw_only=True)
class Polyline:
    """A line through points: (n, 2) or (n, 3). Width in pixels.

    `closed` joins the last point to the first; `arrow` draws an arrow head at the end.
    """

    id: str
    points: Floats
    color: str = "line"
    width_px: float = 2.0
    closed: bool = False
    dashed: bool = False
    arrow: bool = False
    pickable: bool = True

    @property
    def name(self) -> str:
        """The item's name is its element's id."""
        return self.id


@dataclass(frozen=True, eq=False, kw_only=True)
class Polygon:
    """A filled polygon without holes in it. points: (n, 2) in flat scenes, or (n, 3) in one plane.

    `outline` is the role of the outline's colour; None: there is none.
    """

    id: str
    points: Floats
    color: str = "neutral"
    opacity: float = 1.0
    outline: str | None = "line"
    pattern: Pattern = "solid"
    pickable: bool = True

    @property
    def name(self) -> str:
        """The item's name is its element's id."""
        return self.id


@dataclass(frozen=True, eq=False, kw_only=True)
class Points:
    """Round markers. positions: (n, 2) or (n, 3). Size in pixels."""

    name: str
    ids: Sequence[str]
    positions: Floats
    colors: Colors = "accent"
    size_px: float = 8.0
    pickable: bool = True


@dataclass(frozen=True, eq=False, kw_only=True)
class Label:
    """A text at a point that always faces the reader. position: (2,) or (3,).

    reach: None: nothing hides it. Else it is left out where something solid is in front of the point by more than this,
    in the scene's unit: the size of what it names, which does not hide its own label.
    spots: Other points where it stands if something hides the first one.
    """

    id: str
    position: tuple[float, ...]
    text: str
    color: str = "text"
    size_px: float = 12.0
    pickable: bool = False
    reach: float | None = None
    spots: tuple[tuple[float, ...], ...] = ()

    @property
    def name(self) -> str:
        """The item's name is its element's id."""
        return self.id


@dataclass(frozen=True, eq=False, kw_only=True)
class Picture:
    """A picture in a flat scene.

    png: the bytes of a PNG file. corner: its lowest x and y. size: width and height in the scene's unit.

    In a scene with y down, its top is at the lowest y.
    """

    id: str
    png: bytes
    corner: tuple[float, float]
    size: tuple[float, float]
    opacity: float = 1.0
    color: str = "neutral"
    pickable: bool = False

    @property
    def name(self) -> str:
        """The item's name is its element's id."""
        return self.id

    @property
    def points(self) -> Floats:
        """Its four corners, (4, 2)."""
        (x, y), (width, height) = self.corner, self.size
        return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], float)


Item: TypeAlias = Boxes | Mesh | RigidBodies | Voxels | HeightField | Polyline | Polygon | Picture | Points | Label


@dataclass(frozen=True)
class Ground:
    """The ground grid: lines every `pitch` units over x_min, y_min, x_max, y_max, at height z."""

    pitch: float
    extent: tuple[float, float, float, float]
    z: float = 0.0


@dataclass(frozen=True, eq=False)
class Frame:
    """A moment of a scene that moves: its items replace those of the same name, or are added to the scene."""

    time: float
    items: Sequence[Item]
    caption: str = ""


@dataclass(frozen=True, eq=False)
class Track:
    """What a camera may follow while a scene moves.

    name: What it is, for people. places: (frames, 3), not finite where there is nothing to follow.
    """

    name: str
    places: Floats


@dataclass(frozen=True, eq=False)
class Scene:
    """A drawing of an instance and an answer."""

    items: Sequence[Item]
    unit: str = ""
    axes: tuple[str, str, str] = ("x", "y", "z")
    """Names of the axes; all empty: coordinates have no meaning and are not shown."""
    whole: bool = False
    """Whether coordinates are whole numbers, as for cells."""
    axis_colors: tuple[str, str, str] | None = None
    """Roles of the axes' colours; None: red, green and blue."""
    flat: bool = False
    y_up: bool = True
    ground: Ground | None = None
    bounds: tuple[Sequence[float], Sequence[float]] | None = None
    """Lowest and highest corner of what the first view shows; None: everything."""
    frames: Sequence[Frame] = field(default=())
    frame_unit: str = ""
    """What a frame's time counts: "s", "drops", "moves". Seconds are played at their true speed."""
    marks: Sequence[tuple[float, str]] = ()
    """Events, each with its time and a text, which are marked on the timeline."""
    tracks: Sequence[Track] = ()
    """What a camera may follow through the frames; the first is what the scene is about."""

    def item(self, name: str) -> Item:
        """The item of that name.

        Raises:
            KeyError: There is none.
        """
        for item in self.items:
            if item.name == name:
                return item
        raise KeyError(name)

    def at(self, index: int) -> "Scene":
        """The scene at one of its frames, as a scene without frames."""
        items = {item.name: item for item in self.items}
        items |= {item.name: item for item in self.frames[index].items}
        return replace(self, items=tuple(items.values()), frames=(), marks=(), tracks=())

    def ids(self) -> Iterator[str]:
        """The ids of all elements but voxels, whose ids follow from their cells."""
        for item in self.items:
            if isinstance(item, Boxes | RigidBodies | Points):
                yield from item.ids
            elif not isinstance(item, Voxels):
                yield item.id
