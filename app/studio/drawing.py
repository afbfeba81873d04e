"""The drawer of this program: a child process that draws scenes without a screen."""

from __future__ import annotations

import pickle
from functools import cache
from typing import TYPE_CHECKING

from spatial_workbench.engine.children import Line, Message
from spatial_workbench.engine.children.drawing import ChildDrawer

if TYPE_CHECKING:
    from spatial_workbench.engine.core.drawer import Drawer

JPEG_QUALITY = 86


@cache
def drawer() -> Drawer:
    """The one drawer of this process; it starts its child with the first picture."""
    return ChildDrawer(f"{__name__}:serve_pictures")


def serve_pictures(line: Line) -> None:
    """The child of `drawer`: answers each message with a picture, or with why there is none."""
    while True:
        line.send(_reply(line.receive()))


def _reply(message: Message) -> Message:
    try:
        return Message({}, content=_picture(message))
    except ImportError as error:
        return Message({"error": f"Nothing can be drawn, since a part of the window is missing: {error}."})
    except RuntimeError as error:
        return Message({"error": str(error)})


def _picture(message: Message) -> bytes:
    from spatial_workbench.app.studio.pictures import draw, pixels
    from spatial_workbench.widgets.encoding import encoded

    width, height = message.data["size"]
    image = draw(pickle.loads(message.content), (width, height), message.data["theme"])
    if message.data["form"] == "RGB":
        return pixels(image).tobytes()
    if message.data["form"] == "JPEG":
        return encoded(image, "JPEG", JPEG_QUALITY)
    return encoded(image)
