"""What the parts about recruited people share: who has which place in a served study, and who leaves one."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.app.serving.links import JoinLinks, kept_secret
from spatial_workbench.app.serving.recruiting.arrivals import (
    Arrival,
    ArrivalReader,
    ArrivalSeals,
    derived_key,
    identity_hash,
    proof_hash,
)
from spatial_workbench.app.serving.recruiting.identities import SUFFIX, Identities
from spatial_workbench.app.serving.recruiting.places import RecruitedPerson, RecruitedPlaces
from spatial_workbench.app.serving.recruiting.recruiters_file import RecruitersFile, read_recruiters_file
from spatial_workbench.app.serving.seats import Seats
from spatial_workbench.app.serving.served_study import ServedStudy
from spatial_workbench.app.serving.visits import Visits
from spatial_workbench.engine.studies.sessions.session_file import SessionFileError, read_session

PLACES = "recruited.sqlite"
DAY_S = 86_400
_TOKEN_CHARS = 32


class NotSealed(ValueError):
    """The study has no public key, so that identities could not be encrypted."""


@dataclass(frozen=True)
class RecruitedStudy:
    """A served study whose people come from a recruiter.

    Attributes:
        tell: Called with sentences for the leader; they never name anybody.
    """

    served: ServedStudy
    file: RecruitersFile
    reader: ArrivalReader
    seals: ArrivalSeals
    places: RecruitedPlaces
    identities: Identities
    links: JoinLinks
    visits: Visits
    seats: Seats
    tell: Callable[[str], object]
    secret: bytes

    def place_of(self, arrival: Arrival) -> RecruitedPerson | None:
        """The place of somebody, dealt now or before; None if there is none.

        Raises:
            ProofRefused: Somebody has come with this identity and another proof.
        """
        person = self.places.deal(self.hash_of(arrival.person), proof_hash(self.secret, arrival))
        if person is not None and person.code:
            self.links.hand_over(person.code, person.id)
        return person

    def known(self, arrival: Arrival) -> RecruitedPerson | None:
        """Somebody who has come before with the same proof; None if nobody has."""
        return self.places.of_identity(self.hash_of(arrival.person), proof_hash(self.secret, arrival))

    def hash_of(self, person: str) -> str:
        """What somebody is recognized by, from the recruiter's name for the person."""
        return identity_hash(self.secret, self.file.kind, person)

    def has_consented(self, code: str) -> bool:
        """Whether the session of a code, as it is stored, has a consent."""
        try:
            return bool(read_session(self.served.session_of(code)).consent)
        except SessionFileError:
            return False

    def way_out_of(self, person: RecruitedPerson) -> str:
        """The address of the page that somebody leaves by; nobody guesses it."""
        return f"/out/{person.id}-{self._signed(person.id)}"

    def leaving(self, token: str) -> RecruitedPerson | None:
        """The person whose way out it is; None if it is nobody's."""
        number, _, signed = token.partition("-")
        if not (number.isascii() and number.isdigit() and len(number) < _TOKEN_CHARS):
            return None
        is_ours = hmac.compare_digest(self._signed(int(number)).encode(), signed.encode())
        return self.places.of_id(int(number)) if is_ours else None

    async def give_back(self, person: RecruitedPerson) -> None:
        """Makes a place free for somebody else: its window is closed, and nothing of its session is left.

        Somebody who has consented meanwhile keeps it.
        """
        await self.seats.dismiss(person.code)
        if person.outcome is None and self.has_consented(person.code):
            self.places.consent(person.id, self.keep_s)
            return
        self.links.take_back(person.code)
        self.visits.dismiss(person.code)
        for path in self.served.folder_of(person.code).glob(f"{person.code}.*"):
            path.unlink(missing_ok=True)
        self.places.give_back(person.id)

    def forget(self, person: RecruitedPerson) -> None:
        """Deletes by what somebody is recognized who withdraws, and the identity."""
        self.identities.erase(person.id)
        self.places.forget(person.code)

    @property
    def keep_s(self) -> float:
        """How long identities are kept after consent."""
        return self.file.keep_days * DAY_S

    def _signed(self, person: int) -> str:
        key = derived_key(self.secret, "out")
        return hmac.new(key, str(person).encode(), hashlib.sha256).hexdigest()[:_TOKEN_CHARS]


def recruited_study(
    served: ServedStudy,
    recruiter: Path,
    links: JoinLinks,
    visits: Visits,
    seats: Seats,
    tell: Callable[[str], object],
) -> RecruitedStudy:
    """A served study whose people come from a recruiter, as a file says.

    Raises:
        RecruitersFileError: The file cannot be used.
        NotSealed: The study has no key to seal identities with.
        OSError, ValueError, sqlite3.Error: What was stored before cannot be used.
    """
    file = read_recruiters_file(recruiter)
    if not served.bundle.seal:
        raise NotSealed("The answers of this study are not sealed, so that identities would not be, either.")
    secret = kept_secret(served.secret)
    places = places_of(served)
    for person in places.everybody():
        if person.code:
            links.hand_over(person.code, person.id)
    return RecruitedStudy(
        served,
        file,
        ArrivalReader(file, recruiter.parent),
        ArrivalSeals(secret),
        places,
        Identities(served.folder.with_suffix(SUFFIX)),
        links,
        visits,
        seats,
        tell,
        secret,
    )


def places_of(served: ServedStudy) -> RecruitedPlaces:
    """The places of a served study: those that are no reserves, and hold no session of anybody else."""
    places = RecruitedPlaces(served.folder / PLACES)
    held = {person.code for person in places.everybody()}
    codes = [slot.code for slot in served.bundle.slots if not slot.is_reserve]
    places.offer([code for code in codes if code in held or not served.has_begun(code)])
    return places
