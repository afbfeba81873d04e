"""The checks of a maze, in the order of docs/tasks/maze_3d.md."""

from __future__ import annotations

from collections.abc import Iterator

from spatial_workbench.engine.core.checks import Check, CheckList, Problem, State
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.maze_3d.graph import MazeStudy, study
from spatial_workbench.engine.tasks.maze_3d.maze import BLANK_CHARACTER, DIGITS, Maze, Rules, id_of, lines_of, words_of

Judged = tuple[list[Check], Maze | None, MazeStudy | None]
"""The rows of a verdict, with maze and routes if the text could be read that far."""

# The text ------------------------------------------------------------------------------------------------------------

text_checks = CheckList()


@text_checks.step("text")
def _text(rules: Rules, text: str) -> Iterator[Problem]:
    if not text.strip():
        yield Problem("No maze text")


@text_checks.step("one A and one B")
def _markers(rules: Rules, text: str) -> Iterator[Problem]:
    for marker in "AB":
        count = text.count(marker)
        hint = f": use capital {marker}" if not count and marker.lower() in text else ""
        if count != 1:
            yield Problem(f"{marker} stands {count} times, not once{hint}", _cells_with(marker, rules, text))


@text_checks.step("rows")
def _rows(rules: Rules, text: str) -> Iterator[Problem]:
    lines = lines_of(text)
    if len(lines) == rules.size:
        return
    before = text[: len(text) - len(text.lstrip())].count("\n")
    for k, line in enumerate(lines, before + 1):
        if not _is_row(line):
            yield Problem(f"Extra text found (line {k})")
    yield Problem(f"Lines: {len(lines)}, rows that are needed: {rules.size}")


@text_checks.step("columns")
def _columns(rules: Rules, text: str) -> Iterator[Problem]:
    for r, line in enumerate(lines_of(text)):
        if len(line) != rules.size:
            cells = [id_of((r, c)) for c in range(rules.size)] if r < rules.size else []
            yield Problem(f"Row {r} has {counted(len(line), 'character')}, {rules.size} are needed", cells)


@text_checks.step("characters")
def _characters(rules: Rules, text: str) -> Iterator[Problem]:
    for r, line in enumerate(lines_of(text)):
        for c, character in enumerate(line):
            if character not in DIGITS and character not in "AB":
                elements = [id_of((r, c))] if max(r, c) < rules.size else []
                what = f"Invalid character '{character}' at {words_of((r, c))}"
                yield Problem(what + _hint(character), elements)


def _is_row(line: str) -> bool:
    """Whether a line is intended as a row: at least half of it is digits and markers."""
    return bool(line) and 2 * sum(character in DIGITS or character in "AB." for character in line) >= len(line)


def _cells_with(character: str, rules: Rules, text: str) -> list[str]:
    lines = lines_of(text)[: rules.size]
    return [id_of((r, c)) for r, line in enumerate(lines) for c, x in enumerate(line[: rules.size]) if x == character]


def _hint(character: str) -> str:
    if character in "ab":
        return ": use capital A and B"
    return ": the cell is empty" if character == BLANK_CHARACTER else ""


# Heights and routes --------------------------------------------------------------------------------------------------

maze_checks = CheckList()


@maze_checks.step("heights")
def _heights(rules: Rules, maze: Maze, routes: MazeStudy) -> Iterator[Problem]:
    for height, count in enumerate(maze.histogram.tolist()):
        if count > rules.most_alike:
            rows, columns = (maze.heights == height).nonzero()
            cells = [id_of(cell) for cell in zip(rows.tolist(), columns.tolist(), strict=True)]
            share = f"{count / rules.cells:.1%}, at most {rules.cap:.0%} are allowed"
            yield Problem(f"Height {height} is on {counted(count, 'cell')}: {share}", cells)


@maze_checks.step("path")
def _path(rules: Rules, maze: Maze, routes: MazeStudy) -> Iterator[Problem]:
    if not routes.path:
        count = len(routes.reached)
        reach = "only A itself" if count == 1 else f"{count} cells"
        yield Problem(f"No path from A to B: from A {reach} can be reached", map(id_of, routes.reached))


route_checks = CheckList()


