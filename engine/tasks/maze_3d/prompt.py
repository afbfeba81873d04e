"""The prompt of the 3D maze."""

from spatial_workbench.engine.tasks.maze_3d.maze import Rules

EXAMPLE = "33A7\n4619\n2043\n455B"
"""A maze with A at height 3 and B at height 2: ten cells, one jump, no height on more than four of 16 cells."""


def prompt_text(rules: Rules) -> str:
    """Everything that a solver has to know."""
    n = rules.size
    return f"""Design a maze: a square grid of {n} x {n} cells, each with a whole height from 0 to 9. Two cells are \
marked: the start A has height {rules.start_height}, the goal B has height {rules.end_height}.

How one moves, always up, down, left or right, never diagonally, and both ways alike:
- Walk to a neighbouring cell if the heights of the two differ by at most 1.
- Jump straight over one cell to the cell behind it if start and landing have the same height and the cell between is \
lower by 2 or more.

The maze has to fulfil all of this:
- There is exactly one path from A to B that visits no cell twice.
- The path makes at least {rules.jumps} jumps.
- The path visits at least {rules.coverage:.0%} of all cells, that is {rules.least_visited}; A and B count, cells that \
are jumped over do not.
- No height is on more than {rules.cap:.0%} of all cells, that is at most {rules.most_alike} cells; A and B count with \
their heights.

The score is 1 if everything is fulfilled, else 0.

Answer with the grid and nothing else: {n} lines of {n} characters, no spaces. A character is the height of its cell, \
or A or B, each of which stands exactly once. The form, by a maze of 4 x 4 cells with A at height 3 and B at height 2:

{EXAMPLE}

Its only path goes left from A, down, jumps over the 2, goes right along the last row, up to the 4, right and down to B.
"""
