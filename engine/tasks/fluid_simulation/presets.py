"""The building blocks of earthworks: pit, walled pool, roof on a pillar, island. Rectangles include both corners."""

from typing import NamedTuple

from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH, GROUND, FluidBox


class FluidRectangle(NamedTuple):
    """Columns x0..x1, y0..y1, both included."""

    x0: int
    y0: int
    x1: int
    y1: int

    @classmethod
    def around(cls, x: int, y: int, width: int, height: int) -> "FluidRectangle":
        """The rectangle of this size centred (rounding down) on the column x, y."""
        x0, y0 = x - width // 2, y - height // 2
        return cls(x0, y0, x0 + width - 1, y0 + height - 1)

    def grown(self, by: int) -> "FluidRectangle":
        """The rectangle grown by this many columns on every side, or shrunk if negative."""
        return FluidRectangle(self.x0 - by, self.y0 - by, self.x1 + by, self.y1 + by)

    @property
    def width(self) -> int:
        """Columns along x."""
        return self.x1 - self.x0 + 1

    @property
    def height(self) -> int:
        """Columns along y."""
        return self.y1 - self.y0 + 1

    def box(self, z0: int, z1: int, rock: bool) -> FluidBox:
        """The box over the rectangle from level z0 to z1."""
        return FluidBox((self.x0, self.y0, z0), (self.x1, self.y1, z1), rock)

    def inside(self, n: int) -> bool:
        """Whether it is a rectangle of columns of the world."""
        return 0 <= self.x0 <= self.x1 < n and 0 <= self.y0 <= self.y1 < n


def pit(area: FluidRectangle, floor: int = GROUND - 1) -> list[FluidBox]:
    """A hole in the ground, from level `floor` up."""
    return [area.box(floor, GROUND - 1, rock=False)]


def walled_pool(area: FluidRectangle, level: int, floor: int | None = None) -> list[FluidBox]:
    """A block of rock up to `level`, with a pool inside a rim of one column: water stands from `floor` to `level`.

    Raises:
        ValueError: the area leaves no room inside the rim.
    """
    inner = area.grown(-1)
    if inner.width < 1 or inner.height < 1:
        raise ValueError("a walled pool needs at least 3 x 3 columns")
    return [area.box(GROUND, level, rock=True), inner.box(level if floor is None else floor, level, rock=False)]


def roof(area: FluidRectangle, level: int = GROUND + 2) -> list[FluidBox]:
    """A slab that covers the area and one column beyond, on a pillar at its corner.

    Raises:
        ValueError: there is no room under it.
    """
    slab = area.grown(1)
    if not GROUND < level < DEPTH:
        raise ValueError(f"a roof has to be at z = {GROUND + 1} to {DEPTH - 1}")
    pillar = FluidRectangle(slab.x0, slab.y0, slab.x0, slab.y0)
    return [slab.box(level, level, rock=True), pillar.box(GROUND, level - 1, rock=True)]


def island(area: FluidRectangle, floor: int = GROUND - 1) -> list[FluidBox]:
    """A block of rock inside a pit, as high as the ground."""
    return [area.box(floor, GROUND - 1, rock=True)]


def mirrored(box: FluidBox, n: int, in_x: bool = False, in_y: bool = False) -> FluidBox:
    """The mirror image of a box in a world of n x n columns."""
    (x0, y0, z0), (x1, y1, z1), rock = box
    if in_x:
        x0, x1 = n - 1 - x1, n - 1 - x0
    if in_y:
        y0, y1 = n - 1 - y1, n - 1 - y0
    return FluidBox((x0, y0, z0), (x1, y1, z1), rock)
