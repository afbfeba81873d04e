"""Solves the original puzzles from what their pages show alone."""

import itertools

import numpy as np

SEMAPHORE = {
    letter: pair
    for letters, pairs in [("ABCDEFG", [(0, i) for i in range(1, 8)]), ("HIKLMN", [(1, i) for i in range(2, 8)])]
    for letter, pair in zip(letters, pairs, strict=True)
} | dict(
    zip(
        "OPQRSTUYJVWXZ",
        [(2, 3), (2, 4), (2, 5), (2, 6), (2, 7), (3, 4), (3, 5), (3, 6), (4, 6), (4, 7), (5, 6), (5, 7), (6, 7)],
        strict=True,
    )
)
BRAILLE = {(1,): 1, (1, 2): 2, (1, 4): 3, (1, 4, 5): 4, (1, 5): 5, (1, 2, 4): 6, (1, 2, 4, 5): 7, (1, 2, 5): 8}


def dials(content):
    letters = {pair: letter for letter, pair in SEMAPHORE.items()}
    in_order = sorted(content["dials"], key=lambda dial: dial["waves"])
    return "".join(letters[tuple(dial["hands"])] for dial in in_order)


def braille(content, answers):
    """The letters that the braille digits count to; the answers to the clues come from a person."""
    assert [len(answer) for answer in answers] == [row["length"] for row in content["rows"]]
    return "".join(a[BRAILLE[tuple(row["dots"])] - 1] for a, row in zip(answers, content["rows"], strict=True))


def neighbours(maze, cell):
    x, y = cell
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        other = x + dx, y + dy
        if 0 <= other[0] < maze["width"] and 0 <= other[1] < maze["height"]:
            left, top = min(x, other[0]), min(y, other[1])
            if (maze["open_east"] if dx else maze["open_south"])[top][left] == "1":
                yield other


def passages(maze):
    return sum(row.count("1") for row in maze["open_east"]) + sum(row.count("1") for row in maze["open_south"])


def route(maze):
    """The only route: in a spanning tree, the search cannot find another."""
    path = [tuple(maze["start"])]
    seen = {tuple(maze["start"])}

    def walk():
        if path[-1] == tuple(maze["end"]):
            return True
        for other in neighbours(maze, path[-1]):
            if other not in seen:
                seen.add(other)
                path.append(other)
                if walk():
                    return True
                path.pop()
        return False

    assert walk()
    return path


def reachable(maze):
    seen = {tuple(maze["start"])}
    front = [tuple(maze["start"])]
    while front:
        front = [n for cell in front for n in neighbours(maze, cell) if n not in seen]
        seen.update(front)
    return seen


def runs_of(cells):
    return [len(list(group)) for shaded, group in itertools.groupby(cells) if shaded] or [0]


def nonograms(content):
    """All solutions: rows are tried from the top, and dropped as soon as a column can no longer fit."""
    width, height = content["size"]
    options = [
        [c for c in (np.array(bits) for bits in itertools.product((False, True), repeat=width)) if runs_of(c) == row]
        for row in content["row_clues"]
    ]
    columns = [
        [
            c
            for c in (np.array(bits) for bits in itertools.product((False, True), repeat=height))
            if runs_of(c) == column
        ]
        for column in content["col_clues"]
    ]

    def fill(rows, left):
        if len(rows) == height:
            yield np.array(rows)
            return
        for row in options[len(rows)]:
            kept = [[c for c in column if c[len(rows)] == row[x]] for x, column in enumerate(left)]
            if all(kept):
                yield from fill([*rows, row], kept)

    return list(fill([], columns))


def lid(net):
    """The letter opposite to the star: the net is folded by carrying a frame from square to square."""
    cells = {(x, y): mark for y, row in enumerate(net) for x, mark in enumerate(row) if mark != "."}
    star = next(cell for cell, mark in cells.items() if mark == "*")
    normals = {star: ((0, 0, -1), (1, 0, 0), (0, 1, 0))}
    front = [star]
    while front:
        x, y = front.pop()
        normal, right, down = (np.array(v) for v in normals[x, y])
        for cell, frame in {
            (x + 1, y): (right, -normal, down),
            (x - 1, y): (-right, normal, down),
            (x, y + 1): (down, right, -normal),
            (x, y - 1): (-down, right, normal),
        }.items():
            if cell in cells and cell not in normals:
                normals[cell] = tuple(tuple(v) for v in frame)
                front.append(cell)
    return next(cells[cell] for cell, (normal, _, _) in normals.items() if normal == (0, 0, 1))
