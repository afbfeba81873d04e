"""Keys: in the system's keyring or the environment, never in a project, a record or a log."""

from __future__ import annotations

import ipaddress
import os
import re
from urllib.parse import urlsplit

from pydantic import SecretStr

from engine.models.contracts import ErrorKind, ModelError
from engine.models.settings import OPENAI_URL, ModelSettings

SERVICE = "spatial-workbench"
"""What our entries in the keyring belong to."""

REMOVED = "[key removed]"
_SHAPES = re.compile(r"\b(?:sk|key|xai|gsk|AIza)[-_]?[A-Za-z0-9*_\-]{12,}|(?<=Bearer )\S+")
_SHORTEST = 4


class KeyringProblem(Exception):
    """The system's keyring cannot be used; the message says why."""


def key_name(settings: ModelSettings) -> str:
    """The name under which an endpoint's key is kept: its own, or the host's."""
    return settings.key_name or (urlsplit(settings.url).hostname or "")


def find_key(settings: ModelSettings) -> SecretStr | None:
    """The key of an endpoint: the environment variable of its name, else the keyring's entry; None: there is none.

    OPENAI_API_KEY is for api.openai.com only, unless the settings name it.

    Raises:
        ModelError: The key would travel unencrypted to another network.
    """
    name = key_name(settings)
    variable = "OPENAI_API_KEY" if not settings.key_name and settings.url == OPENAI_URL else name
    value = os.environ.get(variable) or _from_keyring(name)
    if not value:
        return None
    if not _is_private(settings.url):
        advice = "A key is sent to other networks by https only; the address begins with http."
        raise ModelError(ErrorKind.AUTH, advice=advice)
    return SecretStr(value.strip())


def store_key(name: str, key: str) -> None:
    """Puts a key into the system's keyring.

    Raises:
        KeyringProblem: There is none, or it is locked.
    """
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.set_password(SERVICE, name, key)
    except KeyringError as error:
        raise KeyringProblem(_no_keyring(error)) from None


def forget_key(name: str) -> None:
    """Removes a key from the keyring, if it is there.

    Raises:
        KeyringProblem: There is none, or it is locked.
    """
    import keyring
    from keyring.errors import KeyringError, PasswordDeleteError

    try:
        keyring.delete_password(SERVICE, name)
    except PasswordDeleteError:
        return
    except KeyringError as error:
        raise KeyringProblem(_no_keyring(error)) from None


def redact(text: str, key: SecretStr | None = None) -> str:
    """The text without the key, and without anything that looks like one."""
    return _SHAPES.sub(REMOVED, without(text, key))


def without(text: str, key: SecretStr | None) -> str:
    """The text without this very key: for answers, in which nothing else may be changed."""
    secret = key.get_secret_value() if key else ""
    return text.replace(secret, REMOVED) if len(secret) >= _SHORTEST else text


def _from_keyring(name: str) -> str | None:
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(SERVICE, name)
    except KeyringError:
        # Without a keyring the environment is the only place; that it holds no key is said when one is asked for.
        return None


def _no_keyring(error: Exception) -> str:
    return f"The system's keyring cannot be used ({error}). Put the key into an environment variable instead."


def _is_private(url: str) -> bool:
    parts = urlsplit(url)
    if parts.scheme == "https" or parts.hostname == "localhost":
        return True
    try:
        return ipaddress.ip_address(parts.hostname or "").is_private
    except ValueError:
        return False
