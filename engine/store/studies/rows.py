"""How rows about studies are read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter

from spatial_workbench.engine.store.base import Database
from spatial_workbench.engine.store.records import MissingRecord
from spatial_workbench.engine.store.studies.records import (
    BundleRow,
    StoredSlot,
    StudyVersion,
    VersionKind,
)
from spatial_workbench.engine.studies.planning.document import read_study
from spatial_workbench.engine.studies.planning.freezing import Frozen
from spatial_workbench.engine.studies.planning.slots import Slot
from spatial_workbench.engine.studies.sessions.schema import Accommodations

_SLOT = TypeAdapter(Slot)


def stored_study(database: Database, study: str) -> Any:
    """The row of a study.

    Raises:
        MissingRecord: There is none of that id.
    """
    row = database.row("SELECT * FROM studies WHERE id = ?", study)
    if row is None:
        raise MissingRecord(f"Study “{study}”")
    return row


@lru_cache(maxsize=8)
def _read_frozen(text: str) -> Frozen:
    return Frozen.model_validate_json(text)


def version_of(row: Any) -> StudyVersion:
    """The record of a version from its row."""
    return StudyVersion(
        hash=row["hash"],
        study=read_study(row["document"]),
        kind=VersionKind(row["kind"]),
        number=row["number"],
        parent=row["parent"],
        reason=row["reason"],
        comparable=row["comparable"],
        frozen=_read_frozen(row["frozen"]),
        checklist=json.loads(row["checklist"]),
        at=parsed_time(row["at"]),
    )


def bundle_of_row(row: Any) -> BundleRow:
    """The record of a bundle from its row."""
    names = ("id", "hash", "phase", "site", "file", "digest")
    return BundleRow(
        **{name: row[name] for name in names}, codes=tuple(json.loads(row["codes"])), at=parsed_time(row["at"])
    )


def slot_of(row: Any, holding: Mapping[str, Sequence[str]]) -> StoredSlot:
    """The record of a place from its row; `holding` gives the bundles that hold each code."""
    return StoredSlot(
        slot=_SLOT.validate_json(row["slot"]),
        accommodations=Accommodations.model_validate_json(row["accommodations"]),
        replaces=row["replaces"],
        bundles=tuple(holding.get(row["code"], ())),
    )


def parsed_time(text: str) -> datetime:
    """A time as it was stored."""
    return datetime.fromisoformat(text)
