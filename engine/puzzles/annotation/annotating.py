"""Saving an annotation: steps may have been moved and deleted, and their figures follow in one change of files.

While a puzzle is open, its figures keep the names that they had when it was opened, or were given when they were
made. Files are renamed only on saving, to the order of the steps; so a history of changes stays valid across saves.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep, write_metadata
from spatial_workbench.engine.puzzles.sets.folders import LAYERS, METADATA, PuzzleFolder, PuzzleSet, figure_number
from spatial_workbench.engine.puzzles.sets.pages import is_figure_name
from spatial_workbench.engine.puzzles.sets.storing import Change, save

Stamp = tuple[tuple[str, int, int], ...]
"""The files of a puzzle with their sizes and times, by which a change from elsewhere is noticed."""


@dataclass(frozen=True)
class PuzzleFigure:
    """The content of a figure: PNG, and the layer it was drawn from, if there is one."""

    png: bytes
    layer: bytes | None = None


@dataclass(frozen=True)
class Annotation:
    """A puzzle as it is being edited.

    Attributes:
        puzzle: Its steps name figures by the names that these have while the puzzle is open.
        files: The file that holds a figure at present, by name; every figure of the folder is in it.
        held: Names that steps had when the puzzle was last read or saved; if no step has one now, its file goes.
        fresh: Figures that may not be in the folder.
        stamp: The files as they were when the puzzle was last read or saved.
    """

    puzzle: Puzzle
    files: Mapping[str, str] = field(default_factory=dict)
    held: Collection[str] = ()
    fresh: Mapping[str, PuzzleFigure] = field(default_factory=dict)
    stamp: Stamp = ()


@dataclass(frozen=True)
class Saved:
    """What a save has changed: new values for the annotation, and figures whose files have gone."""

    files: Mapping[str, str]
    held: tuple[str, ...]
    stamp: Stamp
    dropped: Mapping[str, PuzzleFigure]


def with_keys(puzzle: Puzzle) -> Puzzle:
    """A puzzle whose steps all have keys; those that have one keep it."""
    steps = (step if step.key else replace(step, key=new_step_key()) for step in puzzle.reasoning)
    return replace(puzzle, reasoning=tuple(steps))


def new_step_key() -> str:
    """A key that no step has."""
    return secrets.token_hex(8)


class ChangedOnDisk(ValueError):
    """Another program has changed a puzzle since it was read."""


def stamp_of(folder: PuzzleFolder) -> Stamp:
    """The files of a puzzle with their sizes and times."""
    layers = PuzzleFolder(folder.path / LAYERS)
    inside = layers.path.is_dir() and not layers.path.is_symlink()
    names = [*folder.files(), *(f"{LAYERS}/{name}" for name in (layers.files() if inside else ()))]
    return tuple((name, (info := (folder.path / name).lstat()).st_size, info.st_mtime_ns) for name in names)


def opened(folder: PuzzleFolder) -> Annotation:
    """A puzzle as it is on the disk.

    Raises:
        SetError: It cannot be read.
    """
    puzzle = with_keys(folder.read().puzzle)
    files = {name: name for name in folder.figures()}
    return Annotation(puzzle, files, _named(puzzle), stamp=stamp_of(folder))


def save_annotation(puzzles: PuzzleSet, name: str, annotation: Annotation, force: bool = False) -> Saved:
    """Saves an annotation in one change: metadata, and figures numbered in the order of the steps.

    Raises:
        ChangedOnDisk: Another program has changed the puzzle; `force` overwrites what it did.
        SetError: The puzzle is gone.
        SaveFailed: It cannot be written; nothing has changed.
    """
    folder = puzzles.folder(name)
    if not force and stamp_of(folder) != annotation.stamp:
        raise ChangedOnDisk(f"{name} was changed by another program since it was opened")
    plan = _Plan(folder, annotation)
    dropped = dict(plan.dropped())
    folder = save(puzzles, name, plan.change())
    return Saved(plan.files(), _named(annotation.puzzle), stamp_of(folder), dropped)


class _Plan:
    """What becomes of each figure."""

    def __init__(self, folder: PuzzleFolder, annotation: Annotation) -> None:
        self.folder = folder
        self.annotation = annotation
        present = set(folder.figures())
        self.present = {name: file for name, file in annotation.files.items() if file in present}
        self.known = {*self.present, *annotation.fresh}
        named = [name for name in _named(annotation.puzzle) if name in self.known or is_figure_name(name)]
        others = [name for name in self.present if name not in named and name not in annotation.held]
        self.gone = [name for name in self.present if name not in named and name not in others]
        others.sort(key=lambda name: figure_number(self.present[name]))
        self.numbered = {name: f"figure_{i}.png" for i, name in enumerate((*named, *others), 1)}

    def change(self) -> Change:
        """The change of files."""
        return Change(dict(self._writes()), dict(self._renames()), tuple(self._removals()))

    def files(self) -> dict[str, str]:
        """The file of each figure after the change."""
        return {name: file for name, file in self.numbered.items() if name in self.known}

    def dropped(self) -> Iterator[tuple[str, PuzzleFigure]]:
        """The figures whose files go, so that an undo can bring them back."""
        for name in self.gone:
            file = self.present[name]
            layer = self.folder.path / _layer(file)
            has_layer = layer.is_file() and not layer.is_symlink()
            yield name, PuzzleFigure(self.folder.bytes_of(file), layer.read_bytes() if has_layer else None)

    def _writes(self) -> Iterator[tuple[str, bytes]]:
        puzzle = self.annotation.puzzle
        steps = tuple(_renamed(step, self.numbered) for step in puzzle.reasoning)
        yield METADATA, write_metadata(replace(puzzle, reasoning=steps)).encode()
        for name, file in self.numbered.items():
            if name not in self.present and name in self.annotation.fresh:
                figure = self.annotation.fresh[name]
                yield file, figure.png
                if figure.layer is not None:
                    yield _layer(file), figure.layer

    def _renames(self) -> Iterator[tuple[str, str]]:
        for name, before in self.present.items():
            after = self.numbered.get(name, before)
            if after != before:
                yield before, after
                yield _layer(before), _layer(after)

    def _removals(self) -> Iterator[str]:
        for name in self.gone:
            yield self.present[name]
            yield _layer(self.present[name])
        # A layer without a figure must not become that of another one.
        kept = {_layer(file) for file in self.present.values()}
        yield from {_layer(file) for file in self.numbered.values()} - kept


def new_figure_name(annotation: Annotation) -> str:
    """A name that no figure has, or had, while the puzzle is open."""
    names = (*annotation.files, *annotation.files.values(), *annotation.held, *annotation.fresh)
    return f"figure_{1 + max(map(figure_number, (*names, *_named(annotation.puzzle))), default=0)}.png"


def _named(puzzle: Puzzle) -> tuple[str, ...]:
    return tuple(dict.fromkeys(step.figure for step in puzzle.reasoning if step.figure))


def _renamed(step: PuzzleStep, names: Mapping[str, str]) -> PuzzleStep:
    return replace(step, figure=names.get(step.figure, step.figure)) if step.figure else step


def _layer(figure: str) -> str:
    return f"{LAYERS}/{figure.removesuffix('.png')}.json"
