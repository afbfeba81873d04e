"""Who somebody is whom a recruiter sends, as the link says and, where the recruiter signs, proves."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from spatial_workbench.app.serving.recruiting.recruiters_file import (
    PERSON_PARAMETERS,
    RecruiterKind,
    RecruitersFile,
    RecruitersFileError,
    TokenKeys,
)

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA")
"""Signatures with a public key; with others, whoever knows the public key could sign."""
SIGNED = "signed"
"""What proves an identity that the recruiter has signed."""
FORM_S = 4 * 3600
"""How long the page of an arrival can be used."""
_VALUE = re.compile(r"[A-Za-z0-9._~-]{1,128}")
_SESSION = "SESSION_ID"
_STUDY = "STUDY_ID"
_SIGNATURE = "signature"
_CLAIM = "prolific"


class ArrivalRefused(ValueError):
    """A link that does not say who somebody is, or does not prove it; says which."""


@dataclass(frozen=True)
class Arrival:
    """Who somebody is.

    Attributes:
        person: The recruiter's name for the person.
        session: Its name for this participation, where it has one; who knows it came through the recruiter.
        is_signed: Whether the recruiter's signature proves it.
    """

    person: str
    session: str = ""
    is_signed: bool = False


class ArrivalReader:
    """Reads the links of a recruiter.

    file: what the leader says of it. folder: where the file with its public keys is.

    Raises:
        RecruitersFileError: The public keys cannot be read.
    """

    def __init__(self, file: RecruitersFile, folder: Path) -> None:
        self._file = file
        self._keys = None if file.token is None else _public_keys(folder / file.token.keys)

    def read(self, query: str) -> Arrival:
        """Who comes with the query of a link.

        Raises:
            ArrivalRefused: It does not say so, or does not prove it.
        """
        given = _single_values(query)
        if self._file.token is not None:
            given = self._proven(given, self._file.token)
        kind = self._file.kind
        person = _value(given, PERSON_PARAMETERS[kind])
        if self._file.shared_key is not None:
            _check_signature(self._file.shared_key, person, given.get(_SIGNATURE, ""))
        if kind is not RecruiterKind.PROLIFIC:
            return Arrival(person, is_signed=self._file.is_signed)
        if self._file.study and given.get(_STUDY) != self._file.study:
            raise ArrivalRefused("the link is of another study")
        session = "" if self._file.is_signed and _SESSION not in given else _value(given, _SESSION)
        return Arrival(person, session, self._file.is_signed)

    def _proven(self, given: dict[str, str], token: TokenKeys) -> dict[str, str]:
        """What a signed token says; what the link says beside it has to be the same."""
        claims = self._claims(given.get(token.parameter, ""), token.audience)
        said = claims.get(_CLAIM)
        if not isinstance(said, dict):
            raise ArrivalRefused("the token does not say who somebody is")
        proven = {str(name): value for name, value in said.items() if isinstance(value, str)}
        for name in (PERSON_PARAMETERS[self._file.kind], _STUDY, _SESSION):
            if name in given and given[name] != proven.get(name):
                raise ArrivalRefused(f"{name} is not what the token says")
        return proven

    def _claims(self, token: str, audience: str) -> dict[str, Any]:
        import jwt

        try:
            key = self._key_of(jwt.get_unverified_header(token).get("kid"))
            required = ["exp", "aud"]
            claims: dict[str, Any] = jwt.decode(
                token, key, algorithms=ALGORITHMS, audience=audience, options={"require": required}
            )
        except (jwt.PyJWTError, ValueError, TypeError):
            raise ArrivalRefused("the token is not valid") from None
        return claims

    def _key_of(self, kid: Any) -> Any:
        assert self._keys is not None
        found = [key for key in self._keys.keys if key.key_id == kid]
        if len(found) != 1:
            raise ArrivalRefused("the token was signed with an unknown key")
        return found[0]


class ArrivalSeals:
    """Keeps who somebody is in pages and cookies of that person, unreadable for others, so that the server need not.

    secret: random bytes that only the server knows.
    """

    def __init__(self, secret: bytes, now: Callable[[], float] = time.time) -> None:
        self._key = derived_key(secret, "arrival")
        self._now = now

    def seal(self, arrival: Arrival) -> str:
        """An arrival as a text that fits into a form or a cookie."""
        from nacl.secret import SecretBox

        content = json.dumps({**asdict(arrival), "at": round(self._now())}).encode()
        return base64.urlsafe_b64encode(bytes(SecretBox(self._key).encrypt(content))).rstrip(b"=").decode()

    def open(self, text: str, most_s: float = FORM_S) -> Arrival | None:
        """The arrival in a text of `seal`; None if this server did not make it, or longer ago than `most_s`."""
        from nacl.exceptions import CryptoError
        from nacl.secret import SecretBox

        try:
            sealed = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), b"-_", validate=True)
            data = json.loads(SecretBox(self._key).decrypt(sealed))
        except (CryptoError, ValueError):
            return None
        is_fresh = self._now() - data.pop("at") <= most_s
        return Arrival(**data) if is_fresh else None


def derived_key(secret: bytes, use: str) -> bytes:
    """A key of 32 bytes for one use."""
    return hmac.digest(secret, use.encode(), hashlib.sha256)


def identity_hash(secret: bytes, kind: RecruiterKind, person: str) -> str:
    """What a person is recognized by; without the secret nobody finds out who it is by trying names."""
    return hmac.digest(derived_key(secret, "identity"), f"{kind}\0{person}".encode(), hashlib.sha256).hex()


def proof_hash(secret: bytes, arrival: Arrival) -> str:
    """What the same person has to show again; a signature proves all there is."""
    if arrival.is_signed:
        return SIGNED
    return hmac.digest(derived_key(secret, "proof"), arrival.session.encode(), hashlib.sha256).hex()


def _single_values(query: str) -> dict[str, str]:
    """The parameters of a query, each of which may be there once."""
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=50)
    except ValueError:
        raise ArrivalRefused("there are too many parameters") from None
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ArrivalRefused("a parameter is there twice")
    return values


def _value(given: dict[str, str], name: str) -> str:
    value = given.get(name, "")
    if not _VALUE.fullmatch(value):
        raise ArrivalRefused(f"{name} is missing, or is none")
    return value


def _check_signature(key: str, person: str, signature: str) -> None:
    expected = hmac.new(key.encode(), person.encode(), hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected.encode(), signature.lower().encode()):
        raise ArrivalRefused("the signature is not valid")


def _public_keys(path: Path) -> Any:
    import jwt

    try:
        keys = jwt.PyJWKSet.from_dict(json.loads(path.read_bytes()))
    except OSError as error:
        raise RecruitersFileError(f"{path} cannot be read: {error.strerror}.") from None
    except (jwt.PyJWTError, ValueError, AttributeError, TypeError):
        raise RecruitersFileError(f"{path} holds no public keys (JWKS).") from None
    if any(key.key_type == "oct" for key in keys.keys):
        raise RecruitersFileError(f"{path} holds a secret key; only public keys belong there.")
    return keys
