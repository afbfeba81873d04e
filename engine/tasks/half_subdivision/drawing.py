"""Drawings of subdivisions: the whole square in the plane; in space the target and what lies around it, drawn apart."""

from collections.abc import Collection, Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Boxes, Floats, Item, Label, Polyline, Scene
from spatial_workbench.engine.tasks.half_subdivision.tree import AXES, Tree

APART = 1.5
"""How far from the target cells in space are drawn; 1 is their true place."""
_SHRINK = 0.94
LABELLED = 40
"""Labels are drawn for at most this many cells."""


def draw(
    tree: Tree,
    chosen: Sequence[str],
    apart: float = APART,
    whole: bool = False,
    hidden: Collection[str] = (),
) -> Scene:
    """The cells; `whole` shows all of them in space too, `hidden` leaves some out."""
    flat = tree.dimension == 2
    shown = tree.leaves if flat or whole else (tree.target, *tree.around, *(c for c in chosen if c in tree.index))
    labels = [label for label in dict.fromkeys(shown) if label not in hidden]
    boxes = tree.boxes[[tree.index[label] for label in labels]] / (1 << tree.depth)
    centers = boxes.mean(axis=2)
    sizes = boxes[..., 1] - boxes[..., 0]
    if flat:
        centers = _lifted(centers)
        sizes = _lifted(sizes, 0.001)
    else:
        middle = tree.box(tree.target).mean(axis=1) / (1 << tree.depth)
        centers = middle + apart * (centers - middle)
        sizes = sizes * _SHRINK
    cells = Boxes(
        name="cells",
        ids=[f"cell {label}" for label in labels],
        centers=centers,
        sizes=sizes,
        colors=[_color(tree, label, chosen) for label in labels],
    )
    items: list[Item] = [cells, *_names(labels, centers, tree, chosen, flat)]
    if not flat:
        items += _cube(apart, middle)
    axes = ("x", "y", "") if flat else ("x", "y", "z")
    return Scene(items=items, flat=flat, axes=axes)


def _color(tree: Tree, label: str, chosen: Sequence[str]) -> str:
    if label == tree.target:
        return "accent"
    return "series 1" if label in chosen else "neutral"


def _names(labels: Sequence[str], centers: Floats, tree: Tree, chosen: Sequence[str], flat: bool) -> list[Item]:
    named = labels if flat and len(labels) <= LABELLED else [tree.target, *(chosen if flat else ())]
    return [
        Label(
            id=f"name {label}",
            position=tuple(centers[labels.index(label)][: 2 if flat else 3].tolist()),
            text="target" if label == tree.target and not flat else label,
            size_px=10,
        )
        for label in dict.fromkeys(named)
        if label in labels
    ]


def _cube(apart: float, middle: Floats) -> list[Item]:
    """The edges of the whole cube."""
    items: list[Item] = []
    for axis in range(3):
        others = [a for a in range(3) if a != axis]
        for u in (0, 1):
            for v in (0, 1):
                ends = np.zeros((2, 3))
                ends[:, others[0]] = u
                ends[:, others[1]] = v
                ends[:, axis] = (0, 1)
                points = middle + apart * (ends - middle)
                items.append(Polyline(id=f"edge {AXES[axis]}{u}{v}", points=points, width_px=1, pickable=False))
    return items


def _lifted(points: Floats, z: float = 0.0) -> Floats:
    return np.column_stack([points, np.full(len(points), z)])
