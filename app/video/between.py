"""A scene between two of its frames, so that a video may have more pictures a second than a scene has frames."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Item, Points, Polyline, RigidBodies, Scene


def scene_between(scene: Scene, index: int, share: float) -> Scene:
    """The scene at a frame, or a share of the way from there to the next, as a scene without frames.

    What can move does so in a straight line, and turns the shorter way: bodies, points and lines. The rest changes with
    the frame.
    """
    here = scene.at(index)
    if share <= 0 or index + 1 >= len(scene.frames):
        return here
    later = {item.name: item for item in scene.frames[index + 1].items}
    return replace(here, items=tuple(_moved(item, later.get(item.name), share) for item in here.items))


def _moved(item: Item, later: Item | None, share: float) -> Item:
    if isinstance(item, RigidBodies) and isinstance(later, RigidBodies) and tuple(item.ids) == tuple(later.ids):
        return replace(
            item,
            positions=_mean(item.positions, later.positions, share),
            rotations=_turned(item.rotations, later.rotations, share),
        )
    if isinstance(item, Points) and isinstance(later, Points) and tuple(item.ids) == tuple(later.ids):
        return replace(item, positions=_mean(item.positions, later.positions, share))
    if isinstance(item, Polyline) and isinstance(later, Polyline) and item.points.shape == later.points.shape:
        return replace(item, points=_mean(item.points, later.points, share))
    return item


def _mean(before: Floats, after: Floats, share: float) -> Floats:
    return np.asarray(before + share * (after - before))


def _turned(before: Floats, after: Floats, share: float) -> Floats:
    """Quaternions (n, 4) on the shorter way from one to the other; from frame to frame a chord is close enough."""
    same_side = np.where((before * after).sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
    chord = before + share * (same_side * after - before)
    return np.asarray(chord / np.linalg.norm(chord, axis=1, keepdims=True))
