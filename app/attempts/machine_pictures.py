"""Small pictures of machines, drawn one after the other in a process of their own."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QPixmap

from spatial_workbench.app.attempts.machine_drawing import picture
from spatial_workbench.app.background.jobs import Lane
from spatial_workbench.engine.machines.building.tree import Tree, write_tree
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.qt import pixmap_of

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob


class MachinePictures(QObject):
    """Draws pictures as they are asked for; the process begins with the first and ends with `close`.

    Signals:
        drawn(str, QPixmap): the picture of a machine, under the key that it was asked for with.
    """

    drawn = Signal(str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = Lane("pictures", self)
        self._kept: dict[tuple[Tree, str], QPixmap] = {}
        self._wanted: OrderedDict[str, Tree] = OrderedDict()
        self._job: BackgroundJob | None = None
        self._is_closed = False

    def want(self, key: str, tree: Tree) -> None:
        """Asks for a picture in the current theme."""
        kept = self._kept.get((tree, appearance().theme.name))
        if kept is not None:
            self.drawn.emit(key, kept)
        else:
            self._wanted[key] = tree
            self._next()

    @property
    def is_idle(self) -> bool:
        """Whether all pictures are drawn."""
        return self._job is None and not self._wanted

    def close(self) -> None:
        """Ends the process."""
        self._is_closed = True
        self._wanted.clear()
        self._lane.close()

    def _next(self) -> None:
        if self._job is not None or not self._wanted or self._is_closed:
            return
        key, tree = self._wanted.popitem(last=False)
        theme = appearance().theme.name
        self._job = self._lane.run(
            "Drawing a machine",
            picture,
            write_tree(tree),
            theme,
            done=lambda data: self._keep_picture(key, (tree, theme), data),
            failed=lambda _: self._give_up(),
            quiet=True,
        )

    def _keep_picture(self, key: str, drawn: tuple[Tree, str], data: Any) -> None:
        self._job = None
        picture = pixmap_of(data)
        self._kept[drawn] = picture
        if drawn[1] == appearance().theme.name:
            self.drawn.emit(key, picture)
        self._next()

    def _give_up(self) -> None:
        """Pictures are left out where nothing can be drawn."""
        self._job = None
        self._wanted.clear()
