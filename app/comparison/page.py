"""Two answers to one instance: their drawings side by side or superimposed, their figures and their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.compared import Compared
from spatial_workbench.app.comparison.details import FigureComparison, TextComparison
from spatial_workbench.app.comparison.playing import joined
from spatial_workbench.app.video.films import FilmSide, SceneFilm, TakeFilm
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.scene_views.timeline import Timeline
from spatial_workbench.widgets.scene_views.view import SceneView
from spatial_workbench.widgets.scene_views.views import view_for
from spatial_workbench.widgets.theme import SPACE, Theme

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs


class ComparePage(QWidget):
    """Shows two answers."""

    icon_name = "compare"

    def __init__(self, left: Compared, right: Compared, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.title = f"{left.name} and {right.name} · {left.title}"
        self.views = (_view_of(left), _view_of(right))
        self._linking = False
        self._was_shown = False
        self._scenes = (left.scene, right.scene)
        self._names = (left.name, right.name)
        self._play = joined(self._scenes, (left.name, right.name))
        self.captions = (_caption(), _caption())
        self._beside = QSplitter()
        for side, view, caption in zip((left, right), self.views, self.captions, strict=True):
            self._beside.addWidget(_titled(side.name, view, caption))
        self.timeline = self._make_timeline()
        self._over = WipeView(left.name, right.name, *self.views)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._beside)
        self._stack.addWidget(self._over)
        self.figures = FigureComparison(left, right)
        self.words = TextComparison(left, right, jobs)
        self._stack.addWidget(self.figures)
        self._stack.addWidget(self.words)
        self._lay_out()
        for view in self.views:
            view.view_changed.connect(lambda source=view: self._link(source))
        appearance().changed.connect(self._set_theme)
        self._set_theme(appearance().theme)
        if self._play.joint.frames:
            self.timeline.set_scene(self._play.joint)
            # Seconds begin where both start; of other frames the last is the result.
            self.timeline.go_to(0 if self._play.joint.frame_unit == "s" else len(self._play.joint.frames) - 1)

    def showEvent(self, event: QShowEvent) -> None:
        """Both sides start with the camera of the first."""
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            self.views[0].frame(animate=False)
            self._link(self.views[0])

    def show_over(self, over: bool) -> None:
        """Shows the drawings superimposed with a slider, or side by side."""
        self._buttons.button(int(over)).click()

    def show_figures(self) -> None:
        """Shows scores, checks, tokens and times of both."""
        self._buttons.button(2).click()

    def show_texts(self) -> None:
        """Shows both texts, line by line."""
        self._buttons.button(3).click()

    def offer_film(self, take: TakeFilm) -> None:
        """Offers both answers beside each other, as they are seen."""
        index = self.timeline.index
        sides = []
        for scene, view, shown, name in zip(self._scenes, self.views, self._play.indices, self._names, strict=True):
            if not scene.frames:
                take("An answer that moves can be saved as a video; here nothing moves on one side.")
                return
            sides.append(FilmSide(scene, name, view.view_state(), shown[index], view.aspect))
        take(SceneFilm(self.title, tuple(sides)))

    def _make_timeline(self) -> Timeline:
        """The time line of both sides; hidden where nothing moves."""
        timeline = Timeline()
        timeline.frame_changed.connect(self._show_frame)
        for view in self.views:
            timeline.playing_changed.connect(view.set_playing)
        timeline.closed.connect(timeline.hide)
        timeline.listen_in(self)
        timeline.setVisible(bool(self._play.joint.frames))
        return timeline

    def _show_frame(self, index: int) -> None:
        sides = zip(self._scenes, self.views, self.captions, self._play.indices, strict=True)
        for scene, view, caption, indices in sides:
            if indices[index] >= 0:
                view.set_scene(scene.at(indices[index]))
                caption.setText(scene.frames[indices[index]].caption)
        if self._stack.currentWidget() is self._over:
            self._over.take(self.views)

    def _show_part(self, index: int) -> None:
        self.timeline.pause()
        self.timeline.setVisible(bool(self._play.joint.frames) and index in (0, 1))
        if index == 1:
            self._over.take(self.views)
        if index == 3:
            self.words.load()
        self._stack.setCurrentIndex(index)

    def close_page(self) -> None:
        """Releases the graphics resources."""
        self.timeline.pause()
        appearance().changed.disconnect(self._set_theme)
        self.words.close_view()
        for view in self.views:
            view.close_view()

    def _link(self, source: SceneView) -> None:
        if self._linking:
            return
        self._linking = True
        other = self.views[1] if source is self.views[0] else self.views[0]
        other.set_view_state(source.view_state())
        self._linking = False

    def _set_theme(self, theme: Theme) -> None:
        for view in self.views:
            view.set_theme(theme)

    def _lay_out(self) -> None:
        self._buttons = QButtonGroup(self)
        buttons = [QPushButton(text) for text in ("Side by side", "One over the other", "Figures and checks", "Texts")]
        for index, button in enumerate(buttons):
            button.setCheckable(True)
            self._buttons.addButton(button, index)
        buttons[0].setChecked(True)
        self._buttons.idClicked.connect(self._show_part)
        head = QHBoxLayout()
        head.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        head.setSpacing(2 * SPACE)
        head.addWidget(QLabel(self.title))
        head.addStretch(1)
        for button in buttons:
            head.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self.timeline)


_STEPS: dict[int, float] = {Qt.Key.Key_Left: -0.05, Qt.Key.Key_Right: 0.05}


class WipeView(QWidget):
    """Two pictures of the same size; the left part shows one, the right part the other. Drag the line."""

    def __init__(self, left: str, right: str, *views: SceneView) -> None:
        super().__init__()
        self._names = (left, right)
        self._pictures: tuple[QImage, ...] = ()
        self._share = 0.5
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Slider between the two answers; left and right arrow move it")

    def take(self, views: tuple[SceneView, ...]) -> None:
        """Renders both views again."""
        self._pictures = tuple(view.image() for view in views)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._move_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._move_to(event.position())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(event.key())
        if step is None:
            super().keyPressEvent(event)
            return
        self._share = min(1.0, max(0.0, self._share + step))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = appearance().theme
        painter.fillRect(self.rect(), theme.color("viewport_top"))
        edge = self.width() * self._share
        sides = (QRectF(0, 0, edge, self.height()), QRectF(edge, 0, self.width() - edge, self.height()))
        for picture, clip in zip(self._pictures, sides, strict=False):
            painter.save()
            painter.setClipRect(clip)
            painter.drawImage(self._fitted(picture), picture)
            painter.restore()
        painter.setPen(QPen(theme.color("accent"), 2))
        painter.drawLine(QPointF(edge, 0), QPointF(edge, self.height()))
        painter.setPen(theme.color("text"))
        painter.drawText(QRectF(12, 8, max(0.0, edge - 24), 24), Qt.AlignmentFlag.AlignLeft, self._names[0])
        painter.drawText(
            QRectF(edge + 12, 8, self.width() - edge - 24, 24), Qt.AlignmentFlag.AlignRight, self._names[1]
        )

    def _fitted(self, picture: QImage) -> QRectF:
        scale = min(self.width() / max(1, picture.width()), self.height() / max(1, picture.height()))
        width, height = picture.width() * scale, picture.height() * scale
        return QRectF((self.width() - width) / 2, (self.height() - height) / 2, width, height)

    def _move_to(self, position: QPointF) -> None:
        self._share = min(1.0, max(0.0, position.x() / max(1, self.width())))
        self.update()


def _view_of(side: Compared) -> SceneView:
    view = view_for(side.scene)
    view.setAccessibleName(side.name)
    return view


def _caption() -> QLabel:
    """The figures of a side's moment."""
    label = QLabel()
    label.setObjectName("figures")
    label.setContentsMargins(3 * SPACE, 0, 3 * SPACE, SPACE)
    return label


def _titled(title: str, view: SceneView, caption: QLabel) -> QWidget:
    holder = QWidget()
    holder.setObjectName("panel")
    layout = QVBoxLayout(holder)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    label = QLabel(title)
    label.setContentsMargins(3 * SPACE, SPACE, 3 * SPACE, SPACE)
    layout.addWidget(label)
    layout.addWidget(caption)
    layout.addWidget(view, 1)
    return holder
