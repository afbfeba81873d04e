"""Files that travel between machines: zip files whose parts are listed with their digests, under a keyed signature.

The signature finds damage, mixed-up files and casual edits. Whoever takes the key out of a bundle can forge it.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import os
import re
import stat
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

SUMS = "SHA256SUMS"
MAC = "MAC"
KEY_BYTES = 32
MOST_UNPACKED_BYTES = 200_000_000
MOST_RATIO = 100
MOST_PARTS = 20_000
_EARLIEST = (1980, 1, 1, 0, 0, 0)
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


class ArchiveError(ValueError):
    """A file that is refused; says why. Nothing was unpacked."""


class Signature(StrEnum):
    """What the signature says of a file."""

    GOOD = "good"
    UNSIGNED = "unsigned"
    ALTERED = "altered"


@dataclass(frozen=True)
class Archive:
    """The parts of a file by name, and what its signature says."""

    parts: Mapping[str, bytes]
    signature: Signature


def write_archive(path: Path, parts: Mapping[str, bytes], key: bytes) -> str:
    """Writes parts into a file that is complete or not there; returns the file's SHA-256.

    Raises:
        OSError: It cannot be written.
    """
    sums = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(parts.items()))
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (*sorted(parts.items()), (SUMS, sums.encode()), (MAC, mac_of(sums.encode(), key))):
            # Equal parts give equal files: the time of writing does not enter.
            archive.writestr(zipfile.ZipInfo(name, _EARLIEST), content, zipfile.ZIP_DEFLATED)
    temporary = path.with_name(f".{path.name}.part")
    try:
        with temporary.open("wb") as stream:
            stream.write(target.getvalue())
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return hashlib.sha256(target.getvalue()).hexdigest()


def mac_of(sums: bytes, key: bytes) -> bytes:
    """The keyed signature of a list of digests, as text."""
    return hmac.new(key, sums, hashlib.sha256).hexdigest().encode()


def read_archive(path: Path, allowed: Sequence[str], key: bytes | None) -> Archive:
    """The parts of a file, checked before anything is unpacked.

    `allowed` are patterns for the names of parts, such as "result.json" or "events/*.jsonl.gz". Without a key the
    signature cannot be checked, and the file counts as unsigned.

    Raises:
        ArchiveError: It is damaged, or holds what it must not.
        OSError: It cannot be read.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            _check_entries(archive.infolist(), allowed)
            parts = {entry.filename: archive.read(entry) for entry in archive.infolist() if not entry.is_dir()}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise ArchiveError(f"{path.name} is damaged: {error}") from None
    sums = parts.pop(SUMS, None)
    mac = parts.pop(MAC, None)
    if sums is None:
        raise ArchiveError(f"{path.name} lacks the list of its parts")
    _check_digests(path.name, parts, sums)
    if mac is None or key is None:
        return Archive(parts, Signature.UNSIGNED)
    return Archive(parts, Signature.GOOD if hmac.compare_digest(mac, mac_of(sums, key)) else Signature.ALTERED)


def _check_entries(entries: Sequence[zipfile.ZipInfo], allowed: Sequence[str]) -> None:
    if len(entries) > MOST_PARTS:
        raise ArchiveError(f"The file has {len(entries):,} parts; the limit is {MOST_PARTS:,}")
    name, count = Counter(entry.filename for entry in entries).most_common(1)[0] if entries else ("", 0)
    if count > 1:
        raise ArchiveError(f"The file holds “{name[:80]}” twice")
    unpacked = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if unpacked > MOST_UNPACKED_BYTES:
        raise ArchiveError(f"The file unpacks to {unpacked / 1e6:.0f} MB; the limit is 200 MB")
    if unpacked > MOST_RATIO * max(packed, 1000):
        raise ArchiveError("The file unpacks to more than a hundred times its size")
    for entry in entries:
        _check_name(entry, allowed)


def _check_name(entry: zipfile.ZipInfo, allowed: Sequence[str]) -> None:
    name = entry.filename
    place = PurePosixPath(name)
    if name.startswith("/") or "\\" in name or ".." in place.parts or re.match(r"[A-Za-z]:", name):
        raise ArchiveError(f"The file names a place outside of itself: “{name[:80]}”")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise ArchiveError(f"The file holds a link: “{name[:80]}”")
    if not entry.is_dir() and not any(place.match(pattern) for pattern in (*allowed, SUMS, MAC)):
        raise ArchiveError(f"The file holds a part that does not belong to it: “{name[:80]}”")


def _check_digests(name: str, parts: Mapping[str, bytes], sums: bytes) -> None:
    listed: dict[str, str] = {}
    for line in sums.decode("utf-8", "replace").splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            raise ArchiveError(f"{name}: the list of its parts cannot be read")
        listed[match[2]] = match[1]
    if missing := sorted(set(listed) - set(parts)):
        raise ArchiveError(f"{name} lacks the part {missing[0]}")
    for part, content in parts.items():
        if listed.get(part) != hashlib.sha256(content).hexdigest():
            raise ArchiveError(f"{name} is damaged: {part} is not what the list of its parts says")
