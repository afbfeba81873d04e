"""Whether programs in answers may be run: only if a person has asked for it.

Some answers hold source code. Looking at an answer, editing it or importing it must never run that code; submitting the
answer, evaluating it, or a button that says so may. The default is no, so a caller that forgets to ask runs nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Consent:
    """Whether programs may be run, and whether one was about to run although none may (`was_missed`)."""

    def __init__(self, allowed: bool) -> None:
        self.allowed = allowed
        self.was_missed = False


_consent: ContextVar[Consent | None] = ContextVar("consent", default=None)


def programs_may_run() -> bool:
    """Whether this context may run programs in answers, in the sandbox. Ask only if there is one to run."""
    consent = _consent.get()
    if consent is None:
        return False
    consent.was_missed |= not consent.allowed
    return consent.allowed


@contextmanager
def allow_programs(allowed: bool = True) -> Iterator[Consent]:
    """Allows programs in answers to be run, in the sandbox, within the `with` block.

    allowed: If False, none is run, and the `Consent` that this yields says afterwards whether one was about to run.
    """
    consent = Consent(allowed)
    token = _consent.set(consent)
    try:
        yield consent
    finally:
        _consent.reset(token)
