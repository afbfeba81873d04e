"""Combines pictures: merges a ghost by depth, draws outlines around masks, places samples in a pixel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Depths = NDArray[np.float32]
Mask = NDArray[np.bool_]

SHINING_THROUGH = 0.8
"""How much of a ghost's opacity remains behind something see-through."""


def merge_ghost(
    under: Bytes, clear_depth: Depths, solid_depth: Depths, ghost: Bytes, ghost_depth: Depths, opacity: float
) -> Bytes:
    """A picture (h, w, 4) with a ghost in it, hidden where something solid is nearer."""
    out = under.copy()
    seen = (ghost_depth < 1.0) & (ghost_depth <= solid_depth)
    share = np.where(ghost_depth < clear_depth, opacity, opacity * SHINING_THROUGH)[seen][:, None]
    out[seen] = np.round(under[seen] * (1 - share) + ghost[seen] * share)
    out[..., 3] = 255
    return out


def outline(mask: Mask, width: int) -> Bytes:
    """The opacity (h, w) of a soft line of about `width` pixels outside a mask."""
    reach = width + 1
    padded = np.pad(mask, reach).astype(np.uint8)
    near = _box_max(padded, width)
    soft = _box_sum(near.astype(np.uint16), 1)
    opacity = (soft * 255 // 9).astype(np.uint8)
    opacity[padded == 1] = 0
    inner = slice(reach, -reach)
    return opacity[inner, inner]


def tinted(opacity: Bytes, rgb: tuple[float, float, float]) -> Bytes:
    """A colour with an opacity per pixel, premultiplied: (h, w, 4)."""
    out = np.empty((*opacity.shape, 4), np.uint8)
    for channel, value in enumerate(rgb):
        out[..., channel] = opacity * value
    out[..., 3] = opacity
    return out


def over(top: Bytes, under: Bytes) -> Bytes:
    """Premultiplied pixels (h, w, 4) laid over solid ones."""
    rest = 255 - top[..., 3:].astype(np.uint16)
    out = top + (under * rest + 127) // 255
    out[..., 3] = 255
    return out.astype(np.uint8)


def _box_max(values: Bytes, reach: int) -> Bytes:
    for axis in (0, 1):
        out = values.copy()
        for step in range(1, reach + 1):
            np.maximum(out, np.roll(values, step, axis), out=out)
            np.maximum(out, np.roll(values, -step, axis), out=out)
        values = out
    return values


def _box_sum(values: NDArray[np.uint16], reach: int) -> NDArray[np.uint16]:
    for axis in (0, 1):
        out = values.copy()
        for step in range(1, reach + 1):
            out += np.roll(values, step, axis)
            out += np.roll(values, -step, axis)
        values = out
    return values


def sample_places(count: int) -> NDArray[np.float64]:
    """Where in a pixel `count` samples lie, (count, 2) about its middle: the R2 sequence, evenly spread."""
    step = np.array([0.7548776662466927, 0.5698402909980532])
    places: NDArray[np.float64] = (0.5 + np.arange(count)[:, None] * step) % 1.0
    places -= places.mean(axis=0)
    return places
