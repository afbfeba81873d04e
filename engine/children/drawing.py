"""Drawing in a child process, so that this process loads none of the libraries that draw."""

from __future__ import annotations

import pickle
import queue
import threading

from spatial_workbench.engine.children.messages import Message
from spatial_workbench.engine.children.process import ChildProcess
from spatial_workbench.engine.core.drawer import CannotDraw, Cut, PictureForm
from spatial_workbench.engine.core.scene import Scene

LIMIT_S = 120.0
"""The longest that a picture may take, the start of the process included."""


class DrawingChild:
    """A child that answers what it is asked, one thing after the other. May be used in any thread.

    It starts with the first question, and again if it died.
    """

    def __init__(self, function: str, limit_s: float = LIMIT_S) -> None:
        """`function`, "package.module:name", is what the child runs; it answers each message with one."""
        self._function = function
        self._limit_s = limit_s
        self._lock = threading.Lock()
        self._child: ChildProcess | None = None
        self._replies: queue.SimpleQueue[Message | None] = queue.SimpleQueue()

    def ask(self, message: Message) -> Message:
        """The child's reply to a message.

        Raises:
            CannotDraw: The child died or took too long, or the reply's data have an "error", which is the message.
        """
        with self._lock:
            child = self._running_child()
            child.send(message)
            try:
                reply = self._replies.get(timeout=self._limit_s)
            except queue.Empty:
                self._end()
                raise CannotDraw(f"Drawing took longer than {self._limit_s:.0f} seconds, so it was given up.") from None
            if reply is None:
                obituary = child.obituary()
                self._end()
                raise CannotDraw(f"The process that draws ended {obituary}.")
        if "error" in reply.data:
            raise CannotDraw(reply.data["error"])
        return reply

    def close(self) -> None:
        """Ends the child."""
        with self._lock:
            self._end()

    def _running_child(self) -> ChildProcess:
        if self._child is None:
            self._replies = queue.SimpleQueue()
            self._child = ChildProcess(self._function, deliver=self._replies.put)
        return self._child

    def _end(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None


class ChildDrawer:
    """Draws in a child."""

    def __init__(self, function: str, limit_s: float = LIMIT_S) -> None:
        """`function`, "package.module:name", is what the child runs.

        It receives messages with a pickled scene as content and "size", "theme", "form", "view", "cut" and "quick" as
        data, and answers with the picture as content, or with why there is none as "error".
        """
        self._child = DrawingChild(function, limit_s)

    def picture(
        self,
        scene: Scene,
        size: tuple[int, int],
        theme: str,
        form: PictureForm = "PNG",
        view: str = "",
        cut: Cut | None = None,
        quick: bool = False,
    ) -> bytes:
        """A picture of a scene, as `Drawer.picture` describes it. Raises CannotDraw."""
        asked = {"size": list(size), "theme": theme, "form": form, "view": view, "quick": quick}
        asked["cut"] = cut and [cut.axis, cut.offset]
        return self._child.ask(Message(asked, content=pickle.dumps(scene))).content

    def close(self) -> None:
        """Ends the child."""
        self._child.close()
