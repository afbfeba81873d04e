"""The link of each code. A code is no secret, since it has three digits; a link carries 128 random bits."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Iterable
from pathlib import Path

SECRET_BYTES = 32
MOST_TYPED = 200
_TOKEN_BYTES = 16
_PHRASE_BYTES = 8
_PIN_DIGITS = 8
_CONSONANTS = "bdfghjklmnprstvz"
_VOWELS = "aiou"


class JoinLinks:
    """Makes the tokens of codes from a secret, and finds the code of a token.

    secret: random bytes that only the server knows. codes: those that can take part here.
    """

    def __init__(self, secret: bytes, codes: Iterable[str]) -> None:
        self._secret = secret
        self._holders: dict[str, int] = {}
        self._codes = {self.token_of(code): code for code in codes}

    def token_of(self, code: str) -> str:
        """The token in the link of a code: 22 characters that fit into an address."""
        holder = self._holders.get(code)
        return self._signed("join", code if holder is None else f"{code}\0{holder}")

    def code_of(self, token: str) -> str | None:
        """The code of a token; None if it is not one of ours."""
        return self._codes.get(token)

    def hand_over(self, code: str, holder: int) -> None:
        """Makes a link for the person who holds a code from now on; links of earlier holders are no longer known."""
        self.take_back(code)
        self._holders[code] = holder
        self._codes[self.token_of(code)] = code

    def take_back(self, code: str) -> None:
        """From now on nobody can take part with a code."""
        self._codes.pop(self.token_of(code), None)

    def phrase_of(self, code: str) -> str:
        """Four words that can be said and typed, 64 bits, by which the person is known who holds a code."""
        return spoken(self._digest("phrase", self.token_of(code))[:_PHRASE_BYTES])

    def code_of_phrase(self, phrase: str) -> str | None:
        """The code of a phrase, however it was typed; None if it is nobody's."""
        typed = "-".join(re.findall(r"[a-z]+", phrase.lower()[:MOST_TYPED]))
        known = (code for code in self.codes if hmac.compare_digest(self.phrase_of(code).encode(), typed.encode()))
        return next(known, None)

    def pin_of(self, code: str) -> str:
        """The eight digits that are dealt with a code which is typed."""
        return f"{int.from_bytes(self._digest('pin', self.token_of(code))) % 10**_PIN_DIGITS:0{_PIN_DIGITS}}"

    def is_pin(self, code: str, typed: str) -> bool:
        """Whether these are the digits of a code, however they were typed."""
        digits = re.sub(r"\D", "", typed[:MOST_TYPED])
        return code in self._codes.values() and hmac.compare_digest(self.pin_of(code).encode(), digits.encode())

    def form_token_of(self, token: str) -> str:
        """What the form on the page of a link sends with it, so that no other page can send it."""
        return self._signed("form", token)

    def is_form_token(self, token: str, sent: str) -> bool:
        """Whether a form was made by this server for the page of this link."""
        return hmac.compare_digest(self.form_token_of(token).encode(), sent.encode())

    @property
    def codes(self) -> list[str]:
        """The codes with links, in their order."""
        return list(self._codes.values())

    def _signed(self, use: str, text: str) -> str:
        return base64.urlsafe_b64encode(self._digest(use, text)[:_TOKEN_BYTES]).rstrip(b"=").decode()

    def _digest(self, use: str, text: str) -> bytes:
        return hmac.digest(self._secret, f"{use}\0{text}".encode(), hashlib.sha256)


def spoken(content: bytes) -> str:
    """Bytes as words of five letters that can be said, two bytes each."""
    numbers = (int.from_bytes(content[i : i + 2]) for i in range(0, len(content), 2))
    return "-".join(map(_word, numbers))


def _word(number: int) -> str:
    """A word of five letters for 16 bits (D. S. Wilkerson, “A proposal for proquints”, 2009)."""
    ends = (_CONSONANTS[number >> 12], _CONSONANTS[number >> 6 & 15], _CONSONANTS[number & 15])
    vowels = (_VOWELS[number >> 10 & 3], _VOWELS[number >> 4 & 3])
    return ends[0] + vowels[0] + ends[1] + vowels[1] + ends[2]


def kept_secret(path: Path) -> bytes:
    """The secret in a file that only its owner can read; it is made where there is none, so that links stay valid.

    Raises:
        OSError: The file cannot be read or written.
        ValueError: It is no secret of ours.
    """
    try:
        secret = path.read_bytes()
    except FileNotFoundError:
        secret = secrets.token_bytes(SECRET_BYTES)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secret)
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"{path} does not hold the secret of a study's links.")
    return secret
