"""Whether programs in answers may be run: only if somebody has asked for it.

Some answers hold source code. Looking at an answer, editing it or importing it must never run that code; submitting the
answer, evaluating it, or a button that says so may. The default is no, so a caller that forgets to ask runs nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_allowed: ContextVar[bool] = ContextVar("programs_may_run", default=False)


def programs_may_run() -> bool:
    """Whether this context may run programs in answers, in the sandbox."""
    return _allowed.get()


@contextmanager
def allow_programs() -> Iterator[None]:
    """Allows programs in answers to be run, in the sandbox, within the `with` block."""
    token = _allowed.set(True)
    try:
        yield
    finally:
        _allowed.reset(token)
