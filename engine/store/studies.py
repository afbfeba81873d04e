"""Studies of human baselines: documents and versions, places, bundles, and the log of what the leader did.

A study goes from draft over pilot and frozen to closed and unsealed (docs/studies.md, "The life of a study").
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter

from spatial_workbench.engine.store.attempts import Attempts
from spatial_workbench.engine.store.base import now
from spatial_workbench.engine.store.records import MissingRecord
from spatial_workbench.engine.store.study_records import (
    COLLECTING,
    EDITABLE,
    BundleRow,
    DeletedDraft,
    LookKind,
    NoteKind,
    Phase,
    StoredSlot,
    StudyError,
    StudyNote,
    StudyRow,
    StudyVersion,
    VersionKind,
)
from spatial_workbench.engine.studies.analysis.outcomes import ChecklistAnswer, Registration, StudyLook, StudyState
from spatial_workbench.engine.studies.files.bundles import Bundle, bundle_of
from spatial_workbench.engine.studies.planning.amending import incomparable_parts
from spatial_workbench.engine.studies.planning.checking import check_study
from spatial_workbench.engine.studies.planning.codes import code_of, number_of
from spatial_workbench.engine.studies.planning.document import Study, read_study, write_study
from spatial_workbench.engine.studies.planning.freezing import Frozen, freeze
from spatial_workbench.engine.studies.planning.keyboard import by_pointer_in
from spatial_workbench.engine.studies.planning.slots import Slot, replacement
from spatial_workbench.engine.studies.sessions.schema import Accommodations

_SLOT = TypeAdapter(Slot)


class Studies(Attempts):
    """The part of a project that holds studies. Their sessions are in `engine.store.study_sessions`."""

    def add_study(self, study: Study) -> str:
        """Stores a study as a draft; returns its id.

        Raises:
            StudyError: There is a study of that id.
        """
        with self.write_transaction():
            if self._row("SELECT 1 FROM studies WHERE id = ?", study.id):
                raise StudyError(f"There is a study {study.id} in this project already.")
            self._insert(
                "studies",
                {"id": study.id, "name": study.name, "state": StudyState.DRAFT.value, "created_at": now()}
                | {"document": write_study(study).decode(), "registration": "{}", "list_hash": ""},
            )
        return study.id

    def studies(self) -> list[StudyRow]:
        """All studies, the newest first."""
        return [self._study_row(row) for row in self._rows("SELECT * FROM studies ORDER BY created_at DESC, id")]

    def study_row(self, study: str) -> StudyRow:
        """What a list shows of one study."""
        return self._study_row(self._study(study))

    def find_study(self, words: str) -> str:
        """The id of a study, from its id, its name, or the beginning of its hash.

        Raises:
            MissingRecord: There is none.
            StudyError: There are several.
        """
        chosen = [row.id for row in self.studies() if words in (row.id, row.name)]
        if not chosen and len(words) >= 4:
            rows = self._rows("SELECT DISTINCT study FROM study_versions WHERE hash LIKE ? || '%'", words)
            drafts = [row.id for row in self.studies() if row.hash.startswith(words)]
            chosen = sorted({*drafts, *(row["study"] for row in rows)})
        if not chosen:
            raise MissingRecord(f"Study “{words}”")
        if len(chosen) > 1:
            raise StudyError(f"“{words}” may be any of {', '.join(chosen)}. Use the id.")
        return chosen[0]

    def study_state(self, study: str) -> StudyState:
        """How far a study is."""
        return StudyState(self._study(study)["state"])

    def study_document(self, study: str) -> Study:
        """The document as it stands: what is edited, or the newest frozen version."""
        return read_study(self._study(study)["document"])

    def change_study(self, study: str, document: Study) -> None:
        """Replaces the document of a draft.

        Raises:
            StudyError: The study is frozen, or the document is of another study.
        """
        with self.write_transaction():
            self._require_state(study, *EDITABLE, doing="changed. Make an amendment instead")
            _require(document.id == study, f"The document has the id {document.id}, not {study}.")
            self._execute(
                "UPDATE studies SET name = ?, document = ? WHERE id = ?",
                document.name,
                write_study(document).decode(),
                study,
            )

    def delete_draft(self, study: str) -> DeletedDraft:
        """Deletes a study of which nothing was piloted or frozen; returns what `restore_draft` needs.

        Raises:
            StudyError: It is no draft.
        """
        with self.write_transaction():
            state = self.study_state(study)
            _require(state is StudyState.DRAFT, f"Only drafts are deleted; this study is {state}.")
            rows = {
                table: [dict(row) for row in self._rows(f"SELECT * FROM {table} WHERE {column} = ?", study)]
                for table, column in _OF_DRAFTS.items()
            }
            for table, column in _OF_DRAFTS.items():
                self._execute(f"DELETE FROM {table} WHERE {column} = ?", study)
        return DeletedDraft(study, str(rows["studies"][0]["name"]), rows)

    def restore_draft(self, deleted: DeletedDraft) -> str:
        """Stores a deleted draft again, with its notes and answers; returns its id.

        Raises:
            StudyError: There is a study of that id.
        """
        with self.write_transaction():
            _require(not self._row("SELECT 1 FROM studies WHERE id = ?", deleted.id), "The draft is there already.")
            for table, rows in deleted.rows.items():
                for row in rows:
                    own = dict(row) if table == "studies" else {name: row[name] for name in row if name != "id"}
                    self._insert(table, own)
        return deleted.id

    def freeze_study(self, study: str) -> str:
        """Fixes the document, its places and its materials; returns the hash. A frozen study stays as it is.

        Raises:
            StudyError: The document has errors, or was changed meanwhile.
        """
        if self.study_state(study) not in EDITABLE:
            return self.study_row(study).hash
        document = self.study_document(study)
        frozen = _frozen(document)
        with self.write_transaction():
            self._require_state(study, *EDITABLE, doing="frozen")
            self._require_unchanged(study, document)
            self._add_version(document, frozen, VersionKind.MAIN, 1)
            self._enter(study, StudyState.FROZEN, f"Frozen as {frozen.hash}")
        return frozen.hash

    def amend_study(self, study: str, document: Study, reason: str, comparable: str = "") -> str:
        """Freezes a further version; returns its hash. Sessions keep the version that they met.

        comparable: Why the sessions of both versions may be pooled, for the report; "" if they may not.

        Raises:
            StudyError: There is no reason, nothing has changed, or what has changed cannot be pooled.
        """
        _require(bool(reason.strip()), "An amendment needs a reason.")
        _require(document.id == study, f"The document has the id {document.id}, not {study}.")
        parent = self._newest(study)
        _require(parent is not None, "Only a frozen study is amended; a draft is simply changed.")
        assert parent is not None
        _require(parent.hash != document.hash, "Nothing has changed.")
        parts = incomparable_parts(parent.study, document) if comparable.strip() else []
        _require(not parts, f"Sessions cannot be pooled over a change of {', '.join(parts)}.")
        frozen = _frozen(document)
        with self.write_transaction():
            self._require_state(study, StudyState.FROZEN, doing="amended")
            _require(self._study(study)["document"] == write_study(parent.study).decode(), _MEANWHILE)
            self._add_version(
                document,
                frozen,
                VersionKind.MAIN,
                parent.number + 1,
                {"parent": parent.hash, "reason": reason.strip(), "comparable": comparable.strip()},
            )
            self._execute(
                "UPDATE studies SET name = ?, document = ? WHERE id = ?",
                document.name,
                write_study(document).decode(),
                study,
            )
            self._note(study, NoteKind.STATE, f"Amended to {frozen.hash}: {reason.strip()}")
        return frozen.hash

    def study_versions(self, study: str) -> list[StudyVersion]:
        """All versions, pilot ones included, the oldest first."""
        rows = self._rows("SELECT * FROM study_versions WHERE study = ? ORDER BY number, at, hash", study)
        return [_version(row) for row in rows]

    def pooled_versions(self, study: str) -> list[StudyVersion]:
        """The frozen versions whose sessions are analysed together: the newest, and those that it is comparable to."""
        frozen = {version.hash: version for version in self.study_versions(study) if version.kind is VersionKind.MAIN}
        pooled: list[StudyVersion] = []
        version = max(frozen.values(), key=lambda version: version.number, default=None)
        while version is not None:
            pooled.insert(0, version)
            version = frozen.get(version.parent) if version.comparable else None
        return pooled

    def register_study(self, study: str, link: str, date: str) -> None:
        """Remembers where and when (ISO 8601) the study was registered; this is outside of the hash."""
        registration = json.dumps({"link": link.strip(), "at": datetime.fromisoformat(date).date().isoformat()})
        with self.write_transaction():
            self._study(study)
            self._execute("UPDATE studies SET registration = ? WHERE id = ?", registration, study)

    def registration(self, study: str) -> Registration:
        """The link and the date of the registration; empty if there is none."""
        return Registration(**json.loads(self._study(study)["registration"]))

    def add_bundle(
        self, study: str, codes: Collection[str] = (), phase: Phase = "main", site: str = ""
    ) -> tuple[Bundle, list[str]]:
        """A new bundle, whose key the project keeps, and warnings; the file is for the caller to write.

        The first bundle of phase "main" freezes the study. Without codes it holds all places that are no reserves.

        Raises:
            StudyError: The study has errors, is closed, or has no such places.
        """
        self._require_state(study, *COLLECTING, doing="bundled")
        if phase == "pilot":
            self._require_state(study, *EDITABLE, doing="piloted any more")
            version = self._pilot_version(study)
        else:
            self.freeze_study(study)
            newest = self._newest(study)
            assert newest is not None
            version = newest
        places = {place.slot.code: place for place in self.study_slots(study, version.hash, version.kind)}
        chosen = frozenset(codes) or frozenset(code for code, place in places.items() if not place.slot.is_reserve)
        if missing := chosen - places.keys():
            raise StudyError(f"The study has no place {min(missing)}.")
        needs = {code: places[code].accommodations for code in chosen}
        bundle = bundle_of(version.study, version.frozen, chosen, phase, site, needs)
        warnings = [f"{code} is in another bundle already." for code in sorted(chosen) if places[code].bundles]
        self._keep_bundle(study, bundle)
        return bundle, warnings

    def note_bundle_file(self, bundle: str, name: str, digest: str) -> None:
        """Remembers the name and the SHA-256 of a bundle's file."""
        with self.write_transaction():
            self._execute("UPDATE bundles SET file = ?, digest = ? WHERE id = ?", name, digest, bundle)

    def bundles(self, study: str) -> list[BundleRow]:
        """The bundles that were written, the oldest first."""
        rows = self._rows("SELECT * FROM bundles WHERE study = ? ORDER BY at, id", study)
        return [_bundle_row(row) for row in rows]

    def bundle_key(self, version: str, bundle: str) -> bytes | None:
        """The key of a bundle of a version; None if this project did not write it."""
        row = self._row("SELECT key FROM bundles WHERE id = ? AND hash = ?", bundle, version)
        return None if row is None else bytes.fromhex(row["key"])

    def study_slots(
        self, study: str, version: str | None = None, kind: VersionKind = VersionKind.MAIN
    ) -> list[StoredSlot]:
        """The places of a version, by default of the newest frozen one, reserves last; empty for a draft."""
        if version is None:
            newest = self._newest(study)
            if newest is None:
                return []
            version = newest.hash
        holding: dict[str, list[str]] = {}
        for bundle in self.bundles(study):
            if bundle.hash == version and (bundle.phase == "pilot") == (kind is VersionKind.PILOT):
                for code in bundle.codes:
                    holding.setdefault(code, []).append(bundle.id)
        rows = self._rows("SELECT * FROM slots WHERE hash = ? AND kind = ? ORDER BY number", version, kind.value)
        return [_stored_slot(row, holding) for row in rows]

    def accommodate(self, study: str, code: str, accommodations: Accommodations) -> None:
        """Sets what a place has beyond the others, before it is in a bundle.

        Raises:
            StudyError: There is no such place, it is in a bundle already, or it is for keys alone and has items that
                need a pointer.
        """
        with self.write_transaction():
            place = self._place(study, code)
            _require(not place.bundles, f"{code} is in a bundle already; accommodations are set before.")
            if accommodations.keyboard_only:
                needs_pointer = by_pointer_in(self.study_document(study), place.slot)
                _require(not needs_pointer, f"Items that need a pointer: {', '.join(needs_pointer)}.")
            self._execute(
                "UPDATE slots SET accommodations = ? WHERE hash = ? AND kind = ? AND code = ?",
                accommodations.model_dump_json(),
                self._newest_hash(study),
                VersionKind.MAIN.value,
                code,
            )
            self._note(study, NoteKind.ACCOMMODATION, accommodations.model_dump_json(exclude_defaults=True), code)

    def replace_slot(self, study: str, code: str, reason: str) -> str:
        """Lets a reserve stand in for a place that dropped out; returns its code.

        Raises:
            StudyError: There is no reserve of the same row and condition left.
        """
        _require(bool(reason.strip()), "Say why the place is replaced.")
        with self.write_transaction():
            self._require_state(study, StudyState.FROZEN, doing="given other places")
            lost = self._place(study, code)
            places = self.study_slots(study)
            earlier = next((place.slot.code for place in places if place.replaces == code), "")
            _require(not earlier, f"{code} is replaced by {earlier} already.")
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
            self._note(study, NoteKind.REPLACED, f"By {reserve.code}: {reason.strip()}", code)
        return reserve.code

    def add_study_note(self, study: str, text: str, code: str = "") -> None:
        """Adds the leader's note to the log, about a code or the study as a whole."""
        _require(bool(text.strip()), "The note is empty.")
        with self.write_transaction():
            self._study(study)
            self._note(study, NoteKind.NOTE, text.strip()[:10_000], code)

    def study_log(self, study: str) -> list[StudyNote]:
        """What happened to a study, and the leader's notes, the oldest first."""
        rows = self._rows("SELECT * FROM study_notes WHERE study = ? ORDER BY id", study)
        return [StudyNote(NoteKind(row["kind"]), parsed_time(row["at"]), row["note"], row["code"]) for row in rows]

    def looks(self, study: str) -> list[StudyLook]:
        """When somebody saw outcomes, the oldest first."""
        rows = self._rows("SELECT * FROM looks WHERE study = ? ORDER BY id", study)
        return [StudyLook(row["at"], row["note"], row["kind"] == LookKind.BEFORE_EXCLUSIONS) for row in rows]

    def answer_checklist(self, study: str, number: str, answer: str, reason: str = "") -> None:
        """Stores the leader's answer to a point of the checklist; an empty answer takes it back.

        Raises:
            StudyError: There is no such point, or the answer is not one of those that it takes.
        """
        _check_answer(number, answer)
        with self.write_transaction():
            self._study(study)
            self._execute("DELETE FROM checklist_answers WHERE study = ? AND number = ?", study, number)
            if answer.strip():
                self._insert(
                    "checklist_answers",
                    {"study": study, "number": number, "answer": answer.strip(), "reason": reason.strip(), "at": now()},
                )

    def checklist_answers(self, study: str) -> dict[str, ChecklistAnswer]:
        """The leader's answers by the numbers of the points."""
        rows = self._rows("SELECT * FROM checklist_answers WHERE study = ?", study)
        return {row["number"]: ChecklistAnswer(row["answer"], row["reason"]) for row in rows}

    def note_export(self, study: str, name: str, kind: str, digest: str) -> None:
        """Remembers that a study's data were exported, so that a withdrawal can name the file."""
        with self.write_transaction():
            self._study(study)
            self._insert("study_exports", {"study": study, "name": name, "kind": kind, "digest": digest, "at": now()})

    def _study(self, study: str) -> Any:
        row = self._row("SELECT * FROM studies WHERE id = ?", study)
        if row is None:
            raise MissingRecord(f"Study “{study}”")
        return row

    def _study_row(self, row: Any) -> StudyRow:
        document = read_study(row["document"])
        newest = self._row(
            "SELECT hash, number FROM study_versions WHERE study = ? AND kind = ? ORDER BY number DESC",
            row["id"],
            VersionKind.MAIN.value,
        )
        sessions = self._row("SELECT count(*) AS n FROM sessions WHERE study = ?", row["id"])
        return StudyRow(
            id=row["id"],
            name=row["name"],
            state=StudyState(row["state"]),
            hash=newest["hash"] if newest else document.hash,
            version=newest["number"] if newest else 0,
            slots=document.plan.slots,
            sessions=int(sessions["n"]) if sessions else 0,
            created_at=parsed_time(row["created_at"]),
            delete_after=document.retention.delete_after.isoformat(),
        )

    def _newest(self, study: str) -> StudyVersion | None:
        """The newest frozen version."""
        row = self._row(
            "SELECT * FROM study_versions WHERE study = ? AND kind = ? ORDER BY number DESC",
            study,
            VersionKind.MAIN.value,
        )
        return None if row is None else _version(row)

    def _newest_hash(self, study: str) -> str:
        row = self._row(
            "SELECT hash FROM study_versions WHERE study = ? AND kind = ? ORDER BY number DESC",
            study,
            VersionKind.MAIN.value,
        )
        return str(row["hash"]) if row else ""

    def _pilot_version(self, study: str) -> StudyVersion:
        """The document as pilot people meet it now."""
        document = self.study_document(study)
        frozen = _frozen(document)
        with self.write_transaction():
            self._require_state(study, *EDITABLE, doing="piloted any more")
            self._require_unchanged(study, document)
            if not self._version_row(frozen.hash, VersionKind.PILOT):
                self._add_version(document, frozen, VersionKind.PILOT, 1)
            if self.study_state(study) is StudyState.DRAFT:
                self._enter(study, StudyState.PILOT, f"Piloted from {frozen.hash} on")
        return _version(self._version_row(frozen.hash, VersionKind.PILOT))

    def _version_row(self, version: str, kind: VersionKind) -> Any:
        return self._row("SELECT * FROM study_versions WHERE hash = ? AND kind = ?", version, kind.value)

    def _add_version(
        self,
        document: Study,
        frozen: Frozen,
        kind: VersionKind,
        number: int,
        amendment: Mapping[str, str] | None = None,
    ) -> None:
        answers = {point: answer.value for point, answer in self.checklist_answers(document.id).items()}
        self._insert(
            "study_versions",
            {"hash": frozen.hash, "kind": kind.value, "study": document.id, "number": number, "at": now()}
            | {"document": write_study(document).decode(), "checklist": json.dumps(answers, sort_keys=True)}
            | {"frozen": frozen.model_dump_json(), "parent": "", "reason": "", "comparable": ""}
            | dict(amendment or {}),
        )
        for slot in frozen.slots:
            self._insert(
                "slots",
                {"hash": frozen.hash, "kind": kind.value, "code": slot.code, "number": slot.number}
                | {"slot": json.dumps(asdict(slot)), "accommodations": "{}", "replaces": ""},
            )

    def _keep_bundle(self, study: str, bundle: Bundle) -> None:
        codes = [slot.code for slot in bundle.slots]
        with self.write_transaction():
            self._require_state(study, *COLLECTING, doing="bundled")
            self._insert(
                "bundles",
                {"id": bundle.id, "study": study, "hash": bundle.hash, "phase": bundle.phase, "site": bundle.site}
                | {"key": bundle.key.hex(), "codes": json.dumps(codes), "at": now(), "file": "", "digest": ""},
            )
            self._note(study, NoteKind.BUNDLE, f"{bundle.phase}, {len(codes)} places, {bundle.site or 'no site'}")

    def _place(self, study: str, code: str) -> StoredSlot:
        for place in self.study_slots(study):
            if place.slot.code == code:
                return place
        raise StudyError(f"The study has no place {code}.")

    def _require_state(self, study: str, *states: StudyState, doing: str) -> None:
        state = self.study_state(study)
        _require(state in states, f"The study is {state} and cannot be {doing}.")

    def _require_unchanged(self, study: str, document: Study) -> None:
        _require(self._study(study)["document"] == write_study(document).decode(), _MEANWHILE)

    def _enter(self, study: str, state: StudyState, note: str) -> None:
        self._execute("UPDATE studies SET state = ? WHERE id = ?", state.value, study)
        self._note(study, NoteKind.STATE, note)

    def _note(self, study: str, kind: NoteKind, text: str, code: str = "") -> None:
        self._insert("study_notes", {"study": study, "kind": kind.value, "code": code, "note": text, "at": now()})


