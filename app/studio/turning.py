"""Pages on which scenes in space can be turned: glTF, shown off-line by the viewer that trimesh includes.

The viewer is three.js. A page holds it once; a model is handed to it when somebody asks for it. Each element of a
scene is a node of its own, so that a check can point at the elements it names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.scene import (
    Boxes,
    Floats,
    HeightField,
    Mesh,
    Points,
    Polygon,
    Polyline,
    RigidBodies,
    Voxels,
)
from spatial_workbench.engine.core.shipped import resource

if TYPE_CHECKING:
    from spatial_workbench.widgets.theme import Theme

MOST_NODES = 4000
"""Items with more elements become one node, whose elements cannot be pointed at."""
_Y_UP = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])
"""From z up to y up, as glTF has it."""
_LOOK_FROM = np.array([0.9, 0.7, 1.1])
"""Where the camera stands, seen from the middle, with y up."""
_SEAM = 0.985
"""Boxes and cells are a little smaller than they are, so that neighbours of one colour can be told apart."""
_BALL = 0.012
"""Radius of a point's ball, as a share of the scene's size."""


@dataclass(frozen=True)
class Turning:
    """A scene that turns.

    Attributes:
        glb: The model as a binary glTF file.
        nodes: The names of the nodes that belong to each element, by its id.
    """

    glb: bytes
    nodes: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class _Part:
    """A mesh in its place: element ids, geometry with a name that equal ones share, matrix and colour."""

    ids: Sequence[str]
    key: str
    vertices: Floats
    faces: Any
    matrix: Floats
    color: str
    opacity: float


def turning(scene: Scene, theme: Theme) -> Turning | None:
    """A scene as a model; None if it lies in a plane, or holds nothing solid."""
    if scene.flat:
        return None
    parts = [part for item in scene.items for part in _parts(item, scene)]
    lines = [item for item in scene.items if isinstance(item, Polyline) and len(item.points) > 1]
    if not parts and not lines:
        return None
    model, nodes = _model(parts, lines, theme)
    _set_camera(model)
    return Turning(model.export(file_type="glb"), nodes)


def _model(parts: Sequence[_Part], lines: Sequence[Polyline], theme: Theme) -> tuple[Any, dict[str, list[str]]]:
    import trimesh

    model = trimesh.Scene()
    nodes: dict[str, list[str]] = {}
    for number, part in enumerate(parts):
        name = f"e{number}"
        shape = f"{part.key} {part.color} {part.opacity}"
        if shape in model.geometry:
            model.graph.update(frame_to=name, matrix=_Y_UP @ part.matrix, geometry=shape)
        else:
            mesh = trimesh.Trimesh(part.vertices, part.faces, process=False)
            mesh.visual = trimesh.visual.TextureVisuals(material=_material(part, theme))
            model.add_geometry(mesh, node_name=name, geom_name=shape, transform=_Y_UP @ part.matrix)
        for element in part.ids:
            nodes.setdefault(element, []).append(name)
    for number, line in enumerate(lines):
        path = trimesh.load_path(_closed(line))
        path.colors = [_bytes_of(theme, line.color, 1.0)] * len(path.entities)
        model.add_geometry(path, node_name=f"l{number}", geom_name=f"line {number}", transform=_Y_UP)
        nodes.setdefault(line.id, []).append(f"l{number}")
    return model, nodes


def _material(part: _Part, theme: Theme) -> Any:
    from trimesh.visual.material import PBRMaterial

    return PBRMaterial(
        baseColorFactor=_bytes_of(theme, part.color, part.opacity),
        metallicFactor=0.0,
        roughnessFactor=0.85,
        doubleSided=True,
        alphaMode="BLEND" if part.opacity < 1 else "OPAQUE",
    )


def _bytes_of(theme: Theme, role: str, opacity: float) -> list[int]:
    return [round(255 * part) for part in (*theme.rgb(role), opacity)]


def _closed(line: Polyline) -> Floats:
    points = np.asarray(line.points, float)
    points = np.column_stack([points, np.zeros(len(points))]) if points.shape[1] == 2 else points
    return np.vstack([points, points[:1]]) if line.closed else points


def _set_camera(model: Any) -> None:
    low, high = model.bounds
    middle = (low + high) / 2
    size = float(np.linalg.norm(high - low)) or 1.0
    forward = _LOOK_FROM / np.linalg.norm(_LOOK_FROM)
    right = np.cross([0, 1, 0], forward)
    right /= np.linalg.norm(right)
    pose = np.eye(4)
    pose[:3, 0] = right
    pose[:3, 1] = np.cross(forward, right)
    pose[:3, 2] = forward
    pose[:3, 3] = middle + 1.15 * size * forward
    model.camera.fov = (55.0, 45.0)
    model.camera.z_near, model.camera.z_far = size / 1000, size * 100
    model.camera_transform = pose


# Items -----------------------------------------------------------------------------------------------------------


def _parts(item: Any, scene: Scene) -> Iterator[_Part]:
    if isinstance(item, Boxes):
        yield from _boxes(item)
    elif isinstance(item, Voxels):
        yield from _voxels(item)
    elif isinstance(item, RigidBodies):
        yield from _bodies(item)
    elif isinstance(item, Mesh):
        yield _Part([item.id], f"mesh {item.id}", item.vertices, item.faces, np.eye(4), item.color, item.opacity)
    elif isinstance(item, HeightField):
        yield _height_field(item)
    elif isinstance(item, Polygon):
        yield from _polygon(item)
    elif isinstance(item, Points):
        yield from _points(item, scene)


def _boxes(item: Boxes) -> Iterator[_Part]:
    vertices, faces = _cube()
    sizes = np.broadcast_to(item.sizes, np.shape(item.centers))
    angles = np.radians(np.zeros(len(item.centers)) if item.angles_deg is None else item.angles_deg)
    for k, (center, size, angle) in enumerate(zip(item.centers, sizes, angles, strict=True)):
        turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        ids = [item.ids[k]] if len(item.centers) <= MOST_NODES else []
        linear = _SEAM * turn * size
        yield _Part(ids, "cube", vertices, faces, _placed(center, linear), _color(item.colors, k), item.opacity)


def _voxels(item: Voxels) -> Iterator[_Part]:
    vertices, faces = _cube()
    origin = np.asarray(item.origin, float)
    scale = np.eye(3) * item.pitch * _SEAM
    for k, cell in enumerate(np.asarray(item.cells)[:MOST_NODES]):
        center = origin + item.pitch * (cell + 0.5)
        color = _color(item.colors, k)
        yield _Part([item.id_of(cell)], "cube", vertices, faces, _placed(center, scale), color, item.opacity)
    rest = np.asarray(item.cells)[MOST_NODES:]
    if len(rest):
        corners = origin + item.pitch * (rest[:, None] + 0.5 + vertices[None])
        whole = np.vstack([faces + len(vertices) * k for k in range(len(rest))])
        key = f"rest of {item.name}"
        yield _Part([], key, corners.reshape(-1, 3), whole, np.eye(4), _color(item.colors, MOST_NODES), item.opacity)


def _bodies(item: RigidBodies) -> Iterator[_Part]:
    from scipy.spatial.transform import Rotation

    shapes = {id(mesh): k for k, mesh in enumerate(item.meshes)}
    for k, (vertices, faces) in enumerate(item.meshes):
        if np.isfinite(item.positions[k]).all() and np.isfinite(item.rotations[k]).all():
            pose = _placed(item.positions[k], Rotation.from_quat(item.rotations[k]).as_matrix())
            key = f"body {item.name} {shapes[id(item.meshes[k])]}"
            yield _Part([item.ids[k]], key, vertices, faces, pose, _color(item.colors, k), item.opacity)


def _height_field(item: HeightField) -> _Part:
    rows, columns = item.heights.shape
    x, y = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
    points = np.column_stack([item.pitch * x.ravel(), item.pitch * y.ravel(), np.asarray(item.heights, float).ravel()])
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    faces = np.vstack(
        [
            np.column_stack([corner, corner + 1, corner + columns]),
            np.column_stack([corner + 1, corner + columns + 1, corner + columns]),
        ]
    )
    pose = _placed(np.asarray(item.origin, float), np.eye(3))
    return _Part([item.id], f"ground {item.id}", points, faces, pose, item.color, item.opacity)


def _polygon(item: Polygon) -> Iterator[_Part]:
    points = np.asarray(item.points, float)
    if len(points) < 3:
        return
    points = np.column_stack([points, np.zeros(len(points))]) if points.shape[1] == 2 else points
    fan = np.column_stack([np.zeros(len(points) - 2, int), np.arange(1, len(points) - 1), np.arange(2, len(points))])
    yield _Part([item.id], f"polygon {item.id}", points, fan, np.eye(4), item.color, item.opacity)


def _points(item: Points, scene: Scene) -> Iterator[_Part]:
    vertices, faces = _ball()
    positions = np.asarray(item.positions, float)
    if positions.size == 0:
        return
    positions = np.column_stack([positions, np.zeros(len(positions))]) if positions.shape[1] == 2 else positions
    radius = _BALL * _size_of(scene)
    for k, center in enumerate(positions[:MOST_NODES]):
        pose = _placed(center, radius * np.eye(3))
        yield _Part([item.ids[k]], "ball", vertices, faces, pose, _color(item.colors, k), 1.0)


def _size_of(scene: Scene) -> float:
    corners = [
        np.asarray(points, float)[:, :2]
        for item in scene.items
        for points in (getattr(item, name, None) for name in ("centers", "positions", "points", "vertices"))
        if points is not None and len(points)
    ]
    return float(np.linalg.norm(np.ptp(np.vstack(corners), axis=0))) or 1.0 if corners else 1.0


def _placed(center: Floats, linear: Floats) -> Floats:
    matrix = np.eye(4)
    matrix[:3, :3] = linear
    matrix[: len(center), 3] = center
    return matrix


def _color(colors: str | Sequence[str], k: int) -> str:
    return colors if isinstance(colors, str) else colors[min(k, len(colors) - 1)]


@cache
def _cube() -> tuple[Floats, Any]:
    import trimesh

    box = trimesh.creation.box()
    # Corners are not shared between faces, so that edges look sharp.
    return box.vertices[box.faces].reshape(-1, 3), np.arange(3 * len(box.faces)).reshape(-1, 3)


@cache
def _ball() -> tuple[Floats, Any]:
    import trimesh

    ball = trimesh.creation.icosphere(subdivisions=2)
    return ball.vertices, ball.faces


# Pages -----------------------------------------------------------------------------------------------------------


@cache
def viewer_page() -> str:
    """The viewer as a page that waits for a model: `{glb, nodes}`, then `{point: [ids]}`, as messages."""
    import trimesh.resources
    import trimesh.util

    packed = trimesh.util.decompress(trimesh.resources.get_bytes("templates/viewer.zip"), file_type="zip")
    page: str = packed["viewer.html.template"].read().decode("utf-8")
    # The page begins to draw when it is loaded; ours begins with the first message.
    whole = page.replace("\ninit();</script>", "</script>")
    if whole == page:
        raise RuntimeError("The viewer of this version of trimesh has another form.")
    return whole.replace("</body>", f"<script>{_script('viewer.js')}</script></body>")


def page_script() -> str:
    """The part of a page of attempts that opens the viewer."""
    return _script("turning.js")


def _script(name: str) -> str:
    return resource("evaluation", name).read_text("utf-8")
