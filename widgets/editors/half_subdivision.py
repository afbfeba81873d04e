"""The editor of half_subdivision: the cells that touch the target are clicked in the picture or in the tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QProgressBar,
    QSlider,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.tasks.half_subdivision import Neighbours, contact_words, tree_of
from spatial_workbench.engine.tasks.half_subdivision.drawing import APART, draw
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.editing.controls import Action, Buttons, CustomPart, Declared, Section, Setting, Switch
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.gestures import Click
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.scene_views.view import Pick, PointerEvent, SceneView
from spatial_workbench.widgets.theme import SPACE

_LABEL = Qt.ItemDataRole.UserRole
FULL = 1000
HINT = "Click every cell that touches the target along a face.\nShift-drag selects several; Space lists them."


class SubdivisionEditor(Editor[Neighbours]):
    """Lists cells by their labels; elements of the scene are named "cell <label>"."""

    def prepare(self) -> None:
        self.tree = tree_of(self.instance)
        self._apart = Setting(APART, self.redraw)
        self._only_around = Setting(False, self.redraw)
        self._hidden: set[str] = set()
        self._nodes: dict[str, QTreeWidgetItem] = {}

    def begin(self) -> None:
        self.view.show_hint(HINT)

    def make_view(self) -> SceneView:
        if self.tree.dimension == 2:
            from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D

            view: SceneView = Canvas2D()
        else:
            from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

            view = Viewport3D()
        view.set_describe(self._describe)
        view.set_tool(ToggleTool(self.toggle))
        return view

    def list_controls(self) -> Iterable[Declared]:
        tip = "How much of each face the listed cells cover"
        meters = CustomPart("Faces of the target", self._make_meters, tip, Aid.SOLVING, shown=lambda: self.judges)
        yield Section("Faces of the target", meters)
        yield Section(
            "Cells",
            CustomPart("Label", self._make_label_field),
            Buttons(
                Action("List or unlist", self._toggle_selected, "Space", "check", "List or unlist the selected cells"),
                Action("Clear the list", lambda: self.replace_labels("Clear list", ()), "Shift+Delete", "delete"),
            ),
        )
        if self.tree.dimension == 3:
            yield self._space_controls()
        yield Section("Tree", CustomPart("Tree of cells", self._make_tree_widget))

    def _space_controls(self) -> Section:
        only = "Hide cells that cannot touch the target"
        return Section(
            "View",
            CustomPart("Exploded view", self._make_slider, aid=Aid.VIEWING),
            Switch("Only cells around the target", self._only_around.get, self._only_around.put, only, Aid.SOLVING),
            Buttons(
                Action("Hide selected", self._hide_selected, "H", "eye", "Hide the selected cells", Aid.VIEWING),
                Action("Show hidden", self._show_hidden, "Shift+H", "eye", aid=Aid.VIEWING),
            ),
        )

    def _make_meters(self) -> QWidget:
        self.faces = FaceMeters(self.tree.covered(()))
        return self.faces

    def _make_label_field(self) -> QWidget:
        self.label_field = QLineEdit()
        self.label_field.setPlaceholderText(tr("Label, such as 0101"))
        self.label_field.setToolTip(tr("Type a label and press Return to list or unlist that cell"))
        self.label_field.setAccessibleName(tr("Label"))
        self.label_field.returnPressed.connect(self._typed)
        return self.label_field

    def _make_slider(self) -> QWidget:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(100, 300)
        slider.setValue(round(100 * APART))
        slider.setToolTip(tr("Draw the cells apart from each other"))
        slider.setAccessibleName(tr("Exploded view"))
        slider.valueChanged.connect(lambda percent: self._apart.put(percent / 100))
        return slider

    # The list ----------------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> tuple[str, ...]:
        """The labels of the answer."""
        return self.document.answer.neighbors

    def toggle(self, labels: Iterable[str]) -> None:
        """Lists cells, or unlists those that are listed, as one step."""
        labels = [label for label in labels if label != self.tree.target]
        if not labels:
            self.message.emit("The target is not its own neighbour.")
            return
        remaining = [label for label in self.chosen if label not in labels]
        added = [label for label in labels if label not in self.chosen]
        self.replace_labels("List cell" if added else "Unlist cell", (*remaining, *added))

    def replace_labels(self, label: str, labels: tuple[str, ...]) -> None:
        """Replaces the list."""
        self.edit(label, Neighbours(neighbors=labels))

    # Drawing -----------------------------------------------------------------------------------------------------

    def make_scene(self) -> Scene:
        return draw(self.tree, self.chosen, self._apart.value, not self._only_around.value, self._hidden)

    def redraw(self, reset_view: bool = False) -> None:
        """Also updates the tree and the meters."""
        super().redraw(reset_view)
        self._mark_tree()
        if not (self.judges and self.allows(Aid.SOLVING)):
            return
        known = tuple(label for label in self.chosen if label in self.tree.index)
        self.faces.show_shares(self.tree.covered(known))

    def status(self) -> str:
        last = self.chosen[-1] if self.chosen else ""
        odd = self.judges and last in self.tree.index and last not in self.tree.neighbours and last in self.tree.around
        note = f" · {contact_words(self.tree, last)}" if odd else ""
        return f"target {self.tree.target} · {len(self.chosen)} listed{note}"

    def _describe(self, pick: Pick) -> tuple[str, str]:
        label = pick.id.removeprefix("cell ")
        axis = self.tree.cycle[(len(label) - 1) % len(self.tree.cycle)] if label else "–"
        return label or marked("root"), f"depth {len(label)} · last halved along {axis}"

    def _make_tree_widget(self) -> QTreeWidget:
        widget = QTreeWidget()
        widget.setHeaderHidden(True)
        widget.setMinimumHeight(220)
        widget.setIndentation(12)
        widget.setAccessibleName(tr("Tree of cells"))
        widget.setUniformRowHeights(True)
        nodes: dict[str, QTreeWidgetItem] = {}
        for label in sorted({*self.tree.inner, *self.tree.leaves}, key=lambda name: (len(name), name)):
            item = QTreeWidgetItem(nodes[label[:-1]] if label else widget, [label or tr("root")])
            item.setData(0, _LABEL, label)
            item.setToolTip(0, label)
            nodes[label] = item
        self._nodes = nodes
        self.leaves = widget
        for depth in range(len(self.tree.target)):
            nodes[self.tree.target[:depth]].setExpanded(True)
        target = f"{self.tree.target}  {tr('(target)')}"
        nodes[self.tree.target].setText(0, target)
        nodes[self.tree.target].setToolTip(0, target)
        widget.itemClicked.connect(self._clicked_in_tree)
        widget.itemActivated.connect(self._clicked_in_tree)
        return widget

    def _mark_tree(self) -> None:
        theme = appearance().theme
        for label, item in self._nodes.items():
            listed = label in self.chosen
            item.setForeground(0, theme.color("accent" if label == self.tree.target else "text"))
            item.setIcon(0, icon("check", "accent") if listed else QIcon())

    def _clicked_in_tree(self, item: QTreeWidgetItem, _column: int = 0) -> None:
        label = item.data(0, _LABEL)
        if label in self.tree.index:
            self.toggle([label])
        else:
            item.setExpanded(not item.isExpanded())

    # Options -----------------------------------------------------------------------------------------------------

    def _typed(self) -> None:
        label = self.label_field.text().strip()
        if label in self.tree.inner:
            self.message.emit(f"{label or 'The root'} is split further; type one of its leaves.")
        elif label not in self.tree.index:
            self.message.emit(f"There is no cell {label}.")
        else:
            self.label_field.clear()
            self.toggle([label])
            self.view.frame([f"cell {label}", f"cell {self.tree.target}"])

    def _toggle_selected(self) -> None:
        labels = [name.removeprefix("cell ") for name in self.view.selection if name.startswith("cell ")]
        if labels:
            self.view.set_selection(())
            self.toggle(labels)

    def _hide_selected(self) -> None:
        self._hidden |= {name.removeprefix("cell ") for name in self.view.selection}
        self.view.set_selection(())
        self.redraw()

    def _show_hidden(self) -> None:
        self._hidden.clear()
        self.redraw()


class ToggleTool(Click[str]):
    """A click on a cell lists or unlists it; with Ctrl or Shift it selects, as everywhere."""

    def __init__(self, toggle: Callable[[list[str]], None]) -> None:
        super().__init__()
        self._toggle = toggle

    def take(self, event: PointerEvent) -> str | None:
        plain = event.modifiers == Qt.KeyboardModifier.NoModifier
        hit = event.pick.id if plain and event.pick is not None else ""
        return hit if hit.startswith("cell ") else None

    def do(self, hit: str, event: PointerEvent) -> None:
        self._toggle([hit.removeprefix("cell ")])


class FaceMeters(QWidget):
    """How much of each face of the target the listed cells cover."""

    def __init__(self, faces: dict[str, float]) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        self._rows: dict[str, tuple[QLabel, QProgressBar]] = {}
        for face in faces:
            word = QLabel()
            bar = QProgressBar()
            bar.setRange(0, FULL)
            bar.setTextVisible(False)
            bar.setFixedHeight(6)
            bar.setAccessibleName(said(f"{face} face covered"))
            layout.addWidget(word)
            layout.addWidget(bar)
            self._rows[face] = word, bar
        self.show_shares(faces)

    def show_shares(self, shares: dict[str, float]) -> None:
        """Shows shares from 0 to 1."""
        for face, (word, bar) in self._rows.items():
            share = shares[face]
            word.setText(said(f"{face} face: {100 * share:.0f} % covered"))
            bar.setValue(round(FULL * min(1.0, share)))
