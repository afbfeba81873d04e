"""Attention items: instances of the plan's own tasks that everybody who pays attention solves.

A wrong answer to one of them has to mean carelessness. So only tasks are listed here that have such instances; a plan
without any of these gets an instance of a task of the same kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import dist
from typing import Any

from spatial_workbench.engine.core import Instance, InstanceError, resolve, task
from spatial_workbench.engine.core.instance import task_of_address

Addresses = Callable[[Sequence[Instance]], Iterable[str]]
"""The addresses of a task's easy instances, those first that are most like the given instances of the task."""
Size = tuple[int, int]

LOOP = "hamiltonian_loop"
_SEEDS = range(1, 41)
_ONE_TRIANGULATION = (4, 5, 6, 13, 19, 21, 25, 26, 27, 29, 32, 36, 37, 44, 51, 52, 56, 57, 63, 66)
"""Seeds of four points, one of which lies inside the triangle of the others."""
_TURNED_ONCE = range(5)
"""The numbers of published cubes that one turn solves."""


def attention_address(main: Sequence[str], attention: Sequence[str] = (), others: Sequence[str] = ()) -> str:
    """An easy instance of a task of the main items, in a size like theirs, that the plan does not have yet.

    Tasks that the fewest attention items are of come first, then those that the main items are most of. If none of
    these has an easy instance that is left, one of a task of the same bucket or family is given, else a loop in a grid.

    Args:
        main: The addresses of the main items among which it will stand.
        attention: Those of the attention items that there are already.
        others: Those of all other items of the plan.
    """
    for task_id in _tasks_by_need(main, attention):
        known = {task(task_id).question_key(instance) for instance in _instances(task_id, (*main, *attention, *others))}
        if address := _first_new(EASY[task_id](_instances(task_id, main)), known):
            return address
    return next(iter(_loops(())))


def _tasks_by_need(main: Sequence[str], attention: Sequence[str]) -> Iterator[str]:
    """The tasks that have easy instances, in the order in which they are tried."""
    asked = Counter(map(task_of_address, main))
    checked = Counter(map(task_of_address, attention))
    own = sorted(asked, key=lambda name: (checked[name], -asked[name]))
    yield from (name for name in own if name in EASY)
    yield from dict.fromkeys(other for name in own for other in _of_the_kind_of(name))
    yield LOOP


def _of_the_kind_of(task_id: str) -> list[str]:
    """The tasks with easy instances that are of the same family as a task, those of its bucket first."""
    try:
        chosen = task(task_id)
    except KeyError:
        return []
    others = [task(name) for name in EASY if task(name).family == chosen.family]
    return [other.id for other in sorted(others, key=lambda other: other.bucket != chosen.bucket)]


def _first_new(addresses: Iterable[str], known: Collection[str]) -> str:
    """The first address that asks none of the known questions; empty if there is none."""
    for address in addresses:
        try:
            chosen, instance = resolve(address)
        except InstanceError:
            continue
        if chosen.question_key(instance) not in known:
            return instance.address
    return ""


def _instances(task_id: str, addresses: Iterable[str]) -> list[Instance]:
    """The instances of a task among addresses; those that mean nothing are left out.

    So are generated cubes: it takes seconds to draw one, and none is as near to solved as those that are compared.
    """
    found = []
    for address in addresses:
        is_slow = task_id.startswith("cube_") and "@" in address
        if task_of_address(address) == task_id and not is_slow:
            try:
                found.append(resolve(address)[1])
            except InstanceError:
                continue
    return found


# Easy instances -----------------------------------------------------------------------------------------------------


def _loops(like: Sequence[Instance]) -> Iterator[str]:
    """Grids of up to 8 × 8 cells without obstacles."""
    sizes = [(p["height"], p["width"]) for p in _parameters(like)] or [(2, 4)]
    for height, width in _nearest(product((2, 4, 6, 8), (2, 4, 6, 8)), sizes):
        yield f"{LOOP}@1?blocked=0&height={height}&width={width}"


def _divided_grids(like: Sequence[Instance]) -> Iterator[str]:
    """Boards of 5 × 5 or 6 × 6 cells whose rectangles have at most 4 or 6 of them."""
    sizes = [(len(p["grid"]), len(p["grid"][0])) for p in _parameters(like)] or [(5, 5)]
    areas = {(5, 5): 4, (6, 6): 6}
    for (height, width), seed in product(_nearest(areas, sizes), _SEEDS):
        area = areas[height, width]
        yield f"shikaku@{seed}?height={height}&largest_area={area}&long_share=0&width={width}"


def _triangulated(_: Sequence[Instance]) -> Iterator[str]:
    """Four points that can be triangulated in one way only."""
    return (f"delaunay@{seed}?points=4" for seed in _ONE_TRIANGULATION)


def _pipes(like: Sequence[Instance]) -> Iterator[str]:
    """Loops of 4, 6 or 8 pipes without constraints, in a square that has room for them."""
    sizes = [(p["pipes"], p["side"]) for p in _parameters(like)] or [(4, 2)]
    for pipes, side in _nearest(product((4, 6, 8), range(2, 9)), sizes):
        yield f"pipe_loop@1?pipes={pipes}&preset=none&side={side}"


def _cuts(like: Sequence[Instance]) -> Iterator[str]:
    """Frames that two diagonals cut into triangles, or two lines from side to side into quadrilaterals."""
    frames = Counter("unit" if p["frame"] == "unit" else "quadrilateral" for p in _parameters(like))
    names = dict.fromkeys((*(name for name, _ in frames.most_common()), "unit", "quadrilateral"))
    for frame, seed, target in product(names, _SEEDS[:10], ("4T", "4Q")):
        yield f"two_segments@{seed}?frame={frame}&grid=without&partition={target}"


def _rows_of_boxes(_: Sequence[Instance]) -> Iterator[str]:
    """A few equal boxes, which fill a larger one in any row."""
    return (f"pack_prisms@{seed}?boxes=2&classes=1&largest_side={side}" for side, seed in product((3, 5), _SEEDS))


def _cubes(task_id: str) -> Addresses:
    """Cubes that one turn solves."""
    return lambda _: (f"{task_id}:{number}" for number in _TURNED_ONCE)


def _parameters(like: Sequence[Instance]) -> list[Mapping[str, Any]]:
    return [instance.parameters for instance in like]


def _nearest(sizes: Iterable[Size], wanted: Sequence[Size]) -> list[Size]:
    """Sizes, those first that are nearest to a wanted one; of equally near ones, the smallest that is not too small."""
    smallest = min(map(sum, wanted))
    return sorted(
        sizes,
        key=lambda size: (min(dist(size, other) for other in wanted), sum(size) < smallest, sum(size)),
    )


EASY: Mapping[str, Addresses] = {
    LOOP: _loops,
    "shikaku": _divided_grids,
    "delaunay": _triangulated,
    "pipe_loop": _pipes,
    "pack_prisms": _rows_of_boxes,
    "two_segments": _cuts,
    "cube_full_visual": _cubes("cube_full_visual"),
    "cube_full_symbolic": _cubes("cube_full_symbolic"),
}
"""The tasks that have such instances."""
