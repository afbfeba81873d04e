"""A study that is served: its bundle, and a folder of its own in which everything is kept."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, replace
from pathlib import Path

from spatial_workbench.app.serving.addresses import ServingAddress
from spatial_workbench.app.serving.links import JoinLinks, kept_secret
from spatial_workbench.app.serving.plain_files import is_plain
from spatial_workbench.engine.studies.files.bundles import Bundle, write_bundle
from spatial_workbench.engine.studies.files.results_file import SUFFIX as RESULTS
from spatial_workbench.engine.studies.files.results_file import countersign
from spatial_workbench.engine.studies.sessions.schema import SessionState
from spatial_workbench.engine.studies.sessions.session_file import SUFFIX as SESSION
from spatial_workbench.engine.studies.sessions.session_file import SessionFileError, read_session, tombstone

BUNDLE = "served.study"
PEOPLE = "people"
COLLECTED = "results"
SECRET = "links.secret"
ENDED = frozenset(
    {
        SessionState.FINISHED,
        SessionState.INELIGIBLE,
        SessionState.STOPPED,
        SessionState.WITHDRAWN,
        SessionState.ENDED,
    }
)


@dataclass(frozen=True)
class ServedStudy:
    """A study that is served from a folder of its own.

    Attributes:
        project: The project's file, into which results are merged; None where results are collected in the folder,
            to be merged elsewhere.
        bundle: What people take part in.
        folder: A folder with the bundle, and a folder for each person; it outlives the server.
        address: How browsers reach the gate.
        at_once: How many people may take part at the same time.
        drains: Whether nobody begins any more; who has begun may go on.
        recruiter: The recruiter's file, if people come from one: then no code has a link before it is dealt.
    """

    project: Path | None
    bundle: Bundle
    folder: Path
    address: ServingAddress
    at_once: int
    drains: bool = False
    recruiter: Path | None = None

    @property
    def secret(self) -> Path:
        """The file with the secret that links, cookies and hashes are made from."""
        return self.folder / SECRET

    @property
    def url(self) -> str:
        """The address under which browsers reach the gate."""
        return self.address.url

    def prepare(self) -> None:
        """Writes what windows need into the folder. Raises OSError, ValueError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        write_bundle(self.folder / BUNDLE, self.bundle)
        for slot in self.bundle.slots:
            own = self.folder_of(slot.code)
            own.mkdir(parents=True, exist_ok=True)
            # With the places of others in it, somebody could take part under another code; with the bundle's key,
            # sign results of others.
            write_bundle(own / BUNDLE, replace(self.bundle, slots=(slot,), key=self.key_of(slot.code)))

    def key_of(self, code: str) -> bytes:
        """The key with which the window of a code signs its results. Raises OSError, ValueError."""
        return hmac.digest(kept_secret(self.secret), f"results {code}".encode(), hashlib.sha256)

    @property
    def collected(self) -> Path:
        """The folder in which results are collected that are merged elsewhere."""
        return self.folder / COLLECTED

    def forget_withdrawn(self) -> None:
        """Deletes collected results whose person has withdrawn, and so deleted them. Raises OSError."""
        kept = {path.name for path in self.results_files()}
        for path in self.collected.glob(f"*{RESULTS}"):
            if path.name not in kept:
                path.unlink(missing_ok=True)

    def countersigned(self, results: Path, folder: Path) -> Path:
        """Results of a window, signed with the bundle's key, in another folder.

        Raises:
            ResultError: They are damaged, or those of another place than the one in whose folder they stand.
            OSError, ValueError: They cannot be read, or written.
        """
        code = results.parent.name
        target = folder / results.name
        countersign(results, self.key_of(code), self.bundle.key, code, target)
        return target

    def folder_of(self, code: str) -> Path:
        """All that the window of a code reaches: its bundle, its session, its results."""
        return self.folder / PEOPLE / code

    def session_of(self, code: str) -> Path:
        """The file of a session."""
        return self.folder_of(code) / f"{code}{SESSION}"

    def has_begun(self, code: str) -> bool:
        """Whether there is a session of a code."""
        return is_plain(self.session_of(code)) or tombstone(self.folder_of(code), code)

    def is_over(self, code: str) -> bool:
        """Whether the session of a code has ended, or was deleted."""
        if tombstone(self.folder_of(code), code):
            return True
        if not is_plain(self.session_of(code)):
            return False
        try:
            return read_session(self.session_of(code)).state in ENDED
        except SessionFileError:
            return False

    def results_files(self) -> list[Path]:
        """The results that there are."""
        return sorted(filter(is_plain, self.folder.glob(f"{PEOPLE}/*/*{RESULTS}")))

    def links(self) -> JoinLinks:
        """The links of the codes, which are the same each time. Raises OSError, ValueError."""
        codes = () if self.recruiter is not None else tuple(slot.code for slot in self.bundle.slots)
        return JoinLinks(kept_secret(self.secret), codes)
