"""Writes annotations of a log into the folders of a set, with figures that are drawn anew from their sketches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from spatial_workbench.engine.puzzles.annotation.annotating import Annotation, PuzzleFigure, opened, save_annotation
from spatial_workbench.engine.puzzles.annotation.layers import LayerError, read_layer, step_figure
from spatial_workbench.engine.puzzles.annotation.review import Review
from spatial_workbench.engine.puzzles.puzzle import Puzzle, read_metadata
from spatial_workbench.engine.puzzles.sets.folders import PuzzleFolder, PuzzleSet, figure_number


def write_into(puzzles: PuzzleSet, review: Review, metadata: str) -> str:
    """Writes an annotation into a puzzle's folder, unless somebody would lose what they wrote there.

    Returns:
        Why it was not written, in a sentence; empty if it was, or if the folder holds it already.

    Raises:
        SetError: The puzzle cannot be read.
        SaveFailed: It cannot be written.
        ChangedOnDisk: Another program changes it at this moment.
    """
    folder = puzzles.folder(review.folder)
    annotation = opened(folder)
    wanted = read_metadata(metadata).puzzle
    if holds(annotation.puzzle, wanted):
        return ""
    if not _may_replace(folder, annotation.puzzle, review):
        return f"{review.folder} was edited after it was sent to review; it stays as it is"
    layers = review.layers
    if review.base and review.adjudicated is not None and wanted == read_metadata(review.original).puzzle:
        # Figures of the folder may have the names of other ones.
        wanted, layers = _with_new_names(wanted, layers, annotation)
    fresh = _fresh_figures(folder, annotation, wanted, layers)
    missing = [name for name in _names(wanted) if name not in annotation.files and name not in fresh]
    if missing:
        return f"{review.folder} needs {missing[0]}, which is not here; copy it from the folder of {review.author}"
    save_annotation(puzzles, review.folder, replace(annotation, puzzle=wanted, fresh=fresh))
    return ""


def holds(puzzle: Puzzle, wanted: Puzzle) -> bool:
    """Whether a puzzle is what is wanted; on saving, figures are numbered in the order of the steps."""
    return _with_numbered_figures(puzzle) == _with_numbered_figures(wanted)


def _may_replace(folder: PuzzleFolder, puzzle: Puzzle, review: Review) -> bool:
    is_bare = not any(step.explanation.strip() for step in puzzle.reasoning)
    is_before_the_third = bool(review.base) and folder.version() == review.base
    is_from_log = any(holds(puzzle, read_metadata(text).puzzle) for text in (review.original, *review.earlier))
    return is_bare or is_before_the_third or is_from_log


def _with_new_names(wanted: Puzzle, layers: Mapping[str, str], annotation: Annotation) -> tuple[Puzzle, dict[str, str]]:
    """An annotation whose figures have names that none of the folder has, and its sketches by these names."""
    most = max(map(figure_number, (*annotation.files, *annotation.held)), default=0)
    names = {name: f"figure_{most + k}.png" for k, name in enumerate(_names(wanted), 1)}
    steps = (replace(step, figure=names.get(step.figure or "")) for step in wanted.reasoning)
    return replace(wanted, reasoning=tuple(steps)), {names.get(name, name): text for name, text in layers.items()}


def _fresh_figures(
    folder: PuzzleFolder, annotation: Annotation, wanted: Puzzle, layers: Mapping[str, str]
) -> dict[str, PuzzleFigure]:
    """The figures that the folder lacks, drawn from their sketches."""
    fresh: dict[str, PuzzleFigure] = {}
    for name in _names(wanted):
        if name in annotation.files or name not in layers:
            continue
        try:
            layer = read_layer(layers[name].encode())
        except LayerError:
            continue
        if layer.page in folder.pages():
            fresh[name] = PuzzleFigure(step_figure(folder.bytes_of(layer.page), layer), layers[name].encode())
    return fresh


def _names(puzzle: Puzzle) -> list[str]:
    return list(dict.fromkeys(step.figure for step in puzzle.reasoning if step.figure))


def _with_numbered_figures(puzzle: Puzzle) -> Puzzle:
    numbers = {name: str(k) for k, name in enumerate(_names(puzzle), 1)}
    steps = (replace(step, figure=numbers.get(step.figure or "")) for step in puzzle.reasoning)
    return replace(puzzle, reasoning=tuple(steps))
