"""Reference solutions as calls of commands, by the address of an instance."""

from collections.abc import Iterator
from typing import Any

Call = tuple[str, Any]


def _lego(task, instance) -> Iterator[Call]:
    for brick in task.solve(instance).bricks[:8]:
        x, y, z = brick.Centroid
        layer = round((z - 4.8) / 9.6)
        yield "place", {"x_mm": x, "y_mm": y, "layer": layer, "turn_deg": brick.RotationDegrees}


def _packing(task, instance) -> Iterator[Call]:
    from tests.tasks.test_pack_prisms_commands import calls_to

    yield from calls_to(instance, task.solve(instance))


def _voxels(task, instance) -> Iterator[Call]:
    yield "set", {"cells": [list(voxel.xyz) for voxel in task.solve(instance).voxels]}


def _earthworks(task, instance) -> Iterator[Call]:
    for one in task.solve(instance).earthworks[:10]:
        yield one.material.lower(), {"low": list(one.xyzMin), "high": list(one.xyzMax)}


def _maze(task, instance) -> Iterator[Call]:
    from tests.tasks.test_maze_3d_commands import calls_to

    answer = task.empty(instance)
    for name, arguments in calls_to(task.solve(instance)):
        from tests.tasks.acting import after

        later = after(task, instance, (name, arguments), answer=answer)
        if later != answer:
            yield name, arguments
        answer = later


def _snake(task, instance) -> Iterator[Call]:
    from tests.tasks.test_hyper_snake_commands import corners

    yield "draw", {"path": corners(task.solve(instance).cells)}


def _rectangles(task, instance) -> Iterator[Call]:
    for x0, y0, x1, y1 in task.solve(instance).rectangles:
        yield "rectangle", {"corner": [x0, y0], "opposite": [x1, y1]}


def _cube(task, instance) -> Iterator[Call]:
    yield "move", {"moves": instance.parameters["solution"]}


def _terrain(task, instance) -> Iterator[Call]:
    yield "blast_all", {"blasts": [list(charge) for charge in task.solve(instance).charges]}


def _digits(task, instance) -> Iterator[Call]:
    items = task.solve(instance).numberSequence
    text = "".join(str(item.digit) for item in items)
    yield "set", {"text": text, "orientations": [item.orientation.value for item in items]}


def _formula(task, instance) -> Iterator[Call]:
    yield "set", {"text": task.solve(instance).function}


def _labels(task, instance) -> Iterator[Call]:
    for k, label in enumerate(task.solve(instance).labels):
        yield "set", {"squares": [k], "label": label}


def _edges(task, instance) -> Iterator[Call]:
    for k, pairs in enumerate(task.solve(instance).edges):
        if pairs:
            yield "set", {"square": k, "pairs": list(map(list, pairs))}


def _segments(task, instance) -> Iterator[Call]:
    for k, (a, b) in enumerate(task.solve(instance).segments):
        yield "segment", {"segment": k, "start": list(a), "end": list(b)}


_MAKERS = {
    "lego_hemisphere:0": _lego,
    "pack_prisms:0": _packing,
    "voxel_projection:0": _voxels,
    "fluid_simulation:0": _earthworks,
    "maze_3d:0": _maze,
    "hyper_snake:0": _snake,
    "shikaku:0": _rectangles,
    "cube_full_symbolic:3": _cube,
    "cube_vertex_view:3": _cube,
    "terrain_levelling:0": _terrain,
    "printable_prime:0": _digits,
    "polynomial_fit:0": _formula,
    "classify_behaviour:0": _labels,
    "enumerate_edges:0": _edges,
    "two_segments:0": _segments,
}
SCRIPTS = {address: (lambda task, instance, make=make: list(make(task, instance))) for address, make in _MAKERS.items()}
"""Makes the list of calls from the task and the instance."""
