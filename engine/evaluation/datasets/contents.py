"""What was written into a data set: its files with their sizes and checksums."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.evaluation.datasets.plan import DatasetPlan, Shard

CHECKSUMS = "SHA256SUMS"
_CHUNK = 1 << 20


@dataclass(frozen=True)
class PieceFile:
    """A file of a data set with instances; its size is in bytes."""

    shard: Shard
    rows: int
    size: int
    sha256: str
    has_pictures: bool


@dataclass(frozen=True)
class DatasetContents:
    """What a data set is made of, and its files."""

    plan: DatasetPlan
    pieces: Sequence[PieceFile]

    @property
    def rows(self) -> int:
        """How many instances it holds."""
        return sum(piece.rows for piece in self.pieces)

    @property
    def size(self) -> int:
        """How many bytes its instances take."""
        return sum(piece.size for piece in self.pieces)

    @property
    def has_pictures(self) -> bool:
        """Whether any prompt has pictures."""
        return any(piece.has_pictures for piece in self.pieces)

    def splits(self, source: str | None = None) -> dict[str, int]:
        """How many instances each split holds; of one source, if one is given. Splits without a file are not named."""
        rows: dict[str, int] = {}
        for piece in self.pieces:
            if source in (None, piece.shard.source):
                rows[piece.shard.split] = rows.get(piece.shard.split, 0) + piece.rows
        return rows


def dataset_contents(folder: Path, plan: DatasetPlan, shards: Sequence[Shard]) -> DatasetContents:
    """Reads what was written."""
    return DatasetContents(plan, [_piece(folder, shard) for shard in shards])


def _piece(folder: Path, shard: Shard) -> PieceFile:
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    path = folder / shard.file
    pictures = pq.read_table(path, columns=["pictures"]).column("pictures")
    most = pc.max(pc.list_value_length(pictures)).as_py()
    return PieceFile(shard, len(pictures), path.stat().st_size, sha256_of(path), bool(most))


def write_checksums(folder: Path) -> None:
    """Writes the checksums of all other files, as `sha256sum -c` reads them."""
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    lines = [f"{sha256_of(folder / path)}  {path}\n" for path in paths if path != CHECKSUMS]
    with replacing(folder / CHECKSUMS) as part:
        part.write_text("".join(lines), "utf-8")


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's contents, in hexadecimal digits."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
