"""The drawer of this program: a child process that draws scenes without a screen."""

from __future__ import annotations

import io
import pickle
from functools import cache
from typing import TYPE_CHECKING

from spatial_workbench.engine.children import Line, Message
from spatial_workbench.engine.children.drawing import ChildDrawer
from spatial_workbench.engine.core.drawer import CannotDraw, Cut
from spatial_workbench.engine.core.extras import explained

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from spatial_workbench.engine.core.drawer import Drawer, PictureForm
    from spatial_workbench.engine.core.scene import Scene

JPEG_QUALITY, WEBP_QUALITY, WEBP_EFFORT, QUICK_PNG_QUALITY = 86, 80, 2, 80
"""Of a PNG, it is only how little it is compressed."""
DRAWER = f"{__name__}:serve_pictures"
"""What the child of `drawer` runs; other processes of this program start children of their own with it."""


@cache
def drawer() -> Drawer:
    """The one drawer of this process; it starts its child with the first picture."""
    return ChildDrawer(DRAWER)


class OwnDrawer:
    """Draws in this process, which should be a child made for it."""

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
        try:
            return _picture(scene, size, theme, form, view, cut, quick)
        except ImportError as error:
            raise CannotDraw(explained(error) or str(error)) from None
        except RuntimeError as error:
            raise CannotDraw(str(error)) from None


def serve_pictures(line: Line) -> None:
    """The child of `drawer`: answers each message with a picture, or with why there is none."""
    while True:
        line.send(_reply(line.receive()))


def _reply(message: Message) -> Message:
    asked = dict(message.data)
    asked["size"] = tuple(asked["size"])
    asked["cut"] = Cut(*asked["cut"]) if asked["cut"] else None
    try:
        return Message({}, content=OwnDrawer().picture(pickle.loads(message.content), **asked))
    except CannotDraw as error:
        return Message({"error": str(error)})


def _picture(
    scene: Scene, size: tuple[int, int], theme: str, form: PictureForm, view: str, cut: Cut | None, quick: bool
) -> bytes:
    from spatial_workbench.app.studio.pictures import draw, pixels
    from spatial_workbench.widgets.encoding import BEST, encoded

    image = draw(scene, size, theme, view, cut, quick)
    if form == "RGB":
        return pixels(image).tobytes()
    if form == "WEBP":
        return _webp(pixels(image))
    if form == "PNG":
        return encoded(image, quality=QUICK_PNG_QUALITY if quick else BEST)
    return encoded(image, "JPEG", JPEG_QUALITY)


def _webp(pixels: NDArray[np.uint8]) -> bytes:
    """Qt writes WebP, too, but takes twice as long for files of the same size."""
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "WEBP", quality=WEBP_QUALITY, method=WEBP_EFFORT)
    return file.getvalue()
