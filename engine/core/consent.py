"""Whether programs in answers may be run: only where somebody asked for it.

Some answers hold source code. Looking at an answer, editing it, or importing it must never run that; submitting it, an
evaluation, or a button that says so may. The default is no, so that forgetting to ask runs nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_allowed: ContextVar[bool] = ContextVar("programs_may_run", default=False)


def programs_may_run() -> bool:
    """Whether this context may run, in the sandbox, programs that an answer holds."""
    return _allowed.get()


@contextmanager
def allow_programs() -> Iterator[None]:
    """Within it programs in answers may be run in the sandbox."""
    token = _allowed.set(True)
    try:
        yield
    finally:
        _allowed.reset(token)