@route_checks.step("only one path")
def _unique(rules: Rules, maze: Maze, routes: MazeStudy) -> Iterator[Problem]:
    detour = routes.detour
    if detour is None:
        return
    more = f" and {len(detour.through) - 1} more" if len(detour.through) > 1 else ""
    ends = f"leaves the path at {words_of(detour.leaves)} and returns at {words_of(detour.returns)}"
    through = f"it goes through {words_of(detour.through[0])}{more}"
    yield Problem(f"A second route {ends}; {through}", map(id_of, detour.cells))
    loose = f"{len(routes.loose)} of the {counted(len(routes.path) - 1, 'step')} of the path can be avoided"
    yield Problem(loose, [id_of(cell) for k in routes.loose for cell in routes.path[k : k + 2]])


@route_checks.step("coverage")
def _coverage(rules: Rules, maze: Maze, routes: MazeStudy) -> Iterator[Problem]:
    if len(routes.path) < rules.least_visited:
        share = f"{len(routes.path)} of {counted(rules.cells, 'cell')}"
        yield Problem(f"The path visits {share}, at least {rules.least_visited} are needed", map(id_of, routes.path))


@route_checks.step("jumps")
def _jumps(rules: Rules, maze: Maze, routes: MazeStudy) -> Iterator[Problem]:
    count = len(routes.jump_steps)
    if count < rules.jumps:
        yield Problem(
            f"The path has {counted(count, 'jump')}, at least {rules.jumps} are needed", map(id_of, routes.path)
        )


def judge(rules: Rules, text: str) -> Judged:
    """All checks. The text is checked as a whole before heights and path, and these before what a path must have."""
    rows = text_checks.run(rules, text, stop_at_first=False)
    if not _all_good(rows):
        return [*rows, *_not_reached(maze_checks), *_not_reached(route_checks)], None, None
    maze = Maze.read(text, rules)
    return judge_maze(rules, maze, rows)


def judge_maze(rules: Rules, maze: Maze, rows: list[Check]) -> Judged:
    """The checks of a maze; `rows` holds those of its text."""
    routes = study(maze)
    rows = rows + maze_checks.run(rules, maze, routes, stop_at_first=False)
    if routes.path:
        return [*rows, *route_checks.run(rules, maze, routes, stop_at_first=False)], maze, routes
    return [*rows, *_not_reached(route_checks)], maze, routes


def _all_good(rows: list[Check]) -> bool:
    return all(row.state is State.PASSED for row in rows)


def _not_reached(checks: CheckList) -> list[Check]:
    return [Check.not_reached(name) for name in checks.names]


# The published verifier ----------------------------------------------------------------------------------------------

published_checks = CheckList()


@published_checks.step("one A and one B")
def _published_markers(rules: Rules, text: str) -> Iterator[Problem]:
    if text.count("A") != 1 or text.count("B") != 1:
        yield Problem("There must be one A and one B")


@published_checks.step("rows")
def _published_rows(rules: Rules, text: str) -> Iterator[Problem]:
    count = len(text.strip().split("\n"))
    if count != rules.size:
        yield Problem(f"Lines: {count}, rows that are needed: {rules.size}")


@published_checks.step("columns")
def _published_columns(rules: Rules, text: str) -> Iterator[Problem]:
    if any(len(line) != rules.size for line in text.strip().split("\n")):
        yield Problem(f"Every line has to have {counted(rules.size, 'character')}; a carriage return is one")


@published_checks.step("characters")
def _published_characters(rules: Rules, text: str) -> Iterator[Problem]:
    """Digits of every script pass; those without a decimal value, such as superscripts, make it raise."""
    for character in sorted(set(text.strip()) - set("AB\n")):
        if not character.isdecimal():
            yield Problem(f"Invalid character '{character}'")


def judge_published(rules: Rules, text: str) -> Judged:
    """The checks of the published verifier: it keeps carriage returns, and reads digits of other scripts."""
    rows = published_checks.run(rules, text)
    if not _all_good(rows):
        return [*rows, *_not_reached(maze_checks), *_not_reached(route_checks)], None, None
    latin = "".join(str(int(x)) if x.isdecimal() else x for x in text.strip())
    return judge_maze(rules, Maze.read(latin, rules), rows)
