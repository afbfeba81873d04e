"""Published levels as drafts, which levels of people's own begin with (docs/machines.md).

The things of a level come out as the parts of a file that make them, to a millimetre. Only rocks are drawn anew: they
stand where they stood and are as large, but have shapes of their own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from spatial_workbench.engine.machines.levels import scenery
from spatial_workbench.engine.machines.levels.level import FRICTION, RESTITUTION, SIZE_LIMITS, Ball, Level, Obstacle
from spatial_workbench.engine.machines.levels.level_drafts import Draft, plain
from spatial_workbench.engine.machines.levels.level_files import TASK_TYPES, LevelBall
from spatial_workbench.engine.machines.levels.references import references

_WELL = "floor of the well"
_ROCK_VERTICES, _PRISM_VERTICES = 14, 6


def draft_of(level: Level) -> Draft:
    """The draft of a published level, under its title."""
    floor = next((obstacle for obstacle in level.obstacles if obstacle.name == _WELL), None)
    draft: Draft = {
        "format": "spatial-workbench-level",
        "version": 1,
        "task": level.task,
        "name": level.title,
        "about": level.about,
        "obstacles": list(_things(level)),
        "parameters": list(level.parameters),
    }
    if level.window_s != 5.0:
        draft["window_s"] = plain(level.window_s)
    if level.types != TASK_TYPES[level.task]:
        draft["types"] = sorted(level.types)
    if level.balls:
        draft["balls"] = [_ball(ball) for ball in level.balls]
    if level.goal is not None:
        (x0, _, z0), (x1, height, z1) = level.goal.low, level.goal.high
        draft["goal"] = {"at": _plain((x0 + x1) / 2, (z0 + z1) / 2), "size": _plain(x1 - x0, height, z1 - z0)}
    if level.targets:
        draft["targets"] = [
            {"kind": target.kind, "center": _plain(*target.center), "radius": plain(target.radius)}
            for target in level.targets
        ]
    if level.path:
        draft["path"] = [_plain(*corner) for corner in level.path]
    if any(level.wind):
        draft["wind_m_s"] = _plain(*level.wind)
    if floor is not None:
        at = floor.center[0], floor.center[2]
        depth = -floor.center[1] - floor.size[1] / 2
        draft["ground"] = {"well": {"at": _plain(*at), "side": plain(floor.size[0]), "depth": plain(depth)}}
    if level.programme:
        draft["programme"] = [
            {"time": plain(command.time), "channel": command.channel, "value": plain(command.value)}
            for command in level.programme
        ]
    if level.size_limits != SIZE_LIMITS:
        draft["size_limits"] = _plain(*level.size_limits)
    par = _par(level)
    return draft if par is None else {**draft, "par": par}


def _par(level: Level) -> float | None:
    """The reward that scores 1: that of the level's reference machine, if it has one."""
    reference = references().get(level.id)
    reward = reference.rewards.get("default", 0.0) if reference is not None else 0.0
    return reward if reward > 0 else None


def _things(level: Level) -> Iterator[Draft]:
    """The obstacles, but for the ground and the rings around targets, which their targets bring along."""
    names = [_whole(obstacle) for obstacle in level.obstacles]
    rims = {name for name in names if name == "ring" or name.startswith("ring ")} if level.targets else set()
    for name, group in groupby(level.obstacles, _whole):
        parts = tuple(group)
        if name not in rims and (level.has_plane or not parts[0].is_ground):
            yield {**_thing(parts), "name": name, **_surface(parts[0])}


def _whole(obstacle: Obstacle) -> str:
    """The name of the thing that an obstacle is a part of."""
    return obstacle.name.partition(", ")[0]


def _thing(parts: Sequence[Obstacle]) -> Draft:
    first = parts[0]
    if first.kind == "cylinder":
        return {"kind": "rod", "at": _at(first), "radius": plain(first.radius), "length": plain(first.length)}
    if first.kind == "hull":
        return _of_hulls(parts)
    if len(parts) > 1:
        center = np.mean([part.center for part in parts], axis=0)
        radius = math.dist(center, first.center) - scenery.RING_THICKNESS_M / 2
        is_upright = first.size[1] > first.size[2]
        return {"kind": "ring", "center": _plain(*center), "radius": plain(radius), "upright": is_upright}
    if first.rolling_friction:
        size = _plain(first.size[0], first.size[2])
        return {"kind": "sticky_ground", "at": _at(first), "size": size, "rolling_friction": first.rolling_friction}
    return _wall(first) if _is_wall(first) else _box(first)


