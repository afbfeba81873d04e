"""Which place each person has whom a recruiter sent: dealt once, in the order of the places, in one transaction.

Who somebody is stands here only as a keyed hash. The file is shared by the server and by commands of the leader.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.app.serving.recruiting.arrivals import SIGNED
from spatial_workbench.app.serving.recruiting.recruiters_file import RecruitOutcome

BEGIN_S = 30 * 60
"""A place of somebody who has not consented, and was not seen for so long, is dealt again."""
WITHOUT_CONSENT_S = 7 * 86_400
"""How long somebody who declined or was not eligible is recognized."""
FREES_PLACE = frozenset({RecruitOutcome.DECLINED, RecruitOutcome.INELIGIBLE})
"""After these, the place is dealt again: nothing was kept in it."""
_TABLES = """
CREATE TABLE IF NOT EXISTS people (
    id INTEGER PRIMARY KEY AUTOINCREMENT, identity TEXT UNIQUE, proof TEXT NOT NULL, code TEXT UNIQUE,
    dealt_at REAL NOT NULL, seen_at REAL NOT NULL, consented_at REAL, ended_at REAL,
    outcome TEXT NOT NULL DEFAULT '', reported TEXT NOT NULL DEFAULT '', forget_at REAL,
    was_credited INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS reserves (code TEXT PRIMARY KEY, replaces TEXT UNIQUE NOT NULL);
"""


class ProofRefused(ValueError):
    """Somebody has come with this identity before, and proved it otherwise."""


@dataclass(frozen=True)
class RecruitedPerson:
    """A person whom a recruiter sent.

    Attributes:
        id: Never given twice.
        code: The place; "" once it was given back.
        is_signed: Whether the recruiter's signature proves who it is.
        seen_at: When the person was last seen before consent; seconds since 1970, as all times.
        reported: Status that the recruiter has reported, such as "returned".
        was_credited: Whether the recruiter's server has been told.
    """

    id: int
    code: str
    is_signed: bool
    dealt_at: float
    seen_at: float
    consented_at: float | None
    ended_at: float | None
    outcome: RecruitOutcome | None
    reported: str
    was_credited: bool

    @property
    def minutes(self) -> float | None:
        """From the first *Begin* to the end; None while it goes on."""
        return None if self.ended_at is None else (self.ended_at - self.dealt_at) / 60


class RecruitedPlaces:
    """Deals places. Raises sqlite3.Error where the file cannot be used.

    It has more than 25 methods: each is one question or one change about the people of a single table.

    path: the file.
    """

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self._codes: Sequence[str] = ()
        self._now = now
        self._connection = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
        self._lock = threading.RLock()
        self._connection.row_factory = sqlite3.Row
        self._connection.execute("PRAGMA secure_delete = ON")
        self._connection.executescript(_TABLES)
        path.chmod(0o600)

    def offer(self, codes: Sequence[str]) -> None:
        """Sets the places that can be dealt, in their order. Reserves are added once they replace another one."""
        self._codes = codes

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def deal(self, identity: str, proof: str) -> RecruitedPerson | None:
        """The place of a person: the one that was dealt before, else the next free one; None if there is none.

        identity: what the person is recognized by. proof: what has to be the same the next time.

        Raises:
            ProofRefused: The person was dealt a place with another proof.
        """
        with self._transaction():
            row = self._row("SELECT * FROM people WHERE identity = ?", identity)
            if row is not None:
                return self._again(row, proof)
            code = next(iter(self._free_codes()), None)
            if code is None:
                return None
            self._execute(
                "INSERT INTO people (identity, proof, code, dealt_at, seen_at) VALUES (?1, ?2, ?3, ?4, ?4)",
                identity,
                proof,
                code,
                self._now(),
            )
            return self.of_code(code)

    # Who has which place -----------------------------------------------------------------------------------------

    def of_code(self, code: str) -> RecruitedPerson | None:
        """Who has a place; None if nobody has."""
        return self._person("SELECT * FROM people WHERE code = ?", code)

    def of_id(self, person: int) -> RecruitedPerson | None:
        """A person; None if there is none."""
        return self._person("SELECT * FROM people WHERE id = ?", person)

    def of_identity(self, identity: str, proof: str) -> RecruitedPerson | None:
        """A person who has come before with this proof, or a weaker one; None if nobody has."""
        return self._person("SELECT * FROM people WHERE identity = ?1 AND ?2 IN (proof, ?3)", identity, proof, SIGNED)

    def knows(self, identity: str) -> bool:
        """Whether somebody has come with an identity before, whatever proved it."""
        return self._row("SELECT 1 FROM people WHERE identity = ?", identity) is not None

    @property
    def is_full(self) -> bool:
        """Whether no place is free."""
        return self.free == 0

    @property
    def free(self) -> int:
        """How many places are free."""
        return len(self._free_codes())

    def everybody(self) -> list[RecruitedPerson]:
        """All people who have a place, or whose taking part has ended."""
        return self._people("1")

    def in_their_places(self) -> list[RecruitedPerson]:
        """People who have a place, and have not ended."""
        return self._people("code IS NOT NULL AND outcome = ''")

    def ended_in_their_places(self) -> list[RecruitedPerson]:
        """People whose place becomes free now that they have ended."""
        ended = ", ".join(f"'{outcome}'" for outcome in sorted(FREES_PLACE))
        return self._people(f"code IS NOT NULL AND outcome IN ({ended})")

    def left_before_consent(self) -> list[RecruitedPerson]:
        """People whose places are dealt again: not seen for long, or given back at the recruiter, before consent."""
        is_gone = "(reported != '' OR seen_at <= ?)"
        where = f"code IS NOT NULL AND consented_at IS NULL AND outcome = '' AND {is_gone}"
        return self._people(where, self._now() - BEGIN_S)

    def gave_back(self) -> list[RecruitedPerson]:
        """People who gave their participation back at the recruiter after consent, and whom no reserve replaces yet."""
        where = "code IS NOT NULL AND consented_at IS NOT NULL AND outcome = '' AND reported != ''"
        return self._people(f"{where} AND code NOT IN (SELECT replaces FROM reserves)")

    # What becomes of people --------------------------------------------------------------------------------------

    def see(self, person: int) -> None:
        """A person is there."""
        self._execute("UPDATE people SET seen_at = ? WHERE id = ?", self._now(), person)

    def consent(self, person: int, keep_s: float) -> None:
        """A person has consented, and is recognized for so long."""
        now = self._now()
        self._execute(
            "UPDATE people SET consented_at = ?, forget_at = ? WHERE id = ? AND consented_at IS NULL",
            now,
            now + keep_s,
            person,
        )

    def end(self, person: int, outcome: RecruitOutcome) -> None:
        """Taking part has ended for a person."""
        now = self._now()
        self._execute(
            "UPDATE people SET outcome = ?, ended_at = ? WHERE id = ? AND outcome = ''", outcome.value, now, person
        )
        if outcome in FREES_PLACE:
            self._execute("UPDATE people SET forget_at = ? WHERE id = ?", now + WITHOUT_CONSENT_S, person)

    def give_back(self, person: int) -> None:
        """The place of a person is free again; of somebody who has not begun, nothing is kept."""
        with self._transaction():
            self._execute("DELETE FROM people WHERE id = ? AND outcome = ''", person)
            self._execute("UPDATE people SET code = NULL WHERE id = ?", person)

    def report(self, identity: str, status: str) -> bool:
        """Notes what the recruiter reports of a person; False if nobody is recognized by that."""
        return self._execute("UPDATE people SET reported = ? WHERE identity = ?", status, identity) > 0

    def credit(self, person: int) -> None:
        """The recruiter's server has been told that a person took part."""
        self._execute("UPDATE people SET was_credited = 1 WHERE id = ?", person)

    def add_reserve(self, code: str, replaces: str) -> None:
        """From now on a reserve can be dealt, too."""
        self._execute("INSERT OR IGNORE INTO reserves (code, replaces) VALUES (?, ?)", code, replaces)

    def forget_due(self) -> None:
        """Forgets by what people are recognized, where the day for that has come."""
        self._execute("UPDATE people SET identity = NULL WHERE forget_at <= ?", self._now())

    def forget(self, code: str) -> None:
        """Forgets by what the person of a place is recognized."""
        self._execute("UPDATE people SET identity = NULL WHERE code = ?", code)

    # Internal ----------------------------------------------------------------------------------------------------

    def _again(self, row: sqlite3.Row, proof: str) -> RecruitedPerson:
        """A person who was dealt a place before. A signature replaces what proved it so far."""
        if proof not in (row["proof"], SIGNED):
            raise ProofRefused("This person has come with another proof.")
        self._execute("UPDATE people SET proof = ?, seen_at = ? WHERE id = ?", proof, self._now(), row["id"])
        return _person_of(row)

    def _free_codes(self) -> list[str]:
        taken = {row["code"] for row in self._connection.execute("SELECT code FROM people WHERE code IS NOT NULL")}
        reserves = [row["code"] for row in self._connection.execute("SELECT code FROM reserves ORDER BY code")]
        return [code for code in (*self._codes, *reserves) if code not in taken]

    def _people(self, where: str, *values: object) -> list[RecruitedPerson]:
        rows = self._connection.execute(f"SELECT * FROM people WHERE {where} ORDER BY id", values)
        return [_person_of(row) for row in rows]

    def _person(self, query: str, *values: object) -> RecruitedPerson | None:
        row = self._row(query, *values)
        return None if row is None else _person_of(row)

    def _row(self, query: str, *values: object) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self._connection.execute(query, values).fetchone()
        return row

    def _execute(self, statement: str, *values: object) -> int:
        with self._lock:
            return self._connection.execute(statement, values).rowcount

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Nobody else changes the file meanwhile, in this process or in another."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")


def _person_of(row: sqlite3.Row) -> RecruitedPerson:
    return RecruitedPerson(
        id=row["id"],
        code=row["code"] or "",
        is_signed=row["proof"] == SIGNED,
        dealt_at=row["dealt_at"],
        seen_at=row["seen_at"],
        consented_at=row["consented_at"],
        ended_at=row["ended_at"],
        outcome=RecruitOutcome(row["outcome"]) if row["outcome"] else None,
        reported=row["reported"],
        was_credited=bool(row["was_credited"]),
    )
