"""What has been sent of the picture to one page, and how far behind it the page is that draws it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

_MOST_KEPT = 4096
"""So many moments of sending are kept; a page that is further behind is at least as late as the oldest of them."""


class PictureLine:
    """Counts the pieces of the picture that are sent over one connection, from 1."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._sent = 0
        self._sent_at: deque[float] = deque(maxlen=_MOST_KEPT)

    def send(self) -> None:
        """The next piece is about to be sent."""
        self._sent += 1
        self._sent_at.append(self._now())

    def behind_ms(self, drawn: int) -> int:
        """How long ago the first piece was sent that a page has not drawn, in milliseconds; 0 if it has drawn all.

        drawn: the number of the piece that it drew last.

        Raises:
            ValueError: It cannot have drawn so many.
        """
        if drawn > self._sent:
            raise ValueError("more was drawn than sent")
        missing = min(self._sent - drawn, len(self._sent_at))
        return round(1000 * (self._now() - self._sent_at[-missing])) if missing else 0
