"""The drawer of this program: a child process that draws scenes without a screen."""

from __future__ import annotations

import pickle
from functools import cache
from typing import TYPE_CHECKING

from spatial_workbench.engine.children import Line, Message
from spatial_workbench.engine.children.drawing import ChildDrawer
from spatial_workbench.engine.core.drawer import Cut
from spatial_workbench.engine.core.extras import explained

if TYPE_CHECKING:
    from spatial_workbench.engine.core.drawer import Drawer

JPEG_QUALITY, QUICK_PNG_QUALITY = 86, 80
"""Of a PNG, it is only how little it is compressed."""
DRAWER = f"{__name__}:serve_pictures"
"""What the child of `drawer` runs; other processes of this program start children of their own with it."""


@cache
def drawer() -> Drawer:
    """The one drawer of this process; it starts its child with the first picture."""
    return ChildDrawer(DRAWER)


def serve_pictures(line: Line) -> None:
    """The child of `drawer`: answers each message with a picture, or with why there is none."""
    while True:
        line.send(_reply(line.receive()))


def _reply(message: Message) -> Message:
    try:
        return Message({}, content=_picture(message))
    except ImportError as error:
        return Message({"error": explained(error) or str(error)})
    except RuntimeError as error:
        return Message({"error": str(error)})


def _picture(message: Message) -> bytes:
    from spatial_workbench.app.studio.pictures import draw, pixels
    from spatial_workbench.widgets.encoding import BEST, encoded

    width, height = message.data["size"]
    cut = Cut(*message.data["cut"]) if message.data["cut"] else None
    scene = pickle.loads(message.content)
    is_quick = message.data["quick"]
    image = draw(scene, (width, height), message.data["theme"], message.data["view"], cut, is_quick)
    if message.data["form"] == "RGB":
        return pixels(image).tobytes()
    if message.data["form"] == "JPEG":
        return encoded(image, "JPEG", JPEG_QUALITY)
    return encoded(image, quality=QUICK_PNG_QUALITY if is_quick else BEST)
