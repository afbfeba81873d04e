"""Bundles: what a machine needs to let people take part, in one file. No network, and no project."""

from __future__ import annotations

import json
import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from spatial_workbench.engine.core.version import application_version
from spatial_workbench.engine.studies.files.archives import KEY_BYTES, ArchiveError, read_archive, write_archive
from spatial_workbench.engine.studies.files.canonical import canonical
from spatial_workbench.engine.studies.files.sealing import PublicKeyText
from spatial_workbench.engine.studies.planning.document import DocumentError, Study, read_study, write_study
from spatial_workbench.engine.studies.planning.freezing import Frozen, Material
from spatial_workbench.engine.studies.planning.slots import Slot
from spatial_workbench.engine.studies.sessions.schema import Accommodations

SUFFIX = ".study"
FORMAT: Literal[2] = 2
"""Since format 2 a bundle can hold the public key of its study."""
_HEAD = "bundle.json"
_STUDY = "study.json"
_SLOTS = "slots.json"
_MATERIALS = "materials/items.json"
Phase = Literal["main", "pilot", "rehearsal"]


class BundleError(ValueError):
    """A bundle that cannot be used; says why."""


class _BundleHead(BaseModel):
    model_config = ConfigDict(extra="forbid")

    format: int = FORMAT
    study: str
    bundle: str
    site: str = ""
    made: str
    needs: str
    key: str = Field(pattern=r"^[0-9a-f]{64}$")
    phase: Phase = "main"
    seal: PublicKeyText | Literal[""] = ""


class _Place(BaseModel):
    model_config = ConfigDict(extra="forbid")

    slot: Slot
    accommodations: Accommodations = Accommodations()


@dataclass(frozen=True)
class Bundle:
    """The study, and the places that are dealt to a machine.

    Attributes:
        key: Signs this bundle and its results. Whoever has the bundle has it.
        phase: What its sessions are for; only those of phase "main" are analysed.
        needs: The version of the workbench that froze the study.
        accommodations: Of those codes that have any.
        seal: The public key (hexadecimal) to which what tells outcomes is encrypted; "" in pilots, and in studies that
            were frozen before there were keys.
    """

    study: Study
    slots: tuple[Slot, ...]
    materials: tuple[Material, ...]
    phase: Phase = "main"
    site: str = ""
    accommodations: Mapping[str, Accommodations] = field(default_factory=dict)
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    key: bytes = field(default_factory=lambda: secrets.token_bytes(KEY_BYTES))
    made: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    needs: str = field(default_factory=application_version)
    seal: str = ""

    @property
    def hash(self) -> str:
        """The hash of the study's version."""
        return self.study.hash

    def slot(self, code: str) -> Slot | None:
        """The place with this code; None if it belongs to another machine."""
        return next((slot for slot in self.slots if slot.code == code), None)

    def accommodations_of(self, code: str) -> Accommodations:
        """What a place has beyond the others."""
        return self.accommodations.get(code, Accommodations())


def bundle_of(
    study: Study,
    frozen: Frozen,
    codes: frozenset[str],
    phase: Phase = "main",
    site: str = "",
    accommodations: Mapping[str, Accommodations] | None = None,
    seal: str = "",
) -> Bundle:
    """A bundle of a study with the places that have these codes; all of them if there are none.

    Raises:
        BundleError: A code belongs to no place.
    """
    slots = tuple(slot for slot in frozen.slots if slot.code in codes or not codes)
    if missing := codes - {slot.code for slot in slots}:
        raise BundleError(f"The study has no place {min(missing)}")
    return Bundle(study, slots, frozen.materials, phase, site, accommodations or {}, seal=seal)


def write_bundle(path: Path, bundle: Bundle) -> str:
    """Writes a bundle; returns the file's SHA-256.

    Raises:
        OSError: It cannot be written.
    """
    head = _BundleHead(
        study=bundle.hash,
        bundle=bundle.id,
        site=bundle.site,
        made=bundle.made,
        needs=bundle.needs,
        key=bundle.key.hex(),
        phase=bundle.phase,
        seal=bundle.seal,
    )
    places = [_Place(slot=slot, accommodations=bundle.accommodations_of(slot.code)) for slot in bundle.slots]
    parts = {
        _HEAD: canonical(head.model_dump()),
        _STUDY: write_study(bundle.study),
        _SLOTS: canonical([place.model_dump(mode="json") for place in places]),
        _MATERIALS: canonical([material.model_dump() for material in bundle.materials]),
    }
    return write_archive(path, parts, bundle.key)


def read_bundle(path: Path) -> Bundle:
    """A bundle from its file.

    Raises:
        BundleError: It is damaged, newer, or not a bundle.
        OSError: It cannot be read.
    """
    try:
        parts = read_archive(path, (_HEAD, _STUDY, _SLOTS, _MATERIALS), None).parts
        _check_format(path, parts)
        head = _BundleHead.model_validate_json(parts[_HEAD])
        study = read_study(parts[_STUDY])
        places = TypeAdapter(list[_Place]).validate_json(parts[_SLOTS])
        materials = TypeAdapter(tuple[Material, ...]).validate_json(parts[_MATERIALS])
    except KeyError as error:
        raise BundleError(f"{path.name} lacks the part {error.args[0]}") from None
    except ValidationError as error:
        raise BundleError(f"{path.name} is damaged: {error.errors(include_url=False)[0]['msg']}") from None
    except (ArchiveError, DocumentError) as error:
        raise BundleError(str(error)) from None
    if study.hash != head.study:
        raise BundleError(f"{path.name} is damaged: its study is not the one that it names")
    return Bundle(
        study=study,
        slots=tuple(place.slot for place in places),
        materials=materials,
        phase=head.phase,
        site=head.site,
        accommodations={place.slot.code: place.accommodations for place in places},
        id=head.bundle,
        key=bytes.fromhex(head.key),
        made=head.made,
        needs=head.needs,
        seal=head.seal,
    )


def _check_format(path: Path, parts: Mapping[str, bytes]) -> None:
    try:
        number = json.loads(parts[_HEAD])["format"]
    except (ValueError, TypeError, KeyError):
        raise BundleError(f"{path.name} is not the bundle of a study") from None
    if not isinstance(number, int) or number > FORMAT:
        raise BundleError(f"{path.name} has the format {number}, which is newer than this version knows ({FORMAT})")
