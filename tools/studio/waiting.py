"""Waiting for a window that is driven step by step."""

import time
from collections.abc import Callable

PATIENCE_S = 60.0


class Waiting:
    """Lets a window work until it has come to where it is wanted.

    Attributes:
        application: Qt's application.
    """

    def wait(self, condition: Callable[[], bool]) -> None:
        """Lets the window work until the condition holds.

        Raises:
            TimeoutError: It never did.
        """
        end = time.monotonic() + PATIENCE_S
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError("the window did not get there in time")
            self.application.processEvents()
            time.sleep(0.005)

    def settle(self, seconds: float = 0.6) -> None:
        """Lets animations and timers finish, and draws what is still to be drawn."""
        end = time.monotonic() + seconds
        self.wait(lambda: time.monotonic() > end)
        editor = self.editor()
        if editor is not None:
            editor.view.flush()
            self.application.processEvents()

    def editor(self):
        """The editor that is shown, if any."""
        raise NotImplementedError
