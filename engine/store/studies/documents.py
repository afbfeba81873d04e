"""Studies of human baselines: their documents and versions.

A study goes from draft over pilot and frozen to closed and unsealed (docs/studies.md, "The life of a study").
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from spatial_workbench.engine.store.base import Database, ProjectPart, now
from spatial_workbench.engine.store.records import MissingRecord
from spatial_workbench.engine.store.studies.keys import StudyKeys
from spatial_workbench.engine.store.studies.log import StudyLog
from spatial_workbench.engine.store.studies.records import (
    EDITABLE,
    DeletedDraft,
    NoteKind,
    StudyError,
    StudyRow,
    StudyVersion,
    VersionKind,
    require,
)
from spatial_workbench.engine.store.studies.rows import parsed_time, stored_study, version_of
from spatial_workbench.engine.studies.analysis.outcomes import Registration, StudyState
from spatial_workbench.engine.studies.files.sealing import NewSeal, SealError, new_seal
from spatial_workbench.engine.studies.planning.amending import incomparable_parts
from spatial_workbench.engine.studies.planning.checking import check_study
from spatial_workbench.engine.studies.planning.document import Study, read_study, write_study
from spatial_workbench.engine.studies.planning.freezing import Frozen, freeze


class Studies(ProjectPart):
    """The studies of a project: documents, versions, and how far each has got."""

    def __init__(self, database: Database, log: StudyLog, keys: StudyKeys) -> None:
        super().__init__(database)
        self._log = log
        self._keys = keys

    def add(self, study: Study) -> str:
        """Stores a study as a draft; returns its id.

        Raises:
            StudyError: There is a study of that id.
        """
        with self._database.write_transaction():
            if self._row("SELECT 1 FROM studies WHERE id = ?", study.id):
                raise StudyError(f"There is a study {study.id} in this project already.")
            self._insert(
                "studies",
                {"id": study.id, "name": study.name, "state": StudyState.DRAFT.value, "created_at": now()}
                | {"document": write_study(study).decode(), "registration": "{}", "list_hash": ""},
            )
        return study.id

    def all(self) -> list[StudyRow]:
        """All studies, the newest first."""
        return [self._study_row(row) for row in self._rows("SELECT * FROM studies ORDER BY created_at DESC, id")]

    def row(self, study: str) -> StudyRow:
        """What a list shows of one study."""
        return self._study_row(stored_study(self._database, study))

    def find(self, words: str) -> str:
        """The id of a study, from its id, its name, or the beginning of its hash.

        Raises:
            MissingRecord: There is none.
            StudyError: There are several.
        """
        chosen = [row.id for row in self.all() if words in (row.id, row.name)]
        if not chosen and len(words) >= 4:
            rows = self._rows("SELECT DISTINCT study FROM study_versions WHERE hash LIKE ? || '%'", words)
            drafts = [row.id for row in self.all() if row.hash.startswith(words)]
            chosen = sorted({*drafts, *(row["study"] for row in rows)})
        if not chosen:
            raise MissingRecord(f"Study “{words}”")
        if len(chosen) > 1:
            raise StudyError(f"“{words}” may be any of {', '.join(chosen)}. Use the id.")
        return chosen[0]

    def state(self, study: str) -> StudyState:
        """The state of a study."""
        return StudyState(stored_study(self._database, study)["state"])

    def document(self, study: str) -> Study:
        """The current document: the one that is edited, or the newest frozen version."""
        return read_study(stored_study(self._database, study)["document"])

    def change(self, study: str, document: Study) -> None:
        """Replaces the document of a draft.

        Raises:
            StudyError: The study is frozen, or the document is of another study.
        """
        with self._database.write_transaction():
            self.require_state(study, *EDITABLE, doing="changed. Make an amendment instead")
            require(document.id == study, f"The document has the id {document.id}, not {study}.")
            self._execute(
                "UPDATE studies SET name = ?, document = ? WHERE id = ?",
                document.name,
                write_study(document).decode(),
                study,
            )

    def delete_draft(self, study: str) -> DeletedDraft:
        """Deletes a study of which nothing was piloted or frozen; returns what `restore_draft` needs.

        Raises:
            StudyError: It is not a draft.
        """
        with self._database.write_transaction():
            state = self.state(study)
            require(state is StudyState.DRAFT, f"Only drafts are deleted; this study is {state}.")
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
        with self._database.write_transaction():
            require(
                not self._row("SELECT 1 FROM studies WHERE id = ?", deleted.id), "The draft is in this project already."
            )
            for table, rows in deleted.rows.items():
                for row in rows:
                    own = dict(row) if table == "studies" else {name: row[name] for name in row if name != "id"}
                    self._insert(table, own)
        return deleted.id

    def freeze(self, study: str, passphrase: str) -> str:
        """Fixes the document, its places and its materials; returns the hash. A frozen study stays as it is.

        passphrase: Opens the outcomes later; until then, everything in results that reveals them is encrypted.

        Raises:
            StudyError: The document has errors, or was changed meanwhile, or the passphrase is too short.
        """
        if self.state(study) not in EDITABLE:
            return self.row(study).hash
        keys = _new_keys(passphrase)
        document = self.document(study)
        frozen = _frozen(document)
        with self._database.write_transaction():
            self.require_state(study, *EDITABLE, doing="frozen")
            self._require_unchanged(study, document)
            self._add_version(document, frozen, VersionKind.MAIN, 1)
            self._keys.add(study, frozen.hash, keys)
            self.enter(study, StudyState.FROZEN, f"Frozen as {frozen.hash}")
        return frozen.hash

    def amend(self, study: str, document: Study, reason: str, comparable: str = "") -> str:
        """Freezes a further version, with the same keys; returns its hash. Sessions keep the version they began with.

        comparable: Why the sessions of both versions may be pooled, for the report; "" if they may not.

        Raises:
            StudyError: There is no reason, nothing has changed, or what has changed cannot be pooled.
        """
        require(bool(reason.strip()), "An amendment needs a reason.")
        require(document.id == study, f"The document has the id {document.id}, not {study}.")
        parent = self.newest_version(study)
        require(parent is not None, "Only a frozen study is amended; a draft is simply changed.")
        assert parent is not None
        require(parent.hash != document.hash, "Nothing has changed.")
        parts = incomparable_parts(parent.study, document) if comparable.strip() else []
        require(not parts, f"Sessions cannot be pooled over a change of {', '.join(parts)}.")
        frozen = _frozen(document)
        with self._database.write_transaction():
            self.require_state(study, StudyState.FROZEN, doing="amended")
            require(stored_study(self._database, study)["document"] == write_study(parent.study).decode(), _MEANWHILE)
            self._add_version(
                document,
                frozen,
                VersionKind.MAIN,
                parent.number + 1,
                {"parent": parent.hash, "reason": reason.strip(), "comparable": comparable.strip()},
            )
            self._keys.hand_down(parent.hash, frozen.hash)
            self._execute(
                "UPDATE studies SET name = ?, document = ? WHERE id = ?",
                document.name,
                write_study(document).decode(),
                study,
            )
            self._log.note(study, NoteKind.STATE, f"Amended to {frozen.hash}: {reason.strip()}")
        return frozen.hash

    def versions(self, study: str) -> list[StudyVersion]:
        """All versions, pilot ones included, the oldest first."""
        rows = self._rows("SELECT * FROM study_versions WHERE study = ? ORDER BY number, at, hash", study)
        return [version_of(row) for row in rows]

    def pooled_versions(self, study: str) -> list[StudyVersion]:
        """The frozen versions whose sessions are analysed together: the newest, and those that it is comparable to."""
        frozen = {version.hash: version for version in self.versions(study) if version.kind is VersionKind.MAIN}
        pooled: list[StudyVersion] = []
        version = max(frozen.values(), key=lambda version: version.number, default=None)
        while version is not None:
            pooled.insert(0, version)
            version = frozen.get(version.parent) if version.comparable else None
        return pooled

    def newest_version(self, study: str) -> StudyVersion | None:
        """The newest frozen version."""
        row = self._row(
            "SELECT * FROM study_versions WHERE study = ? AND kind = ? ORDER BY number DESC",
            study,
            VersionKind.MAIN.value,
        )
        return None if row is None else version_of(row)

    def pilot_version(self, study: str) -> StudyVersion:
        """The version that participants of the pilot get now; a draft becomes a pilot.

        Raises:
            StudyError: The study is frozen, the document has errors, or it was changed meanwhile.
        """
        document = self.document(study)
        frozen = _frozen(document)
        with self._database.write_transaction():
            self.require_state(study, *EDITABLE, doing="piloted any more")
            self._require_unchanged(study, document)
            if not self._version_row(frozen.hash, VersionKind.PILOT):
                self._add_version(document, frozen, VersionKind.PILOT, 1)
            if self.state(study) is StudyState.DRAFT:
                self.enter(study, StudyState.PILOT, f"Piloted from {frozen.hash} on")
        return version_of(self._version_row(frozen.hash, VersionKind.PILOT))

    def register(self, study: str, link: str, date: str) -> None:
        """Stores where and when (ISO 8601) the study was registered, which is not part of its hash.

        Raises:
            ValueError: The date is not one.
            MissingRecord: There is no such study.
        """
        registration = json.dumps({"link": link.strip(), "at": datetime.fromisoformat(date).date().isoformat()})
        with self._database.write_transaction():
            stored_study(self._database, study)
            self._execute("UPDATE studies SET registration = ? WHERE id = ?", registration, study)

    def registration(self, study: str) -> Registration:
        """The link and the date of the registration; empty if there is none."""
        return Registration(**json.loads(stored_study(self._database, study)["registration"]))

    def require_state(self, study: str, *states: StudyState, doing: str) -> None:
        """Raises StudyError unless the study is in one of the states; `doing` completes "cannot be …"."""
        state = self.state(study)
        require(state in states, f"The study is {state} and cannot be {doing}.")

    def enter(self, study: str, state: StudyState, note: str) -> None:
        """Sets the state of a study, and adds a note on it to the log."""
        self._execute("UPDATE studies SET state = ? WHERE id = ?", state.value, study)
        self._log.note(study, NoteKind.STATE, note)

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
        answers = {point: answer.value for point, answer in self._log.checklist_answers(document.id).items()}
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

    def _require_unchanged(self, study: str, document: Study) -> None:
        require(stored_study(self._database, study)["document"] == write_study(document).decode(), _MEANWHILE)


_OF_DRAFTS = {"studies": "id", "study_notes": "study", "checklist_answers": "study", "study_exports": "study"}
"""The tables that a draft may have rows in, with the column that says which study."""
_MEANWHILE = "The document was changed meanwhile. Look at it and try again."


def _new_keys(passphrase: str) -> NewSeal:
    try:
        return new_seal(passphrase)
    except SealError as error:
        raise StudyError(str(error)) from None


def _frozen(document: Study) -> Frozen:
    errors = [problem for problem in check_study(document) if problem.is_error]
    if errors:
        more = f" ({len(errors) - 1} more)" if len(errors) > 1 else ""
        raise StudyError(f"{errors[0].place}: {errors[0].message}{more}")
    return freeze(document)
