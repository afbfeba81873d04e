"""What was typed but not saved, kept beside the sets: one file a puzzle, in the user's data folder."""

from __future__ import annotations

import hashlib
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from pydantic import Base64Bytes, BaseModel, ConfigDict, Field, ValidationError

from spatial_workbench.engine.puzzles.annotation.annotating import Annotation, PuzzleFigure
from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer
from spatial_workbench.engine.puzzles.puzzle import MetadataError, read_metadata, write_metadata

MOST_BYTES = 500_000_000


class KeptFigure(BaseModel):
    """A figure that may not be in the folder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    png: Base64Bytes
    layer: str | None = None


class SideFile(BaseModel):
    """An annotation that was not saved, with the sketches that were not made figures."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    set_path: str
    folder: str
    at: datetime = Field(default_factory=lambda: datetime.now(UTC))
    metadata: str = Field(description="As metadata.json, with the names that figures had while the puzzle was open")
    files: dict[str, str]
    held: tuple[str, ...]
    fresh: dict[str, KeptFigure]
    stamp: tuple[tuple[str, int, int], ...]
    sketches: tuple[PuzzleLayer, ...] = ()

    @staticmethod
    def of(set_path: Path, folder: str, annotation: Annotation, sketches: tuple[PuzzleLayer, ...] = ()) -> SideFile:
        """What to keep of an annotation: of its figures only those that a step names."""
        named = {step.figure for step in annotation.puzzle.reasoning}
        fresh = {
            name: KeptFigure.model_construct(png=figure.png, layer=figure.layer.decode() if figure.layer else None)
            for name, figure in annotation.fresh.items()
            if name in named
        }
        return SideFile.model_construct(
            set_path=str(set_path),
            folder=folder,
            at=datetime.now(UTC),
            metadata=write_metadata(annotation.puzzle),
            files=dict(annotation.files),
            held=tuple(annotation.held),
            fresh=fresh,
            stamp=annotation.stamp,
            sketches=sketches,
        )

    @property
    def annotation(self) -> Annotation:
        """The annotation as it was when it was kept."""
        fresh = {
            name: PuzzleFigure(kept.png, kept.layer.encode() if kept.layer is not None else None)
            for name, kept in self.fresh.items()
        }
        return Annotation(read_metadata(self.metadata).puzzle, self.files, self.held, fresh, self.stamp)


def side_path(set_path: Path, folder: str) -> Path:
    """Where the side file of a puzzle is."""
    from platformdirs import user_data_path

    key = hashlib.sha256(f"{set_path.resolve()}\0{folder}".encode()).hexdigest()[:16]
    return user_data_path("spatial-workbench", appauthor=False) / "puzzles" / f"{folder[:60]}-{key}.json"


def keep(side: SideFile) -> Path:
    """Writes a side file whole, so that it is never seen half written; returns where it is.

    Raises:
        OSError: It cannot be written.
    """
    path = side_path(Path(side.set_path), side.folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(side.model_dump_json())
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return path


def kept(set_path: Path, folder: str) -> SideFile | None:
    """The side file of a puzzle, if there is one that can be read."""
    path = side_path(set_path, folder)
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        side = SideFile.model_validate_json(path.read_bytes())
        read_metadata(side.metadata)
    except (OSError, ValidationError, MetadataError):
        return None
    return side


def drop(set_path: Path, folder: str) -> None:
    """Removes the side file of a puzzle: everything is saved, or a person does not want it."""
    side_path(set_path, folder).unlink(missing_ok=True)
