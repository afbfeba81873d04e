"""Turns the client's exceptions into kinds of faults, for people and for deciding about retries."""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

from spatial_workbench.engine.models.contracts import ErrorKind

_BY_STATUS = {
    401: ErrorKind.AUTH,
    402: ErrorKind.QUOTA,
    403: ErrorKind.AUTH,
    408: ErrorKind.SERVER,
    409: ErrorKind.SERVER,
    413: ErrorKind.CONTEXT_OVERFLOW,
    429: ErrorKind.RATE_LIMIT,
}
_OVERFLOW = ("context_length", "context length", "context window", "context size", "prompt is too long")
_FILTERS = ("content_filter", "content_policy", "content policy", "moderation_blocked")
_BEFORE_START = {ErrorKind.RATE_LIMIT, ErrorKind.SERVER, ErrorKind.NETWORK, ErrorKind.CUT_OFF}
_AFTER_START = {ErrorKind.NETWORK, ErrorKind.CUT_OFF}
_MAX_MESSAGE = 2000


class Broken(Exception):
    """What an endpoint sends is not a complete answer; raised while a response is read."""

    def __init__(self, kind: ErrorKind, message: str = "") -> None:
        self.kind = kind
        super().__init__(message)


@dataclass(frozen=True)
class EndpointFault:
    """How a try failed.

    Attributes:
        kind: Why.
        message: In the endpoint's words; may still hold keys.
        status: HTTP status, if there was one.
        request_id: The endpoint's name for the request.
        retry_after_s: How long the endpoint asks to wait.
        forbids_retry: Whether the endpoint says that another try is useless.
    """

    kind: ErrorKind
    message: str
    status: int | None = None
    request_id: str | None = None
    retry_after_s: float | None = None
    forbids_retry: bool = False

    def may_be_retried(self, started: bool) -> bool:
        """Whether another try can help; if an answer has begun, and so costs money, only if the connection broke."""
        return not self.forbids_retry and self.kind in (_AFTER_START if started else _BEFORE_START)


def fault_of(error: Exception) -> EndpointFault:
    """The fault behind an exception of the client or of a stream's reader."""
    import openai

    if isinstance(error.__cause__, Broken):
        # The client wraps what is raised while it sends a request.
        error = error.__cause__
    if isinstance(error, Broken):
        own = error.kind is ErrorKind.SERVER
        return EndpointFault(_kind_of_words(str(error), error.kind) if own else error.kind, str(error))
    if isinstance(error, openai.APIStatusError):
        return _status_fault(error)
    if isinstance(error, TimeoutError):
        return EndpointFault(ErrorKind.TIMEOUT, str(error))
    if isinstance(error, openai.APIConnectionError):
        # These include the client's own timeouts, which apply to connecting only.
        return EndpointFault(ErrorKind.NETWORK, _with_cause(error))
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return EndpointFault(ErrorKind.BAD_RESPONSE, f"a piece of the stream is not JSON: {error}")
    if isinstance(error, openai.APIError):
        return EndpointFault(_kind_of_words(f"{error.code} {error.message}", ErrorKind.SERVER), _short(error.message))
    return EndpointFault(ErrorKind.BAD_RESPONSE, _short(f"{type(error).__name__}: {error}"))


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """How long a response asks to wait: seconds, milliseconds or a date. None: it does not say."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        return max(0.0, float(headers["retry-after"]))
    except KeyError:
        return None
    except ValueError:
        date = email.utils.parsedate_tz(headers.get("retry-after", ""))
        return None if date is None else max(0.0, email.utils.mktime_tz(date) - time.time())


def _status_fault(error: object) -> EndpointFault:
    import openai

    assert isinstance(error, openai.APIStatusError)
    headers = error.response.headers
    words = f"{error.code} {error.type} {error.message}"
    status = error.status_code
    usual = _BY_STATUS.get(status, ErrorKind.SERVER if status >= 500 else ErrorKind.BAD_REQUEST)
    return EndpointFault(
        kind=usual if usual is ErrorKind.AUTH else _kind_of_words(words, usual),
        message=_short(error.message),
        status=status,
        request_id=error.request_id,
        retry_after_s=retry_after_s(headers),
        forbids_retry=headers.get("x-should-retry") == "false",
    )


def _kind_of_words(words: str, usual: ErrorKind) -> ErrorKind:
    words = words.lower()
    if any(sign in words for sign in _OVERFLOW):
        return ErrorKind.CONTEXT_OVERFLOW
    if any(sign in words for sign in _FILTERS):
        return ErrorKind.REFUSED
    return ErrorKind.QUOTA if "insufficient_quota" in words else usual


def _with_cause(error: Exception) -> str:
    return _short(f"{error} {error.__cause__ or ''}".strip())


def _short(message: object) -> str:
    text = str(message)
    return text if len(text) <= _MAX_MESSAGE else text[: _MAX_MESSAGE - 1] + "…"
