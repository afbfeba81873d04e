"""Leaving a session needs the leader's passphrase. The study holds its scrypt hash, never the passphrase."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, replace

from spatial_workbench.engine.studies.planning.document import Leave

LEAST_CHARS = 8
SALT_BYTES = 16
TRIES = 3
"""The number of wrong tries after which one has to wait."""
FIRST_WAIT_MS = 30_000
_N = 2**14
_R = 8
_P = 1


def leave_of(passphrase: str) -> Leave:
    """What a study keeps of a passphrase.

    Raises:
        ValueError: It is too short.
    """
    if len(passphrase) < LEAST_CHARS:
        raise ValueError(f"The passphrase has at least {LEAST_CHARS} characters")
    salt = secrets.token_bytes(SALT_BYTES)
    return Leave(salt=salt.hex(), hash=_hash(passphrase, salt).hex())


def opens(leave: Leave, passphrase: str) -> bool:
    """Whether it is the leader's passphrase."""
    try:
        salt = bytes.fromhex(leave.salt)
        expected = bytes.fromhex(leave.hash)
    except ValueError:
        return False
    return hmac.compare_digest(_hash(passphrase, salt), expected)


def _hash(passphrase: str, salt: bytes) -> bytes:
    return hashlib.scrypt(passphrase.encode(), salt=salt, n=_N, r=_R, p=_P)


@dataclass(frozen=True)
class Tries:
    """The wrong tries so far, and from when on the next one is allowed (ms, of the clock that runs in suspend)."""

    wrong: int = 0
    next_at: int = 0

    def wait_ms(self, now: int) -> int:
        """How long one still has to wait."""
        return max(0, self.next_at - now)

    def after(self, is_right: bool, now: int) -> Tries:
        """After another try: every third wrong one makes one wait, twice as long each time."""
        if is_right:
            return Tries()
        wrong = self.wrong + 1
        if wrong % TRIES:
            return replace(self, wrong=wrong)
        return Tries(wrong, now + FIRST_WAIT_MS * 2 ** (wrong // TRIES - 1))
