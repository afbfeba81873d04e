"""Functions of background processes that import puzzles, and export them for fine-tuning. Free of Qt."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet, SetError, folder_name
from spatial_workbench.engine.puzzles.sets.importing import (
    Imported,
    PdfMatch,
    import_beside,
    import_folder,
    import_pdfs,
    import_zip,
    match_pdfs,
    pdfs_in,
)
from spatial_workbench.engine.puzzles.sets.importing import puzzles_of_zip as names_in_zip
from spatial_workbench.engine.puzzles.sets.known_sets import add_set
from spatial_workbench.engine.puzzles.sets.tuning import TuningExport, TuningForm, export_for_tuning


@dataclass(frozen=True)
class PuzzlesPreview:
    """What an import would bring: names of folders, or PDFs with their solutions."""

    source: Path
    names: tuple[str, ...] = ()
    matches: tuple[PdfMatch, ...] = ()
    solutions: tuple[Path, ...] = ()
    note: str = ""

    @property
    def words(self) -> str:
        """How much is imported, and what is left out."""
        return " · ".join(part for part in (counted(len(self.names or self.matches), "puzzle"), self.note) if part)


def is_set(path: Path, progress: Progress = silent) -> bool:
    """Whether a drop is a folder to be added as a set; otherwise, it is offered for import."""
    return path.is_dir() and not pdfs_in(path)


def free_home(home: Path, source: Path, progress: Progress = silent) -> Path:
    """A folder that does not exist yet, for a new set that is named after its source."""
    stem = folder_name(source.stem)
    names = (stem if i == 1 else f"{stem}_{i}" for i in range(1, 10_000))
    return next(home / name for name in names if not (home / name).exists())


def preview(source: Path, progress: Progress = silent) -> PuzzlesPreview:
    """Looks into a folder, a zip file or a PDF; nothing is written.

    Raises:
        SetError: It holds nothing that can be imported; says why.
    """
    pdfs = pdfs_in(source) if source.is_dir() else [source] if source.suffix.lower() == ".pdf" else []
    if pdfs:
        solutions = tuple(path for path in pdfs if "solution" in path.stem.lower())
        matches = match_pdfs(pdfs) or [PdfMatch(path) for path in pdfs]
        beside = PuzzleSet(source).names() if source.is_dir() else ()
        note = f"with {counted(len(beside), 'puzzle')} in folders beside them" if beside else ""
        return PuzzlesPreview(source, matches=tuple(matches), solutions=solutions, note=note)
    if source.is_dir():
        names = PuzzleSet(source).names()
        if not names:
            raise SetError(
                f"{source.name} holds no puzzle: no folder with a metadata.json or a content.png, and no PDF"
            )
        return PuzzlesPreview(source, names)
    if zipfile.is_zipfile(source):
        names, skipped = names_in_zip(source)
        return PuzzlesPreview(source, names, note="; ".join(f"without {note}" for note in skipped))
    raise SetError(f"{source.name} is neither a folder nor a zip file nor a PDF")


@dataclass(frozen=True)
class ImportOrder:
    """An import that a person has confirmed: into a known set, or into a new one in this folder."""

    source: Path
    target: Path
    matches: tuple[PdfMatch, ...] = ()
    is_new: bool = False


def run_import(order: ImportOrder, progress: Progress = silent) -> Imported:
    """Imports what was confirmed. A new set is added once it holds a puzzle; without one, nothing is left of it.

    Raises:
        SetError: The source cannot be read.
        SaveFailed: A puzzle cannot be written; those before it stay.
        Cancelled: Raised by `progress`; the puzzles imported until then stay.
    """
    if not order.is_new:
        return _brought_in(order, progress)
    order.target.mkdir(parents=True, exist_ok=True)
    try:
        return _brought_in(order, progress)
    finally:
        if any(order.target.iterdir()):
            add_set(order.target)
        else:
            order.target.rmdir()


def _brought_in(order: ImportOrder, progress: Progress) -> Imported:
    target = PuzzleSet(order.target)
    if order.matches:
        drawn = import_pdfs(order.matches, target, progress)
        return drawn.joined_with(import_beside(order.source, target, progress))
    if order.source.is_dir():
        return import_folder(PuzzleSet(order.source), target, progress)
    return import_zip(order.source, target, progress)


@dataclass(frozen=True)
class ExportOrder:
    """A set for fine-tuning that a person asks for."""

    path: Path
    names: tuple[str, ...]
    target: Path
    form: TuningForm
    dropped: Mapping[str, str]


def run_export(order: ExportOrder, progress: Progress = silent) -> TuningExport:
    """Writes a set for fine-tuning.

    Raises:
        SetError: The folder holds something else.
        OSError: It cannot be written.
        Cancelled: Raised by `progress`.
    """
    puzzles = PuzzleSet(order.path)
    return export_for_tuning(puzzles, order.names, order.target, order.form, order.dropped, progress)