_OF_DRAFTS = {"studies": "id", "study_notes": "study", "checklist_answers": "study", "study_exports": "study"}
"""The tables that a draft may have rows in, with the column that says which study."""
_MEANWHILE = "The document was changed meanwhile. Look at it and try again."


def codes_between(text: str) -> Iterator[str]:
    """The codes of a list of codes and spans, such as "P001-P020, P031K"; letters may be left out.

    Raises:
        CodeError: One of them is no code.
    """
    for part in text.replace(" ", "").split(","):
        first, _, last = part.partition("-")
        if part:
            yield from (code_of(number) for number in range(_number(first), _number(last or first) + 1))


def _number(code: str) -> int:
    """The number of a code, whose letter may be missing."""
    digits = code[1:]
    return int(digits) if code[:1].upper() == "P" and digits.isdecimal() and len(digits) <= 5 else number_of(code)


def _frozen(document: Study) -> Frozen:
    errors = [problem for problem in check_study(document) if problem.is_error]
    if errors:
        more = f" ({len(errors) - 1} more)" if len(errors) > 1 else ""
        raise StudyError(f"{errors[0].place}: {errors[0].message}{more}")
    return freeze(document)


def _check_answer(number: str, answer: str) -> None:
    # The checklist imports the statistics, which take a second.
    from spatial_workbench.engine.studies.analysis.checklist import YES_NO, FilledBy, points

    point = next((point for point in points() if point.number == number), None)
    if point is None or point.filled_by is FilledBy.HEADING:
        raise StudyError(f"The checklist has no point {number}.")
    if answer.strip() and point.kind == "yes_no" and answer.strip() not in YES_NO:
        raise StudyError(f"Point {number} takes {', '.join(YES_NO)}, not “{answer.strip()[:40]}”.")


@lru_cache(maxsize=8)
def _read_frozen(text: str) -> Frozen:
    return Frozen.model_validate_json(text)


def _version(row: Any) -> StudyVersion:
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


def _bundle_row(row: Any) -> BundleRow:
    names = ("id", "hash", "phase", "site", "file", "digest")
    return BundleRow(
        **{name: row[name] for name in names}, codes=tuple(json.loads(row["codes"])), at=parsed_time(row["at"])
    )


def _stored_slot(row: Any, holding: Mapping[str, Sequence[str]]) -> StoredSlot:
    return StoredSlot(
        slot=_SLOT.validate_json(row["slot"]),
        accommodations=Accommodations.model_validate_json(row["accommodations"]),
        replaces=row["replaces"],
        bundles=tuple(holding.get(row["code"], ())),
    )


def parsed_time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _require(holds: bool, sentence: str) -> None:
    if not holds:
        raise StudyError(sentence)
