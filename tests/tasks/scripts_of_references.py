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


def _triangles(task, instance) -> Iterator[Call]:
    for corners in task.solve(instance).triangles:
        yield "triangle", {"points": list(corners)}


def _loop(task, instance) -> Iterator[Call]:
    cells = [list(cell) for cell in task.solve(instance).cells]
    yield "draw", {"cells": [*cells, cells[0]]}


def _pipes(task, instance) -> Iterator[Call]:
    for x, y in task.solve(instance).places:
        yield "pipe", {"x_m": x, "y_m": y}


def _crowd(task, instance) -> Iterator[Call]:
    for person in task.solve(instance).people:
        yield "person", {"x_m": person.xy[0], "y_m": person.xy[1]}


def _tetrahedra(task, instance) -> Iterator[Call]:
    for piece in task.solve(instance).tetrahedrons[:12]:
        yield "place", piece.model_dump()


def _polyhedron(task, instance) -> Iterator[Call]:
    reference = task.solve(instance)
    yield "vertices", {"points_cm": reference.vertices.tolist()}
    yield "faces", {"loops": [list(face) for face in reference.faces]}


def _cage(task, instance) -> Iterator[Call]:
    from tests.tasks.test_interlocking_parts_commands import calls_to

    yield from calls_to(task.solve(instance))


def _patterns(task, instance) -> Iterator[Call]:
    for config in task.solve(instance).configs:
        yield "list", {"configs": [list(config)]}


def _cells(task, instance) -> Iterator[Call]:
    for label in task.solve(instance).neighbors:
        yield "list", {"labels": [label]}


def _machine(task, instance) -> Iterator[Call]:
    from tests.tasks.test_machine_commands import calls_to

    yield from calls_to(task.solve(instance))


def _puzzle(task, instance) -> Iterator[Call]:
    *steps, last = task.solve(instance).text.splitlines()
    yield "answer", {"text": last.removeprefix("Answer: "), "steps": "\n".join(steps)}


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
    "delaunay:0": _triangles,
    "hamiltonian_loop:1": _loop,
    "pipe_loop:1": _pipes,
    "hide_and_seek:0": _crowd,
    "tetrahedra_shadow:0": _tetrahedra,
    "csg_union:0": _polyhedron,
    "interlocking_parts:0": _cage,
    "topology_enumeration:0": _patterns,
    "half_subdivision:0": _cells,
    "machine_movement:0": _machine,
    "puzzle_hunt:0": _puzzle,
}
SCRIPTS = {address: (lambda task, instance, make=make: list(make(task, instance))) for address, make in _MAKERS.items()}
"""Makes the list of calls from the task and the instance."""
