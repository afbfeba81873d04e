"""The rules of a maze by other methods: removing steps, counting paths, and replaying the path."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.checks import Check, Problem
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.maze_3d.maze import Cell, Rules, id_of, words_of

Links = dict[Cell, list[Cell]]
Level = dict[Cell, int]


def judge_again(rules: Rules, text: str, progress: Progress = silent) -> list[Check]:
    """The rows of a cross-check: the form of the text, heights, number of paths, and the path replayed."""
    n = rules.size
    lines = re.split(r"\r?\n", text.strip())
    joined = "".join(lines)
    is_grid = len(lines) == n and all(re.fullmatch(f"[0-9AB]{{{n}}}", line) for line in lines)
    if not is_grid or sorted(re.findall("[AB]", joined)) != ["A", "B"]:
        return [Check.of("form", [Problem("The text is not a grid of digits with one A and one B")])]
    level = _levels(lines, rules)
    links = _links(level)
    a, b = (divmod(joined.index(marker), n) for marker in "AB")
    path = _walk(links, a, b)
    rows = [Check.of("form", ()), Check.of("heights", _overused(level, rules))]
    if not path:
        return [*rows, Check.of("path", [Problem("No path from A to B")])]
    return [
        *rows,
        Check.of("path", ()),
        Check.of("no step can be removed", _avoidable(links, path, progress)),
        Check.of("one path counted", _miscounted(count_paths(links, a, b))),
        Check.of("replay", _replayed(level, path, rules)),
    ]


def links_of(text: str, rules: Rules) -> tuple[Links, Cell, Cell]:
    """The possible steps in a well-formed maze, and the cells of A and B."""
    lines = text.split()
    a, b = (divmod("".join(lines).index(marker), rules.size) for marker in "AB")
    return _links(_levels(lines, rules)), a, b


def count_paths(links: Links, a: Cell, b: Cell, limit: int = 2) -> int:
    """Counts simple paths from a to b, up to `limit`: depth first, never entering cells from which b is cut off."""
    count = 0
    path = [a]
    visited = {a}
    choices = [_onward(links, a, b, visited)]
    while choices and count < limit:
        if path[-1] == b or not choices[-1]:
            count += path[-1] == b
            visited.discard(path.pop())
            choices.pop()
            continue
        cell = choices[-1].pop()
        path.append(cell)
        visited.add(cell)
        choices.append([] if cell == b else _onward(links, cell, b, visited))
    return count


def _onward(links: Links, cell: Cell, b: Cell, visited: set[Cell]) -> list[Cell]:
    free = [neighbour for neighbour in links[cell] if neighbour not in visited]
    return free if len(free) < 2 else [neighbour for neighbour in free if _walk(links, neighbour, b, visited)]


def _levels(lines: Sequence[str], rules: Rules) -> Level:
    ends = {"A": rules.start_height, "B": rules.end_height}
    return {(r, c): ends[x] if x in ends else int(x) for r, line in enumerate(lines) for c, x in enumerate(line)}


def _links(level: Level) -> Links:
    """Every walk and jump in both directions, cell by cell."""
    links: Links = {cell: [] for cell in level}
    for (r, c), h in level.items():
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            near = (r + dr, c + dc)
            far = (r + 2 * dr, c + 2 * dc)
            if near in level and abs(level[near] - h) <= 1:
                links[r, c].append(near)
            if far in level and level[far] == h and level[near] + 1 < h:
                links[r, c].append(far)
    return links


def _walk(
    links: Links,
    a: Cell,
    b: Cell,
    closed: set[Cell] | frozenset[Cell] = frozenset(),
    cut: tuple[Cell, Cell] | None = None,
) -> list[Cell]:
    """A path from a to b, depth first; empty if there is none."""
    before: dict[Cell, Cell | None] = {a: None}
    stack = [a]
    while stack and b not in before:
        cell = stack.pop()
        for neighbour in links[cell]:
            if neighbour not in before and neighbour not in closed and (cut is None or {cell, neighbour} != set(cut)):
                before[neighbour] = cell
                stack.append(neighbour)
    path: list[Cell] = []
    step: Cell | None = b if b in before else None
    while step is not None:
        path.append(step)
        step = before[step]
    return path[::-1]


def _overused(level: Level, rules: Rules) -> Iterator[Problem]:
    values = list(level.values())
    for height in sorted(set(values)):
        if values.count(height) / len(values) > rules.cap + 1e-9:
            yield Problem(f"Height {height} is on {counted(values.count(height), 'cell')}")


def _avoidable(links: Links, path: Sequence[Cell], progress: Progress) -> Iterator[Problem]:
    for k, cut in enumerate(pairwise(path)):
        progress(k, len(path), "removing steps")
        other = _walk(links, path[0], path[-1], cut=cut)
        if other:
            places = f"between {words_of(cut[0])} and {words_of(cut[1])}"
            yield Problem(f"The step {places} can be avoided", map(id_of, other))


def _miscounted(count: int) -> Iterator[Problem]:
    if count != 1:
        yield Problem("There are at least two paths")


def _replayed(level: Level, path: Sequence[Cell], rules: Rules) -> Iterator[Problem]:
    """Replays the path by the rules of heights, counting cells and jumps."""
    jumps = 0
    for (r, c), (r2, c2) in pairwise(path):
        far = abs(r - r2) + abs(c - c2) == 2
        between = level[(r + r2) // 2, (c + c2) // 2]
        jumps += far
        legal = level[r, c] == level[r2, c2] and between <= level[r, c] - 2 if far else None
        if legal is False or (legal is None and abs(level[r, c] - level[r2, c2]) > 1):
            yield Problem(f"One cannot go from {words_of((r, c))} to {words_of((r2, c2))}")
    if len(set(path)) / len(level) < rules.coverage - 1e-9:
        yield Problem(f"The path visits {counted(len(path), 'cell')}")
    if jumps < rules.jumps:
        yield Problem(f"The path has {counted(jumps, 'jump')}")
