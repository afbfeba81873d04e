"""The places of studies, and the bundles in which they are dealt to machines."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

from spatial_workbench.engine.store.base import Database, ProjectPart, now
from spatial_workbench.engine.store.studies.documents import Studies
from spatial_workbench.engine.store.studies.keys import StudyKeys
from spatial_workbench.engine.store.studies.log import StudyLog
from spatial_workbench.engine.store.studies.records import (
    COLLECTING,
    EDITABLE,
    BundleRow,
    NoteKind,
    Phase,
    StoredSlot,
    StudyError,
    VersionKind,
    require,
)
from spatial_workbench.engine.store.studies.rows import bundle_of_row, slot_of
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.engine.studies.files.bundles import Bundle, bundle_of
from spatial_workbench.engine.studies.planning.codes import code_of, number_of
from spatial_workbench.engine.studies.planning.document import StudySetting
from spatial_workbench.engine.studies.planning.keyboard import by_pointer_in
from spatial_workbench.engine.studies.planning.slots import replacement
from spatial_workbench.engine.studies.sessions.schema import Accommodations

_NOT_IN = {
    StudySetting.DESK: "By its plan, people take part in this study in a browser. See: spatial-workbench study serve",
    StudySetting.BROWSER: "By its plan, people take part in this study at a desk.",
}


class Places(ProjectPart):
    """The places of studies, with their bundles."""

    def __init__(self, database: Database, studies: Studies, log: StudyLog, keys: StudyKeys) -> None:
        super().__init__(database)
        self._studies = studies
        self._log = log
        self._keys = keys

    def add_bundle(
        self,
        study: str,
        codes: Collection[str] = (),
        phase: Phase = "main",
        site: str = "",
        passphrase: str = "",
        setting: StudySetting = StudySetting.DESK,
    ) -> tuple[Bundle, list[str]]:
        """Creates a bundle, and returns it with warnings. The project keeps its key; the caller writes its file.

        The first bundle of phase "main" freezes the study. Without codes it holds all places that are no reserves.

        passphrase: Opens the outcomes later; needed for the bundle that freezes the study.
        setting: Where the people of the bundle take part.

        Raises:
            StudyError: The study has errors, is closed, or has no such places; a passphrase is missing; or nobody takes
                part in this setting.
        """
        self.require_setting(study, setting)
        self._studies.require_state(study, *COLLECTING, doing="bundled")
        if phase == "pilot":
            self._studies.require_state(study, *EDITABLE, doing="piloted any more")
            version = self._studies.pilot_version(study)
        else:
            self._studies.freeze(study, passphrase)
            newest = self._studies.newest_version(study)
            assert newest is not None
            version = newest
        places = {place.slot.code: place for place in self.slots(study, version.hash, version.kind)}
        chosen = frozenset(codes) or frozenset(code for code, place in places.items() if not place.slot.is_reserve)
        if missing := chosen - places.keys():
            raise StudyError(f"The study has no place {min(missing)}.")
        needs = {code: places[code].accommodations for code in chosen}
        seal = "" if phase == "pilot" else self._keys.public(version.hash)
        bundle = bundle_of(version.study, version.frozen, chosen, phase, site, needs, seal)
        warnings = [f"{code} is in another bundle already." for code in sorted(chosen) if places[code].bundles]
        self._keep_bundle(study, bundle)
        return bundle, warnings

    def require_setting(self, study: str, setting: StudySetting) -> None:
        """Raises StudyError unless people take part in a study in this setting."""
        require(setting in self._studies.document(study).settings, _NOT_IN[setting])

    def note_bundle_file(self, bundle: str, name: str, digest: str) -> None:
        """Stores the name and the SHA-256 of a bundle's file."""
        with self._database.write_transaction():
            self._execute("UPDATE bundles SET file = ?, digest = ? WHERE id = ?", name, digest, bundle)

    def bundles(self, study: str) -> list[BundleRow]:
        """The bundles that were written, the oldest first."""
        rows = self._rows("SELECT * FROM bundles WHERE study = ? ORDER BY at, id", study)
        return [bundle_of_row(row) for row in rows]

    def bundle_key(self, version: str, bundle: str) -> bytes | None:
        """The key of a bundle of a version; None if this project did not write it."""
        row = self._row("SELECT key FROM bundles WHERE id = ? AND hash = ?", bundle, version)
        return None if row is None else bytes.fromhex(row["key"])

    def slots(self, study: str, version: str | None = None, kind: VersionKind = VersionKind.MAIN) -> list[StoredSlot]:
        """The places of a version, by default of the newest frozen one, reserves last; empty for a draft."""
        if version is None:
            newest = self._studies.newest_version(study)
            if newest is None:
                return []
            version = newest.hash
        holding: dict[str, list[str]] = {}
        for bundle in self.bundles(study):
            if bundle.hash == version and (bundle.phase == "pilot") == (kind is VersionKind.PILOT):
                for code in bundle.codes:
                    holding.setdefault(code, []).append(bundle.id)
        rows = self._rows("SELECT * FROM slots WHERE hash = ? AND kind = ? ORDER BY number", version, kind.value)
        return [slot_of(row, holding) for row in rows]

    def accommodate(self, study: str, code: str, accommodations: Accommodations) -> None:
        """Sets the accommodations of a place, before it is in a bundle.

        Raises:
            StudyError: There is no such place, it is in a bundle already, or it is for keys alone and has items that
                need a pointer.
        """
        with self._database.write_transaction():
            place = self._place(study, code)
            require(not place.bundles, f"{code} is in a bundle already; accommodations are set before.")
            if accommodations.keyboard_only:
                needs_pointer = by_pointer_in(self._studies.document(study), place.slot)
                require(not needs_pointer, f"Items that need a pointer: {', '.join(needs_pointer)}.")
            self._execute(
                "UPDATE slots SET accommodations = ? WHERE hash = ? AND kind = ? AND code = ?",
                accommodations.model_dump_json(),
                self._newest_hash(study),
                VersionKind.MAIN.value,
                code,
            )
            self._log.note(study, NoteKind.ACCOMMODATION, accommodations.model_dump_json(exclude_defaults=True), code)

    def replace(self, study: str, code: str, reason: str) -> str:
        """Lets a reserve stand in for a place that dropped out; returns its code.

        Raises:
            StudyError: No reserve of the same row and condition is left, the place is replaced already or does not
                exist, there is no reason, or the study is not frozen.
        """
        require(bool(reason.strip()), "Say why the place is replaced.")
        with self._database.write_transaction():
            self._studies.require_state(study, StudyState.FROZEN, doing="given other places")
            lost = self._place(study, code)
            places = self.slots(study)
            earlier = next((place.slot.code for place in places if place.replaces == code), "")
            require(not earlier, f"{code} is replaced by {earlier} already.")
            taken = [place.slot.code for place in places if place.replaces]
            reserve = replacement([place.slot for place in places], lost.slot, taken)
            if reserve is None:
                raise StudyError(f"There is no reserve left with the row and the condition of {code}.")
            self._execute(
                "UPDATE slots SET replaces = ? WHERE hash = ? AND kind = ? AND code = ?",
                code,
                self._newest_hash(study),
                VersionKind.MAIN.value,
                reserve.code,
            )
            self._log.note(study, NoteKind.REPLACED, f"By {reserve.code}: {reason.strip()}", code)
        return reserve.code

    def _newest_hash(self, study: str) -> str:
        row = self._row(
            "SELECT hash FROM study_versions WHERE study = ? AND kind = ? ORDER BY number DESC",
            study,
            VersionKind.MAIN.value,
        )
        return str(row["hash"]) if row else ""

    def _keep_bundle(self, study: str, bundle: Bundle) -> None:
        codes = [slot.code for slot in bundle.slots]
        with self._database.write_transaction():
            self._studies.require_state(study, *COLLECTING, doing="bundled")
            self._insert(
                "bundles",
                {"id": bundle.id, "study": study, "hash": bundle.hash, "phase": bundle.phase, "site": bundle.site}
                | {"key": bundle.key.hex(), "codes": json.dumps(codes), "at": now(), "file": "", "digest": ""},
            )
            self._log.note(study, NoteKind.BUNDLE, f"{bundle.phase}, {len(codes)} places, {bundle.site or 'no site'}")

    def _place(self, study: str, code: str) -> StoredSlot:
        for place in self.slots(study):
            if place.slot.code == code:
                return place
        raise StudyError(f"The study has no place {code}.")


def codes_between(text: str) -> Iterator[str]:
    """The codes of a list of codes and spans, such as "P001-P020, P031K"; letters may be left out.

    Raises:
        CodeError: One of them is not a code.
    """
    for part in text.replace(" ", "").split(","):
        first, _, last = part.partition("-")
        if part:
            yield from (code_of(number) for number in range(_number(first), _number(last or first) + 1))


def _number(code: str) -> int:
    """The number of a code, whose letter may be missing."""
    digits = code[1:]
    return int(digits) if code[:1].upper() == "P" and digits.isdecimal() and len(digits) <= 5 else number_of(code)
