"""The link of each code. A code is no secret, since it has three digits; a link carries 128 random bits."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

SECRET_BYTES = 32
_TOKEN_BYTES = 16


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
        digest = hmac.new(self._secret, f"{use}\0{text}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest[:_TOKEN_BYTES]).rstrip(b"=").decode()


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
