"""Made-up traces whose scores and feedback can be computed by hand."""

import numpy as np

from spatial_workbench.engine.machines.results.trace import FRAMES_PER_S, SETTLE_S, Trace

RATE = 240
GRAVITY = 9.81


def at_rest(*place):
    """A motion that stays where it is."""
    return lambda t: np.tile(np.array(place, float), (len(t), 1))


def moving(start, velocity, since=0.0):
    """A motion at constant velocity from a time on."""
    return lambda t: np.array(start) + np.maximum(0, t - since)[:, None] * np.array(velocity)


def thrown(start, velocity, floor=0.95, *, roll=0.0):
    """A parabola from t = 0 down to a floor, along which it goes on at a speed."""
    _, up, forward = velocity
    landing = (up + np.sqrt(up**2 + 2 * GRAVITY * (start[1] - floor))) / GRAVITY

    def motion(t):
        flying = np.clip(t, 0, landing)
        places = np.array(start) + flying[:, None] * np.array(velocity)
        places[:, 1] = np.where(t < landing, places[:, 1] - GRAVITY / 2 * flying**2, floor)
        places[:, 2] += np.maximum(0, t - landing) * roll * np.sign(forward)
        return places

    return motion


def through(places):
    """A motion through places 0.2 s apart."""
    return lambda t: np.stack([np.interp(t, np.arange(len(places)) / 5, axis) for axis in np.transpose(places)], axis=1)


def trace_of(root=None, *, others=None, balls=None, floor=0.95, window=5.0, **more):
    """A trace of blocks and balls that move as they are told; a ball touches the ground where it is as low as it can.

    `others` are the motions of blocks by id, `balls` by name; blocks without one are where the root is.
    """
    root = root or at_rest(0, 1, 0)
    others = others or {}
    balls = balls or {}
    blocks = max([0, *others]) + 1
    times = np.arange(round((SETTLE_S + window) * FRAMES_PER_S) + 1) / FRAMES_PER_S - SETTLE_S
    steps = np.arange(round(window * RATE) + 1) / RATE
    positions = np.stack([others.get(k, root)(times) for k in range(blocks)], axis=1)
    paths = np.stack([motion(steps) for motion in balls.values()] or [np.zeros((len(steps), 0))], axis=1)
    paths = paths.reshape(len(steps), len(balls), 3)
    frames = np.stack([motion(times) for motion in balls.values()], axis=1) if balls else np.zeros((len(times), 0, 3))
    values = {
        "positions": positions,
        "rotations": np.tile([0.0, 0.0, 0.0, 1.0], (len(times), blocks, 1)),
        "velocities": np.gradient(positions, 1 / FRAMES_PER_S, axis=0),
        "attached": np.ones((len(times), blocks), bool),
        "lengths": np.full((len(times), blocks), np.nan),
        "torques": np.full((len(times), blocks), np.nan),
        "ball_names": tuple(balls),
        "balls": np.concatenate([frames, np.tile([0.0, 0.0, 0.0, 1.0], (len(times), len(balls), 1))], axis=2),
        "paths": paths,
        "touches": paths[:, :, 1] <= floor + 1e-9,
        "breaks": (),
        "bonds": (),
        "rate": RATE,
        "fault": "",
        "engine": "made up",
    }
    return Trace(**values | more)
