"""What a project keeps of the logs of Inspect that were imported: all that attempts and items have no place for."""

import sqlite3
import zlib

from spatial_workbench.engine.store.base import ProjectPart

MAX_UNPACKED_BYTES = 256_000_000


class InspectLogs(ProjectPart):
    """The logs of Inspect by batch, without samples, and the samples by item; both packed by `pack`."""

    def keep_log(self, batch: int, eval_id: str, log: bytes) -> None:
        """Keeps the log that a batch was imported from; `eval_id` is Inspect's."""
        self._execute("INSERT INTO inspect_logs (batch, eval_id, log) VALUES (?, ?, ?)", batch, eval_id, log)

    def keep_sample(self, item: int, sample: bytes) -> None:
        """Keeps the sample that an item was imported from."""
        self._execute("INSERT INTO inspect_samples (item, sample) VALUES (?, ?)", item, sample)

    def log(self, batch: int) -> bytes | None:
        """The log that a batch was imported from."""
        row = self._row("SELECT log FROM inspect_logs WHERE batch = ?", batch)
        return None if row is None else bytes(row["log"])

    def eval_id(self, batch: int) -> str:
        """Inspect's id of the log that a batch was imported from; empty if there is none."""
        row = self._row("SELECT eval_id FROM inspect_logs WHERE batch = ?", batch)
        return "" if row is None else str(row["eval_id"])

    def sample(self, item: int) -> bytes | None:
        """The sample that an item was imported from."""
        row = self._row("SELECT sample FROM inspect_samples WHERE item = ?", item)
        return None if row is None else bytes(row["sample"])

    def count_of(self, eval_id: str) -> int:
        """How many samples of a log the project has."""
        row = self._row(
            "SELECT count(*) AS number FROM inspect_samples JOIN items ON items.id = inspect_samples.item"
            " JOIN inspect_logs ON inspect_logs.batch = items.batch WHERE eval_id = ?",
            eval_id,
        )
        return 0 if row is None else int(row["number"])


def pack(text: str) -> bytes:
    """A text, compressed."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def unpack(packed: bytes) -> str:
    """The text that was packed. Raises sqlite3.DatabaseError if it is damaged, or too long."""
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, MAX_UNPACKED_BYTES).decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError):
        raise sqlite3.DatabaseError("what was kept of a log of Inspect is damaged") from None
    if not unpacker.eof:
        raise sqlite3.DatabaseError("what was kept of a log of Inspect is cut off, or too long")
    return text
