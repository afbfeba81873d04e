"""The editor of puzzle_hunt: the pages with a sketch over them, the solver's steps, and the answer."""

from spatial_workbench.widgets.editors.puzzle_hunt.editor import PuzzleHuntEditor

__all__ = ["PuzzleHuntEditor"]
