"""The reference solution: a block of people on the axis of the shadow that neither camera sees."""

from __future__ import annotations

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.hide_and_seek.field import CrowdField
from spatial_workbench.engine.tasks.hide_and_seek.pixels import fitted_camera, red_pixels, render, sniper_camera

_DEPTHS = (17.0, 14.0, 20.0, 11.0, 23.0, 9.0)


def hide(field: CrowdField) -> Floats:
    """Places for everybody, (n, 2): the block, out of several, with the fewest visible pixels.

    The block is as square as the shadow allows, since a long or lopsided crowd moves the published camera.
    """
    places = field.places()
    away = -np.array(field.sniper[:2]) / np.hypot(*field.sniper[:2])
    blocks = [_block(places, away * depth, field.people) for depth in _DEPTHS]
    blocks.append(places[: field.people])
    best = blocks[0]
    fewest = np.inf
    for block in blocks:
        cameras = (fitted_camera(field, block), sniper_camera(field))
        red = sum(red_pixels(render(field, block, camera)) for camera in cameras) if len(block) else 0
        if red < fewest:
            best = block
            fewest = red
        if red == 0:
            break
    return best


def _block(places: Floats, center: Floats, count: int) -> Floats:
    distance = np.abs(places - center).max(axis=1)
    return np.asarray(places[np.argsort(distance.round(6), kind="stable")[:count]])
