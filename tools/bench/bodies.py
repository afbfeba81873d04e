"""Measurements of moving rigid bodies, for `tools.bench.main`: 100 blocks, half of them boxes and half cylinders."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from spatial_workbench.app.studio.pictures import offscreen_application
from spatial_workbench.engine.core.scene import Frame, Ground, RigidBodies, Scene

COUNT = 100
FRAMES = 180
SIDES = 48
SIZE = (1280, 800)


def whole_frame() -> Iterator[float]:
    """From the next moment of a scene to its picture."""
    offscreen_application()
    from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

    scene = _machine()
    view = Viewport3D()
    view.resize(*SIZE)
    view.set_scene(scene.at(0), reset_view=True)
    view.show()
    view.flush()
    for index in range(FRAMES):
        start = time.perf_counter()
        view.set_scene(scene.at(index))
        view.flush()
        yield (time.perf_counter() - start) * 1000
    view.close_view()


def moving_alone() -> Iterator[float]:
    """What moving the bodies takes of that, before VTK draws them."""
    from spatial_workbench.widgets.render3d.renderer import Renderer3D
    from spatial_workbench.widgets.render3d.style import Style

    scene = _machine()
    renderer = Renderer3D()
    style = Style()
    renderer.set_scene(scene.at(0), style)
    for index in range(FRAMES):
        start = time.perf_counter()
        renderer.set_scene(scene.at(index), style)
        yield (time.perf_counter() - start) * 1000
    renderer.close()


def _machine() -> Scene:
    rng = np.random.default_rng(1)
    places = rng.uniform(-4, 4, (COUNT, 3))
    turns = rng.normal(size=(COUNT, 4))
    bodies = RigidBodies(
        name="blocks",
        ids=[f"block {i}" for i in range(COUNT)],
        meshes=[prism(4)] * (COUNT // 2) + [prism(SIDES)] * (COUNT - COUNT // 2),
        positions=places,
        rotations=turns,
        colors=[f"series {i % 7}" for i in range(COUNT)],
    )
    frames = [Frame(i / 30, [_moved(bodies, i / 30)]) for i in range(FRAMES)]
    ground = Ground(1.0, (-10, -10, 10, 10), z=-5.0)
    return Scene(items=(bodies,), ground=ground, unit="m", frames=frames, frame_unit="s")


def _moved(bodies: RigidBodies, seconds: float) -> RigidBodies:
    step = np.array([seconds, 0.0, 0.0])
    return replace(bodies, positions=bodies.positions + step, rotations=bodies.rotations + 0.3 * seconds)


def prism(sides: int) -> tuple[np.ndarray, np.ndarray]:
    """An upright prism of diameter and height 1 about the origin: vertices, triangles."""
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) / 2
    rims = [np.column_stack([ring, np.full(sides, z)]) for z in (-0.5, 0.5)]
    i = np.arange(sides)
    o = np.zeros(sides, int)
    j = (i + 1) % sides
    walls = [(i, j, j + sides), (i, j + sides, i + sides)]
    caps = [(o, j, i), (o + sides, i + sides, j + sides)]
    return np.concatenate(rims), np.concatenate([np.stack(corners, axis=1) for corners in (*walls, *caps)])
