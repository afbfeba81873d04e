"""Keys: in the system's keyring, the environment or the memory of a session, never in a project, a record or a log.

A key belongs to a host. Settings can only choose among the keys of their own host, so that the settings in somebody
else's project cannot send a key elsewhere.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from pydantic import SecretStr

from spatial_workbench.engine.core.extras import require
from spatial_workbench.engine.models.contracts import ErrorKind, ModelError
from spatial_workbench.engine.models.settings import ModelSettings

SERVICE = "spatial-workbench"
"""The service name of this program's entries in the keyring."""

_USUAL_VARIABLES = {
    "api.openai.com": "OPENAI_API_KEY",
    "api.anthropic.com": "ANTHROPIC_API_KEY",
    "generativelanguage.googleapis.com": "GEMINI_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
}

REMOVED = "[key removed]"
_SHAPES = re.compile(r"\b(?:(?:sk|key|xai|gsk)[-_]|AIza)[A-Za-z0-9*_\-]{10,}|(?<=Bearer )\S+")
_SIGNS = ("sk-", "sk_", "key-", "key_", "xai-", "xai_", "AIza", "Bearer ")
"""A text without any of these holds nothing of these shapes; long answers are looked through faster for them."""
_session: dict[str, SecretStr] = {}
"""The keys that were given for this session, by their names. They are in no file."""
_SHORTEST_IN_ERRORS = 4
_SHORTEST_IN_ANSWERS = 12
"""Local servers accept any word as a key; a short, ordinary word must not be removed from answers."""


class KeyringProblem(Exception):
    """The system's keyring cannot be used; the message says why."""


def key_name(settings: ModelSettings) -> str:
    """The name of an endpoint's key in the keyring: its host (with the port, if it names one), after the account's."""
    host = urlsplit(settings.url).netloc.lower()
    return f"{settings.account}@{host}" if settings.account else host


def key_variables(settings: ModelSettings) -> tuple[str, ...]:
    """The environment variables that may hold an endpoint's key."""
    host = urlsplit(settings.url).netloc.lower()
    own = "SPATIAL_WORKBENCH_KEY_" + re.sub(r"[^A-Za-z0-9]", "_", key_name(settings)).upper()
    usual = _USUAL_VARIABLES.get(host)
    return (own, usual) if usual and not settings.account else (own,)


def give_session_key(name: str, key: str) -> None:
    """Keeps a key in the memory of this process, until it ends or the key is empty; it goes before all others."""
    if key.strip():
        _session[name] = SecretStr(key.strip())
    else:
        _session.pop(name, None)


def has_session_key(settings: ModelSettings) -> bool:
    """Whether a key for the endpoint was given for this session."""
    return key_name(settings) in _session


def session_keys(chosen: Iterable[ModelSettings]) -> dict[str, str]:
    """The session's keys of these endpoints by their names, to be handed to a process that asks them.

    Hand them over in a pipe: neither in a command line, nor in the environment, nor in a file.
    """
    names = {key_name(settings) for settings in chosen if settings.provider.is_endpoint}
    return {name: _session[name].get_secret_value() for name in sorted(names & _session.keys())}


def find_key(settings: ModelSettings) -> SecretStr | None:
    """The key of an endpoint: the session's, or else from the environment or the keyring; None: there is none.

    Raises:
        ModelError: The key would travel unencrypted to another network.
    """
    values = (os.environ.get(name) for name in key_variables(settings))
    given = _session.get(key_name(settings))
    value = given.get_secret_value() if given else next(filter(None, values), None)
    value = value or _from_keyring(key_name(settings))
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
    require("models", "keyring")
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
    require("models", "keyring")
    import keyring
    from keyring.errors import KeyringError, PasswordDeleteError

    try:
        keyring.delete_password(SERVICE, name)
    except PasswordDeleteError:
        return
    except KeyringError as error:
        raise KeyringProblem(_no_keyring(error)) from None


def redact(text: str, key: SecretStr | None = None) -> str:
    """An error's text without the key, and without anything that looks like one."""
    text = _without(text, key, _SHORTEST_IN_ERRORS)
    return _SHAPES.sub(REMOVED, text) if any(sign in text for sign in _SIGNS) else text


def without(text: str, key: SecretStr | None) -> str:
    """The text without this particular key: for answers, in which nothing else may be changed."""
    return _without(text, key, _SHORTEST_IN_ANSWERS)


def _without(text: str, key: SecretStr | None, shortest: int) -> str:
    secret = key.get_secret_value() if key else ""
    return text.replace(secret, REMOVED) if len(secret) >= shortest else text


def _from_keyring(name: str) -> str | None:
    require("models", "keyring")
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(SERVICE, name)
    except KeyringError:
        # Without a keyring, keys come from the environment only; the endpoint complains if it needs one.
        return None


def _no_keyring(error: Exception) -> str:
    advice = "Give the key for this session only, or put it into an environment variable."
    return f"The system's keyring cannot be used ({error}). {advice}"


def _is_private(url: str) -> bool:
    """Whether nobody between this machine and the endpoint can read along."""
    parts = urlsplit(url)
    if parts.scheme == "https" or parts.hostname == "localhost":
        return True
    try:
        return ipaddress.ip_address(parts.hostname or "").is_private
    except ValueError:
        return False
