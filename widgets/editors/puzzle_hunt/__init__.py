"""The editor of puzzle_hunt: the pages with a sketch over them, the solver's steps, and the answer.

answer_pane    the solver's own steps, one a line with its number beside it, and the answer
editor         the puzzle's pages in a sketch pad, and beside them the solver's steps and the answer
page_view      the sketch pad as the view of an editor
"""

from spatial_workbench.widgets.editors.puzzle_hunt.editor import PuzzleHuntEditor

__all__ = ["PuzzleHuntEditor"]
