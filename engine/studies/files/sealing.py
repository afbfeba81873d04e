"""Sealing: what tells the outcomes of a study is encrypted from freezing on until its outcomes are opened.

Each frozen version has a pair of keys. The public key travels in the bundles, so that every machine can encrypt and
none can decrypt. The private key lies in the leader's project, locked by a passphrase of its own. It can also be
written down, as a recovery key. The encryption is libsodium's: sealed boxes for what participants do, a secret box for
the private key.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import unicodedata
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from spatial_workbench.engine.core.extras import require

LEAST_CHARS = 8
BLOCK_BYTES = 4096
"""Contents are padded to a multiple of this, so that their length does not tell a short answer from a long one."""
_SALT_BYTES = 16
_KEY_BYTES = 32
_CHECK_BYTES = 3
_GROUP = 4
_N = 2**15
_R = 8
_P = 1
_SCRYPT_BYTES = 64 * 1024 * 1024


class SealError(ValueError):
    """A key that does not open, or sealed contents that cannot be opened; says which."""


def _usable(public: str) -> str:
    """A public key, after a trial; of some values nothing can be encrypted to."""
    require("seal")
    from nacl.exceptions import CryptoError

    try:
        seal_bytes(public, b"")
    except CryptoError:
        raise ValueError("nothing can be encrypted to its public key") from None
    return public


PublicKeyText = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), AfterValidator(_usable)]
"""A public key, hexadecimal, to which contents can be encrypted."""


class Seal(BaseModel):
    """The keys of a frozen version; the private one is locked by a passphrase. All values are hexadecimal."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    public: PublicKeyText
    salt: str = Field(pattern=r"^[0-9a-f]{32}$")
    locked: str = Field(pattern=r"^([0-9a-f]{2})+$", description="The private key, encrypted")


@dataclass(frozen=True)
class NewSeal:
    """A seal that was just made.

    Attributes:
        recovery: The recovery key. It is known only now and to whoever has the passphrase.
    """

    seal: Seal
    recovery: str


def is_long_enough(passphrase: str) -> bool:
    """Whether a passphrase has enough characters; spaces around it do not count."""
    return len(_normalized(passphrase)) >= LEAST_CHARS


def new_seal(passphrase: str) -> NewSeal:
    """Makes a pair of keys, and locks the private one.

    Raises:
        SealError: The passphrase is too short.
    """
    if not is_long_enough(passphrase):
        raise SealError(f"The passphrase for the outcomes needs at least {LEAST_CHARS} characters.")
    require("seal")
    from nacl.public import PrivateKey
    from nacl.secret import SecretBox

    private = PrivateKey.generate()
    salt = secrets.token_bytes(_SALT_BYTES)
    locked = SecretBox(_derived_key(passphrase, salt)).encrypt(bytes(private))
    seal = Seal(public=bytes(private.public_key).hex(), salt=salt.hex(), locked=bytes(locked).hex())
    return NewSeal(seal, _recovery_key(bytes(private)))


def unlock(seal: Seal, secret: str) -> bytes:
    """The private key of a seal.

    secret: the passphrase or the recovery key.

    Raises:
        SealError: It is neither.
    """
    require("seal")
    from nacl.public import PrivateKey

    private = _from_recovery_key(secret) or _from_passphrase(seal, secret)
    if private is None or bytes(PrivateKey(private).public_key).hex() != seal.public:
        raise SealError("This is neither the passphrase for the outcomes of this study nor its recovery key.")
    return private


def recovery_key(seal: Seal, passphrase: str) -> str:
    """The recovery key of a seal. Raises SealError if the passphrase is wrong."""
    return _recovery_key(unlock(seal, passphrase))


def key_lines(key: str) -> tuple[str, str]:
    """A recovery key in two lines of whole groups."""
    groups = key.split("-")
    half = len(groups) // 2
    return "-".join(groups[:half]), "-".join(groups[half:])


def recovery_sheet(name: str, version: str, key: str) -> str:
    """A page of plain text with a recovery key, to be printed.

    version: the hash of the frozen version.
    """
    first, second = key_lines(key)
    return f"""RECOVERY SHEET

Study      {name}
Version    {version}

Recovery key

    {first}
    {second}

The answers in this study are encrypted. They are opened with the passphrase that was chosen when the study was
frozen, or with this key: under Outcomes, "Show outcomes", or on the command line by "study unseal". Without one of
them, nobody can read the answers.

Keep this sheet where nobody who analyses the study finds it before the exclusions are fixed. Delete the file once the
sheet is printed.
"""


def seal_bytes(public: str, content: bytes) -> str:
    """Encrypts contents to a public key (hexadecimal); returns text. Equal contents give different texts."""
    require("seal")
    from nacl.bindings import sodium_pad
    from nacl.public import PublicKey, SealedBox

    box = SealedBox(PublicKey(bytes.fromhex(public)))
    return base64.b64encode(box.encrypt(sodium_pad(content, BLOCK_BYTES))).decode()


def open_bytes(private: bytes, sealed: str) -> bytes:
    """Decrypts what `seal_bytes` made.

    Raises:
        SealError: It was made for another key, or altered.
    """
    require("seal")
    from nacl.bindings import sodium_unpad
    from nacl.exceptions import CryptoError
    from nacl.public import PrivateKey, SealedBox

    try:
        padded = SealedBox(PrivateKey(private)).decrypt(base64.b64decode(sealed, validate=True))
        return bytes(sodium_unpad(padded, BLOCK_BYTES))
    except (CryptoError, ValueError) as error:
        raise SealError("Sealed contents cannot be opened: they were altered, or sealed for another study.") from error


def _normalized(passphrase: str) -> str:
    """A passphrase as every keyboard and file gives it: letters composed, without spaces around it."""
    return unicodedata.normalize("NFC", passphrase).strip()


def _derived_key(passphrase: str, salt: bytes) -> bytes:
    secret = _normalized(passphrase).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(secret, salt=salt, n=_N, r=_R, p=_P, maxmem=_SCRYPT_BYTES, dklen=_KEY_BYTES)


def _from_passphrase(seal: Seal, passphrase: str) -> bytes | None:
    require("seal")
    from nacl.exceptions import CryptoError
    from nacl.secret import SecretBox

    key = _derived_key(passphrase, bytes.fromhex(seal.salt))
    try:
        private = SecretBox(key).decrypt(bytes.fromhex(seal.locked))
    except CryptoError:
        return None
    return private if len(private) == _KEY_BYTES else None


def _recovery_key(private: bytes) -> str:
    """The key in groups of four characters, with a checksum that finds slips of the pen."""
    text = base64.b32encode(private + hashlib.sha256(private).digest()[:_CHECK_BYTES]).decode().rstrip("=")
    return "-".join(text[begin : begin + _GROUP] for begin in range(0, len(text), _GROUP))


def _from_recovery_key(text: str) -> bytes | None:
    """The private key in a recovery key, however it was typed; None if the text is none."""
    letters = re.sub(r"[\s-]", "", text).upper()
    try:
        data = base64.b32decode(letters)
    except ValueError:
        return None
    private, check = data[:_KEY_BYTES], data[_KEY_BYTES:]
    is_sound = len(private) == _KEY_BYTES and check == hashlib.sha256(private).digest()[:_CHECK_BYTES]
    return private if is_sound else None
