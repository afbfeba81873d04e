"""An off-screen render window: draws VTK renderers and returns their colours and depths as numpy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import vtkmodules.vtkInteractionStyle
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  (registers the OpenGL classes)
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkFloatArray, vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow

from spatial_workbench.widgets.render3d.probe import new_render_window

Bytes = NDArray[np.uint8]
Depths = NDArray[np.float32]
Rect = tuple[int, int, int, int]
"""x, y, width, height in pixels from the top left."""
SMALLEST = (64, 64)
MOST_SPARE = 2
_spare: list[vtkRenderWindow] = []
"""Windows of closed views. A view that takes one over has its shaders compiled, and draws its first picture at once."""


class OffscreenWindow:
    """A hidden render window of a given size in pixels.

    When `resolution` is below 1, the picture occupies its lower left part: so changing it allocates nothing.
    """

    def __init__(self) -> None:
        self._window: vtkRenderWindow | None = _spare.pop() if _spare else new_render_window()
        self._window.SetShowWindow(False)
        self._window.SetOffScreenRendering(1)
        self._window.SetMultiSamples(0)
        self._window.SetNumberOfLayers(1)
        self._colors = vtkUnsignedCharArray()
        self._depths = vtkFloatArray()
        self._renderers: list[vtkRenderer] = []
        self.size = (0, 0)
        self.resolution = 1.0
        self.resize(*SMALLEST)

    def resize(self, width: int, height: int) -> None:
        """Sets the size in pixels."""
        size = max(1, width), max(1, height)
        if self._window and size != self.size:
            self.size = size
            self._window.SetSize(*size)

    def set_resolution(self, resolution: float) -> None:
        """Draws a smaller picture: 0.5 is half as wide and half as high."""
        if resolution != self.resolution:
            self.resolution = resolution
            share = [n / full for n, full in zip(self.picture_size, self.size, strict=True)]
            for renderer in self._renderers:
                renderer.SetViewport(0, 0, *share)

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of the picture, in pixels."""
        return max(1, round(self.size[0] * self.resolution)), max(1, round(self.size[1] * self.resolution))

    def new_renderer(self) -> vtkRenderer:
        """A renderer in this window, not drawn until `draw` names it."""
        assert self._window is not None
        renderer = vtkRenderer()
        renderer.SetBackgroundAlpha(1.0)
        renderer.SetDraw(False)
        renderer.AutomaticLightCreationOff()
        self._window.AddRenderer(renderer)
        self._renderers.append(renderer)
        return renderer

    def draw(self, renderer: vtkRenderer) -> None:
        """Draws one renderer, over the last picture if that renderer preserves colours and depths."""
        assert self._window is not None
        for other in self._renderers:
            other.SetDraw(other is renderer)
        self._window.Render()

    def colors(self, rect: Rect | None = None) -> Bytes:
        """The picture, upright: (height, width, 4), valid until the next call."""
        assert self._window is not None
        x, y, width, height = self._lower_left(rect)
        # VTK's stubs lack the overload that fills a given array.
        window: Any = self._window
        window.GetRGBACharPixelData(x, y, x + width - 1, y + height - 1, 0, self._colors)
        colors: Bytes = vtk_to_numpy(self._colors).reshape(height, width, 4)[::-1]
        return colors

    def depths(self, rect: Rect | None = None) -> Depths:
        """The depths of the picture, upright: (height, width), 0 (near) to 1 (nothing), until the next call."""
        assert self._window is not None
        x, y, width, height = self._lower_left(rect)
        self._window.GetZbufferData(x, y, x + width - 1, y + height - 1, self._depths)
        depths: Depths = vtk_to_numpy(self._depths).reshape(height, width)[::-1]
        return depths

    def _lower_left(self, rect: Rect | None) -> Rect:
        width, height = self.picture_size
        if rect is None:
            return 0, 0, width, height
        return rect[0], height - rect[1] - rect[3], rect[2], rect[3]

    @property
    def driver(self) -> str:
        """The name of the OpenGL renderer, such as "llvmpipe (LLVM 15.0.6, 256 bits)"."""
        assert self._window is not None
        for line in self._window.ReportCapabilities().splitlines():
            if line.startswith("OpenGL renderer string:"):
                return line.split(":", 1)[1].strip()
        return ""

    def close(self) -> None:
        """Releases the graphics resources; a few windows are kept for the next views."""
        if self._window is None:
            return
        for renderer in self._renderers:
            renderer.RemoveAllViewProps()
            renderer.RemoveAllLights()
            self._window.RemoveRenderer(renderer)
        self._renderers.clear()
        if len(_spare) < MOST_SPARE:
            self.resize(*SMALLEST)
            _spare.append(self._window)
        else:
            self._window.Finalize()
        self._window = None
