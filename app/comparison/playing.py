"""One time line for several scenes. Free of Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.scene import Floats, Frame

_SAME_S = 1e-6


@dataclass(frozen=True)
class JointPlay:
    """Scenes that are played together.

    Attributes:
        joint: What a timeline plays: a frame for every moment of any of the scenes, and the marks of all.
        indices: For each scene, which of its frames is shown in each joint frame; -1 where it has no frames.
    """

    joint: Scene
    indices: tuple[tuple[int, ...], ...]


def joined(scenes: Sequence[Scene], names: Sequence[str]) -> JointPlay:
    """Scenes as one play.

    Where all count seconds, each scene shows its latest frame at each moment, and the last one when it has ended; else
    they go frame by frame.
    """
    moving = [scene for scene in scenes if scene.frames]
    in_seconds = bool(moving) and all(scene.frame_unit == "s" for scene in moving)
    times = [np.array([frame.time for frame in scene.frames], float) for scene in scenes]
    moments = _moments(times) if in_seconds else max(times, key=len)
    indices = tuple(tuple(_shown(own, moments, in_seconds)) for own in times)
    marks = [
        (moment, f"{name}: {text}") for scene, name in zip(scenes, names, strict=True) for moment, text in scene.marks
    ]
    frames = tuple(Frame(float(moment), ()) for moment in moments)
    unit = moving[0].frame_unit if moving else ""
    return JointPlay(Scene(items=(), frames=frames, frame_unit=unit, marks=sorted(marks)), indices)


def _moments(times: Sequence[Floats]) -> Floats:
    """All times in order; those that are equal but for rounding count once."""
    ordered = np.sort(np.concatenate(times))
    return np.asarray(ordered[np.diff(ordered, prepend=-np.inf) > _SAME_S])


def _shown(own: Floats, moments: Floats, in_seconds: bool) -> list[int]:
    if not len(own):
        return [-1] * len(moments)
    if not in_seconds:
        return [min(k, len(own) - 1) for k in range(len(moments))]
    latest = np.searchsorted(own, moments + _SAME_S, side="right") - 1
    return [int(index) for index in np.maximum(latest, 0)]
