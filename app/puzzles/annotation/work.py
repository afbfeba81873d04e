"""Functions of background processes for the annotation of a puzzle: open, save, keep, render. Free of Qt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.puzzles.annotation.annotating import (
    Annotation,
    ChangedOnDisk,
    PuzzleFigure,
    Saved,
    Stamp,
    new_figure_name,
    opened,
    save_annotation,
    stamp_of,
    with_keys,
)
from spatial_workbench.engine.puzzles.annotation.decoding import anagrams, word_index
from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer, read_layer, step_figure, write_layer
from spatial_workbench.engine.puzzles.annotation.validation import Files, look_at
from spatial_workbench.engine.puzzles.puzzle import Misread, Puzzle
from spatial_workbench.engine.puzzles.sets.folders import LAYERS, PuzzleFolder, PuzzleSet, SetError
from spatial_workbench.engine.puzzles.sets.pages import PictureError, open_picture, png_of
from spatial_workbench.engine.puzzles.sets.side_files import SideFile, drop, keep, kept
from spatial_workbench.engine.puzzles.sets.storing import recover

MOST_STEPS = 200
MOST_LETTERS = 400_000
THUMBNAIL_PX = (220, 120)


@dataclass(frozen=True)
class Opened:
    """A puzzle for the annotation page.

    Attributes:
        pages: The pages that can be shown, by file name.
        thumbnails: A small picture of each figure that can be shown.
        side: What was not saved the last time.
    """

    annotation: Annotation
    misread: tuple[Misread, ...]
    files: Files
    pages: Mapping[str, bytes]
    thumbnails: Mapping[str, bytes] = field(default_factory=dict)
    side: SideFile | None = None


@dataclass(frozen=True)
class SaveOutcome:
    """How a save went.

    Attributes:
        saved: What has changed; None: nothing was saved.
        files, misread: What the folder holds after that, and what still cannot be read in its file.
        trouble: Why not.
        is_changed_on_disk: Whether another program has changed the puzzle.
        kept_at: Where what was typed is kept instead.
    """

    saved: Saved | None = None
    files: Files | None = None
    misread: tuple[Misread, ...] = ()
    trouble: str = ""
    is_changed_on_disk: bool = False
    kept_at: Path | None = None


@dataclass(frozen=True)
class ShownFigure:
    """A figure as it is opened: its layer, or where there is none, the flat picture."""

    layer: PuzzleLayer | None
    png: bytes


def open_puzzle(path: Path, name: str, is_read_only: bool, progress: Progress = silent) -> Opened:
    """Reads a puzzle with its pages.

    Raises:
        SetError: It cannot be read, or is too large to be edited here.
    """
    puzzles = PuzzleSet(path)
    if not is_read_only:
        recover(puzzles)
    folder = puzzles.folder(name)
    annotation = opened(folder)
    files = look_at(folder)
    _require_editable(name, annotation.puzzle)
    pages = {page: folder.bytes_of(page) for page, fault in files.pages.items() if not fault}
    figures = ((figure, folder.bytes_of(figure)) for figure, fault in files.figures.items() if not fault)
    side = None if is_read_only else kept(path, name)
    misread = folder.read().misread
    return Opened(annotation, misread, files, pages, dict(_thumbnails(figures)), side)


def _require_editable(name: str, puzzle: Puzzle) -> None:
    if len(puzzle.reasoning) > MOST_STEPS:
        raise SetError(f"{name}: reasoning has {len(puzzle.reasoning):,} steps; up to {MOST_STEPS} can be edited here")
    letters = sum(len(step.explanation) for step in puzzle.reasoning) + len(puzzle.flavor_text) + len(puzzle.title)
    if letters > MOST_LETTERS:
        raise SetError(f"{name}: the texts have {letters:,} letters; up to {MOST_LETTERS:,} can be edited here")


def _thumbnails(figures: Iterator[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    for name, png in figures:
        try:
            yield name, thumbnail(png)
        except PictureError:
            continue


def thumbnail(png: bytes) -> bytes:
    """A small picture of a figure.

    Raises:
        PictureError: It cannot be read.
    """
    picture = open_picture(png)
    picture.thumbnail(THUMBNAIL_PX)
    return png_of(picture)


def save(
    path: Path,
    name: str,
    annotation: Annotation,
    sketches: tuple[PuzzleLayer, ...],
    progress: Progress = silent,
) -> SaveOutcome:
    """Saves an annotation; where that fails, keeps it in its side file."""
    puzzles = PuzzleSet(path)
    try:
        saved = save_annotation(puzzles, name, annotation)
        if not sketches:
            drop(path, name)
        folder = puzzles.folder(name)
        return SaveOutcome(saved, look_at(folder), folder.read().misread)
    except ChangedOnDisk as error:
        return SaveOutcome(trouble=str(error), is_changed_on_disk=True)
    except (SetError, OSError) as error:
        return SaveOutcome(trouble=str(error), kept_at=keep_aside(path, name, annotation, sketches))


def keep_aside(
    path: Path, name: str, annotation: Annotation, sketches: tuple[PuzzleLayer, ...], progress: Progress = silent
) -> Path | None:
    """Keeps an annotation in its side file; None where that cannot be written either."""
    try:
        return keep(SideFile.of(path, name, annotation, sketches))
    except OSError:
        return None


def forget_side(path: Path, name: str, progress: Progress = silent) -> None:
    """Removes a side file that a person does not want."""
    drop(path, name)


def stamp(path: Path, name: str, progress: Progress = silent) -> Stamp:
    """The files of a puzzle with their sizes and times; empty if it is gone."""
    try:
        return stamp_of(PuzzleSet(path).folder(name))
    except (SetError, OSError):
        return ()


def render(page: bytes, layer: PuzzleLayer, progress: Progress = silent) -> tuple[PuzzleFigure, bytes]:
    """A page with a layer as a figure, and its small picture.

    Raises:
        PictureError: The page cannot be read.
        Cancelled: Raised by `progress`.
    """
    png = step_figure(page, layer, progress)
    return PuzzleFigure(png, write_layer(layer)), thumbnail(png)


def figure(path: Path, name: str, file: str, fresh: PuzzleFigure | None, progress: Progress = silent) -> ShownFigure:
    """A figure, from memory or from its file.

    Raises:
        SetError: It cannot be read.
        LayerError: Its layer cannot be read.
    """
    if fresh is not None:
        return ShownFigure(read_layer(fresh.layer) if fresh.layer else None, fresh.png)
    folder = PuzzleSet(path).folder(name)
    layers = PuzzleFolder(folder.path / LAYERS)
    layer_file = f"{file.removesuffix('.png')}.json"
    has_layer = not layers.path.is_symlink() and (layers.path / layer_file).is_file()
    return ShownFigure(read_layer(layers.file(layer_file).read_bytes()) if has_layer else None, folder.bytes_of(file))


def add_page(path: Path, name: str, pages: tuple[bytes | Path, ...], progress: Progress = silent) -> None:
    """Adds pages behind those that a puzzle has.

    Raises:
        PictureError: One is no picture.
        SaveFailed: They cannot be written.
    """
    from spatial_workbench.app.puzzles.set_work import page_pngs
    from spatial_workbench.engine.puzzles.sets import storing
    from spatial_workbench.engine.puzzles.sets.pages import page_order

    puzzles = PuzzleSet(path)
    present = puzzles.folder(name).pages()
    first = page_order(present[-1]) + 1 if present else 0
    contents = [content for page in pages for content in page_pngs(page)]
    names = ["content.png" if i == 0 else f"content_{i}.png" for i in range(first, first + len(contents))]
    writes = dict(zip(names, contents, strict=True))
    storing.save(puzzles, name, storing.Change(writes=writes))


def restored(side: SideFile, current: Annotation) -> Annotation:
    """What a side file kept, with the names that figures have now that the puzzle is open again."""
    before = side.annotation
    names = {file: name for name, file in current.files.items()}
    renamed: dict[str, str | None] = {}
    for name in dict.fromkeys(step.figure for step in before.puzzle.reasoning if step.figure):
        if (file := before.files.get(name)) in names:
            renamed[name] = names[str(file)]
        elif name in before.fresh:
            renamed[name] = new = new_figure_name(current)
            current = replace(current, fresh={**current.fresh, new: before.fresh[name]})
        elif name in current.files:
            renamed[name] = None
    steps = [replace(step, figure=renamed.get(step.figure or "", step.figure)) for step in before.puzzle.reasoning]
    return replace(current, puzzle=with_keys(replace(before.puzzle, reasoning=tuple(steps))))


def find_anagrams(text: str, progress: Progress = silent) -> tuple[str, ...]:
    """Words with the same letters; the word list is read the first time."""
    return anagrams(text, word_index())
