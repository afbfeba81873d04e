"""The pages of a sketch pad, each with a layer of shapes, and which of them the view shows."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer
from spatial_workbench.engine.puzzles.sets.pages import PictureError, picture_size
from spatial_workbench.widgets.sketch.pictures import Decoder, PagePicture
from spatial_workbench.widgets.sketch.view import PageView

OPENING = "Opening the page…"
_FIGURE = "figure"


class SketchPages(QObject):
    """Pages with their layers, one of them in front; a flat figure may be shown in its place.

    Signals:
        replaced(): there are other pages.
        leaving(): the page in front is about to go; what is begun on it ends.
        turned(str): another page is in front.
        shown(): a page is decoded and shown, or a figure took its place, or made place for it.
    """

    replaced = Signal()
    leaving = Signal()
    turned = Signal(str)
    shown = Signal()

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        self.front = ""
        """The name of the page in front; "" if there is none."""
        self._view = view
        self._files: dict[str, bytes] = {}
        self._sizes: dict[str, tuple[int, int]] = {}
        self._layers: dict[str, PuzzleLayer] = {}
        self._pictures: dict[str, PagePicture] = {}
        self._figure: bytes | None = None
        self._decoder = Decoder(self)
        self._decoder.decoded.connect(self._show_picture)
        self._decoder.failed.connect(self._show_failure)

    # Pages -------------------------------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the pages, in order."""
        return tuple(self._files)

    def replace(self, pages: Mapping[str, bytes]) -> None:
        """Shows other pages, PNG by file name, without layers."""
        self._decoder.forget()
        self._files = dict(pages)
        self._sizes = {name: _size_of(png) for name, png in pages.items()}
        self._layers = {}
        self._pictures = {}
        self._figure = None
        self.front = ""
        self.replaced.emit()
        self.turn_to(next(iter(pages), ""))

    def turn_to(self, name: str) -> None:
        """Brings a page to the front."""
        if name == self.front and self._view.tiles is not None:
            return
        self.leave()
        self.front = name
        self._show_front()
        self.turned.emit(name)

    def turn_by(self, count: int) -> None:
        """Brings the page so many places further to the front; after the last one comes the first."""
        if self.front:
            names = self.names
            self.turn_to(names[(names.index(self.front) + count) % len(names)])

    def leave(self) -> None:
        """Ends what is begun on the page in front."""
        self.leaving.emit()

    # Layers ------------------------------------------------------------------------------------------------------

    @property
    def current(self) -> PuzzleLayer:
        """The layer of the page in front."""
        return self.layer(self.front) if self.front else PuzzleLayer(page="", size=(1, 1))

    def layer(self, page: str) -> PuzzleLayer:
        """The layer of a page, which may be empty.

        Raises:
            KeyError: There is no such page.
        """
        return self._layers.get(page) or PuzzleLayer(page=page, size=self._sizes[page])

    def layers(self) -> dict[str, PuzzleLayer]:
        """The layers that are not empty, by page."""
        drawn = {page: self.layer(page) for page in self._files}
        return {page: layer for page, layer in drawn.items() if layer.shapes or layer.grid is not None}

    def replace_layer(self, layer: PuzzleLayer) -> None:
        """Gives a page another layer; `show_shapes` shows it.

        Raises:
            KeyError: There is no such page.
        """
        self._sizes[layer.page]
        self._layers[layer.page] = layer

    # What the view shows -----------------------------------------------------------------------------------------

    @property
    def shows_figure(self) -> bool:
        """Whether a flat figure is shown in place of the page."""
        return self._figure is not None

    def set_figure(self, png: bytes | None) -> None:
        """Shows a flat picture in place of the page, for figures without a layer; None shows the page again."""
        self.leave()
        self._figure = png
        self._pictures.pop(_FIGURE, None)
        self._show_front()
        self.shown.emit()

    def show_shapes(self, redraw: bool = False) -> None:
        """Shows the layer in front; with `redraw`, everything is painted again, and not only shapes that changed."""
        tiles = self._view.tiles
        if tiles is None:
            return
        changed = tiles.set_shapes(() if self.shows_figure else self.current.shapes)
        if redraw:
            self._view.refresh()
        elif not changed.isEmpty():
            self._view.refresh_area(changed)

    def wait_for_pages(self) -> None:
        """Shows no page until others are given, which are being read."""
        self.replace({})
        self._view.set_picture(None, OPENING)

    def wait(self) -> None:
        """Waits until the page is decoded and painted; for pictures of the window and for tests."""
        self._decoder.wait()
        self._view.finish()

    def close(self) -> None:
        """Ends running work."""
        self._decoder.forget()

    def _show_front(self) -> None:
        """Shows the picture of the page, or asks for it to be decoded."""
        name = self._shown_name()
        if name in self._pictures:
            self._show_picture(name, self._pictures[name])
            return
        self._view.set_picture(None, OPENING if name else "There is no page.")
        if name:
            self._decoder.ask(name, self._files[name] if self._figure is None else self._figure)

    def _shown_name(self) -> str:
        return self.front if self._figure is None else _FIGURE

    def _show_picture(self, name: str, picture: PagePicture) -> None:
        shown = self._shown_name()
        self._pictures = {key: kept for key, kept in self._pictures.items() if key == shown} | {name: picture}
        if name == shown:
            self._view.set_picture(picture)
            self.show_shapes(redraw=True)
        self.shown.emit()

    def _show_failure(self, name: str, why: str) -> None:
        if name in (self.front, _FIGURE):
            self._view.set_picture(None, f"The page cannot be shown. {why}.")


def _size_of(png: bytes) -> tuple[int, int]:
    try:
        return picture_size(png)
    except PictureError:
        return 1, 1
