"""A site's folder: it is written whole or not at all, and never in place of something that is not a site of ours."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from spatial_workbench.engine.reporting.site.choice import CannotPublish

MARK = "site.json"
"""The file by which a site of ours is known; it lists the files of the site."""
GENERATOR = "spatial-workbench"
_MOST_NAMED = 3


def older_canary(target: Path) -> str:
    """The GUID of the canary of the site in a folder; empty if there is none."""
    try:
        return str(_mark(target).get("canary", ""))
    except (OSError, ValueError):
        return ""


def refuse_if_foreign(target: Path) -> None:
    """Refuses a folder that holds something else than a site of ours.

    Raises:
        CannotPublish: It is a file, or a folder with files that we did not write.
    """
    if not target.exists() and not target.is_symlink():
        return
    if not target.is_dir():
        raise CannotPublish(f"“{target}” is not a folder.")
    files = _files_in(target)
    if not files and not any(target.iterdir()):
        return
    strangers = sorted(files - _files_of(target))
    if strangers:
        named = ", ".join(strangers[:_MOST_NAMED]) + (" and others" if len(strangers) > _MOST_NAMED else "")
        raise CannotPublish(
            f"“{target}” holds files that are not of a site made here ({named}); choose another folder."
        )


@contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    """Yields a folder to write to. At the end it takes the place of `target`; if anything goes wrong, nothing changes.

    Raises:
        CannotPublish: `target` holds something else than a site of ours.
        OSError: It cannot be written.
    """
    refuse_if_foreign(target)
    target = target.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    new, old = work / "new", work / "old"
    try:
        new.mkdir()
        yield new
        _write_mark(new)
        # Somebody may have put a file there meanwhile.
        refuse_if_foreign(target)
        if target.exists():
            target.rename(old)
        try:
            new.rename(target)
        except OSError:
            if old.exists():
                old.rename(target)
            raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _write_mark(folder: Path) -> None:
    """Adds the list of all files to the site's mark."""
    path = folder / MARK
    data = json.loads(path.read_text("utf-8")) if path.exists() else {}
    data |= {"generator": GENERATOR, "files": sorted({*_files_in(folder), MARK})}
    path.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), "utf-8")


def _files_in(folder: Path) -> set[str]:
    """The paths of all files in a folder, relative to it."""
    files: set[str] = set()
    for place, _, names in os.walk(folder):
        within = Path(place).relative_to(folder).as_posix()
        files.update(names if within == "." else (f"{within}/{name}" for name in names))
    return files


def _mark(target: Path) -> dict[str, object]:
    data = json.loads((target / MARK).read_text("utf-8"))
    if not isinstance(data, dict) or data.get("generator") != GENERATOR:
        raise ValueError("It is not a site of ours.")
    return data


def _files_of(target: Path) -> set[str]:
    """The files that belong to the site in a folder; none if there is no site of ours."""
    try:
        files = _mark(target).get("files", ())
    except (OSError, ValueError):
        return set()
    return set(map(str, files)) if isinstance(files, list) else set()
