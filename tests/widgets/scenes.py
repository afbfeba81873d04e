"""Small scenes that the tests of both views share."""

from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.core.scene import (
    Boxes,
    Ground,
    HeightField,
    Item,
    Label,
    Mesh,
    Points,
    Polygon,
    Polyline,
    RigidBodies,
    Scene,
    Voxels,
)


def bricks(count: int = 3, colors: str | Sequence[str] = "series 0", name: str = "bricks") -> Boxes:
    """2 x 4 bricks in a row along y, 8 mm apart, on the ground."""
    centers = np.array([[0.0, 24.0 * i, 4.8] for i in range(count)]).reshape(-1, 3)
    ids = [f"{name.rstrip('s')} {i}" for i in range(count)]
    return Boxes(name=name, ids=ids, centers=centers, sizes=np.array([32.0, 16.0, 9.6]), colors=colors, studs=(4, 2))


def box(name: str, center: Sequence[float], size: Sequence[float], angle_deg: float = 0.0, **rest: object) -> Boxes:
    """A single box, whose item has the same name as its element."""
    turned = np.array([angle_deg])
    return Boxes(
        name=name, ids=[name], centers=np.array([center], float), sizes=np.array(size, float), angles_deg=turned, **rest
    )


def tetrahedron(name: str = "tetrahedron", **rest: object) -> Mesh:
    """The corner of the unit cube, ten times as large."""
    vertices = 10.0 * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    return Mesh(id=name, vertices=vertices, faces=faces, **rest)


CUBE = (
    np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float),
    np.array(
        [
            *([0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]),
            *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
        ]
    ),
)
"""A cube of side 2 about the origin: vertices, triangles."""
UNTURNED = (0.0, 0.0, 0.0, 1.0)


def cubes(*positions: Sequence[float], rotations: Sequence[Sequence[float]] = (), **rest: object) -> RigidBodies:
    """Cubes of side 2, unturned unless rotations are given."""
    turns = np.array(rotations or [UNTURNED] * len(positions), float)
    rest = {
        "name": "cubes",
        "ids": [f"cube {i}" for i in range(len(positions))],
        "meshes": [CUBE] * len(positions),
    } | rest
    return RigidBodies(positions=np.array(positions, float).reshape(-1, 3), rotations=turns.reshape(-1, 4), **rest)


def one_of_each() -> tuple[Item, ...]:
    """An item of every kind, side by side along x."""
    cells = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    return (
        box("box", (-5, 5, 5), (8, 8, 8)),
        tetrahedron(),
        Voxels(name="cell", cells=cells, origin=(20, 0, 0), pitch=4.0),
        HeightField(id="hills", heights=np.arange(12.0).reshape(3, 4), origin=(30, 0, 0), pitch=3.0),
        HeightField(id="stairs", heights=np.arange(12.0).reshape(3, 4), origin=(45, 0, 0), pitch=3.0, steps=True),
        Polyline(id="path", points=np.array([[60, 0, 0], [60, 10, 0], [60, 10, 10.0]]), arrow=True),
        Polyline(id="dashes", points=np.array([[65, 0], [65, 10.0]]), dashed=True),
        Polygon(id="sheet", points=np.array([[70, 0, 5], [80, 0, 5], [80, 10, 5], [75, 4, 5.0]])),
        Points(name="points", ids=["point 0", "point 1"], positions=np.array([[85, 0, 0], [85, 5, 5.0]])),
        cubes((93, 0, 1), (93, 5, 3), rotations=[UNTURNED, (0.0, 0.0, 0.38, 0.92)]),
        Label(id="word", position=(90.0, 0.0, 0.0), text="word"),
    )


def flat_scene(y_up: bool = True) -> Scene:
    """Three squares of side 8 at x = 1, 11, 21 on a grid of 30 x 10, with a line over the first two."""
    squares = [
        Polygon(id=f"square {i}", points=np.array([[x, 1], [x + 8, 1], [x + 8, 9], [x, 9.0]]), color=f"series {i}")
        for i, x in enumerate((1.0, 11.0, 21.0))
    ]
    line = Polyline(id="line", points=np.array([[2.0, 5.0], [18.0, 5.0]]), width_px=4)
    return Scene(items=(*squares, line), flat=True, y_up=y_up, ground=Ground(1.0, (0, 0, 30, 10)))