def _is_wall(box: Obstacle) -> bool:
    return box.name.partition(" ")[2].startswith(("wall", "fence")) and math.isclose(_bottom(box), 0, abs_tol=1e-9)


def _wall(box: Obstacle) -> Draft:
    heading = math.radians(_heading(box))
    x, _, z = box.center
    along_x, along_z = math.sin(heading) * box.size[2] / 2, math.cos(heading) * box.size[2] / 2
    wall = {"kind": "wall", "start": _plain(x - along_x, z - along_z), "end": _plain(x + along_x, z + along_z)}
    return {**wall, "height": plain(box.size[1]), "thickness": plain(box.size[0])}


def _box(box: Obstacle) -> Draft:
    made = {"kind": "box", "at": _at(box), "size": _plain(*box.size), "heading_deg": plain(_heading(box))}
    return {**made, "bottom": plain(_bottom(box))}


def _of_hulls(parts: Sequence[Obstacle]) -> Draft:
    """A thing of one convex body, or a quarter-pipe of several."""
    first = parts[0]
    vertices = np.array([vertex for part in parts for vertex in part.vertices])
    if len(parts) == 1 and len(vertices) == _ROCK_VERTICES:
        seed = int(first.name.rpartition(" ")[2])
        radius = float(np.linalg.norm(vertices, axis=1).max())
        return {"kind": "rock", "at": _at(first), "radius": plain(radius), "seed": seed}
    width, height, length = (float(extent) for extent in np.ptp(vertices, axis=0))
    made: Draft = {"at": _at(first), "heading_deg": plain(_heading(first))}
    if len(parts) > 1:
        is_on_side = bool(np.ptp(first.vertices, axis=0)[0] < width)
        size = (height, width, length) if is_on_side else (width, height, length)
        pipe = {"kind": "quarter_pipe", **made, "size": _plain(*size)}
        return pipe | ({"on_side": True} if is_on_side else {}) | ({"is_ground": True} if first.is_ground else {})
    has_crest_in_the_middle = abs(vertices[vertices[:, 1].argmax(), 2]) < length / 4
    prism = "ridge" if has_crest_in_the_middle else "ramp"
    kind = prism if len(vertices) == _PRISM_VERTICES else "quarter_cylinder"
    return {"kind": kind, **made, "size": _plain(width, height, length)}


def _surface(obstacle: Obstacle) -> Draft:
    """Friction and restitution, where they are not what the kind has anyway."""
    is_usual = obstacle.rolling_friction > 0 or obstacle.friction == (
        scenery.WALL_FRICTION if obstacle.kind == "box" and _is_wall(obstacle) else FRICTION
    )
    friction: Draft = {} if is_usual else {"friction": obstacle.friction}
    return friction if obstacle.restitution == RESTITUTION else {**friction, "restitution": obstacle.restitution}


def _ball(ball: Ball) -> Draft:
    """A ball, without what balls have anyway."""
    usual = LevelBall(at=(0.0, 0.0))
    made: Draft = {"name": ball.name, "at": _plain(ball.center[0], ball.center[2])}
    for name in ("radius", "mass", "friction", "restitution", "rolling_friction", "spinning_friction"):
        value = getattr(ball, name)
        if value != getattr(usual, name):
            made[name] = value
    return made


def _at(obstacle: Obstacle) -> list[float]:
    return _plain(obstacle.center[0], obstacle.center[2])


def _bottom(box: Obstacle) -> float:
    return box.center[1] - box.size[1] / 2


def _heading(obstacle: Obstacle) -> float:
    """How far a thing is turned about the vertical, -180 to 180 degrees."""
    _, y, _, w = obstacle.rotation
    return (math.degrees(2 * math.atan2(y, w)) + 180) % 360 - 180


def _plain(*values: float) -> list[float]:
    return [plain(float(value)) for value in values]
