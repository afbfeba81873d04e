"""What happened to studies: the log, looks at outcomes, exports, and the answers to the checklist."""

from __future__ import annotations

from spatial_workbench.engine.store.base import ProjectPart, now
from spatial_workbench.engine.store.studies.records import (
    LookKind,
    NoteKind,
    StudyError,
    StudyNote,
    require,
)
from spatial_workbench.engine.store.studies.rows import parsed_time, stored_study
from spatial_workbench.engine.studies.analysis.outcomes import ChecklistAnswer, StudyLook


class StudyLog(ProjectPart):
    """The log of what happened to each study."""

    def note(self, study: str, kind: NoteKind, text: str, code: str = "") -> None:
        """Adds an entry to the log, within the caller's transaction."""
        self._insert("study_notes", {"study": study, "kind": kind.value, "code": code, "note": text, "at": now()})

    def add_note(self, study: str, text: str, code: str = "") -> None:
        """Adds the leader's note to the log, about a code or the study as a whole."""
        require(bool(text.strip()), "The note is empty.")
        with self._database.write_transaction():
            stored_study(self._database, study)
            self.note(study, NoteKind.NOTE, text.strip()[:10_000], code)

    def notes(self, study: str) -> list[StudyNote]:
        """What happened to a study, and the leader's notes, the oldest first."""
        rows = self._rows("SELECT * FROM study_notes WHERE study = ? ORDER BY id", study)
        return [StudyNote(NoteKind(row["kind"]), parsed_time(row["at"]), row["note"], row["code"]) for row in rows]

    def looks(self, study: str) -> list[StudyLook]:
        """When somebody saw outcomes, the oldest first."""
        rows = self._rows("SELECT * FROM looks WHERE study = ? ORDER BY id", study)
        return [StudyLook(row["at"], row["note"], row["kind"] == LookKind.BEFORE_EXCLUSIONS) for row in rows]

    def answer_checklist(self, study: str, number: str, answer: str, reason: str = "") -> None:
        """Stores the leader's answer to a point of the checklist; an empty answer removes it.

        Raises:
            StudyError: There is no such point, or the answer is not one of those that it takes.
        """
        _check_answer(number, answer)
        with self._database.write_transaction():
            stored_study(self._database, study)
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
        """Stores that a study's data were exported, so that a withdrawal can name the file."""
        with self._database.write_transaction():
            stored_study(self._database, study)
            self._insert("study_exports", {"study": study, "name": name, "kind": kind, "digest": digest, "at": now()})


def _check_answer(number: str, answer: str) -> None:
    # The checklist imports the statistics, which take a second.
    from spatial_workbench.engine.studies.analysis.checklist import YES_NO, FilledBy, points

    point = next((point for point in points() if point.number == number), None)
    if point is None or point.filled_by is FilledBy.HEADING:
        raise StudyError(f"The checklist has no point {number}.")
    # What the software reports may say more after a colon: "Partial: 50% of the items".
    if answer.strip() and point.kind == "yes_no" and answer.partition(":")[0].strip() not in YES_NO:
        raise StudyError(f"Point {number} takes {', '.join(YES_NO)}, not “{answer.strip()[:40]}”.")
