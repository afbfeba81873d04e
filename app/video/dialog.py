"""The dialog that asks how a video is made."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QWidget

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.frame.settings import Settings
from spatial_workbench.app.video.choices import FORMATS, MISSING, SPEEDS, VideoChoices, VideoFormat
from spatial_workbench.app.video.films import FilmSource, SceneFilm
from spatial_workbench.app.video.pictures import END_S, length_s
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.wheel_fields import ChoiceBox

ABOUT = "Draws every picture anew, in the background, with the time and the figures of the moment in it."
REMEMBERED = "video"
_THEMES = ("light", "dark")


class VideoDialog(FormDialog):
    """Asks for format, size, pictures a second, speed and theme. What was chosen is proposed the next time."""

    def __init__(self, source: FilmSource, settings: Settings, parent: QWidget) -> None:
        super().__init__("Save as video", ABOUT, "Save…", parent)
        self._settings = settings
        self._film = source.film(_no_progress) if isinstance(source, SceneFilm) else None
        self._length_s = length_s(self._film) if self._film is not None else None
        self.formats = ChoiceBox()
        for kind in FORMATS:
            if kind.is_here:
                self.formats.addItem(kind.title, kind)
        self.sizes = ChoiceBox()
        self.rates = ChoiceBox()
        self.speeds = ChoiceBox()
        for speed in SPEEDS:
            self.speeds.addItem(f"{speed:g}×", speed)
        self.themes = ChoiceBox()
        self.themes.addItems([name.capitalize() for name in _THEMES])
        self.follows = QCheckBox("Camera follows what the simulation is about")
        self.follows.setChecked(True)
        has_tracks = self._film is None or any(side.scene.tracks for side in self._film.sides)
        self.form.addRow("Format", self.formats)
        self.form.addRow("Size", self.sizes)
        self.form.addRow("Pictures a second", self.rates)
        self.form.addRow("Speed", self.speeds)
        self.form.addRow("Appearance", self.themes)
        if has_tracks:
            self.form.addRow("", self.follows)
        self.formats.currentIndexChanged.connect(self._format_chosen)
        for box in (self.rates, self.speeds):
            box.currentIndexChanged.connect(self._show_length)
        self._propose()

    @property
    def kind(self) -> VideoFormat:
        """The chosen format."""
        kind: VideoFormat = self.formats.currentData()
        return kind

    @property
    def choices(self) -> VideoChoices:
        """What was chosen."""
        return VideoChoices(
            self.sizes.currentData(),
            self.rates.currentData(),
            self.speeds.currentData(),
            _THEMES[self.themes.currentIndex()],
            self.follows.isChecked(),
        )

    def order(self) -> None:
        """Keeps what was chosen for the next time, and accepts."""
        kept = (self.kind.suffix, self.sizes.currentText(), self.rates.currentText(), self.speeds.currentText())
        self._settings.remember(REMEMBERED, " | ".join(kept))
        self.accept()

    def _propose(self) -> None:
        """Chooses what was chosen the last time, where it is possible, and the present theme."""
        suffix, size, rate, speed = (self._settings.remembered(REMEMBERED).split(" | ") + 4 * [""])[:4]
        suffixes = [kind.suffix for kind in FORMATS if kind.is_here]
        self.formats.setCurrentIndex(suffixes.index(suffix) if suffix in suffixes else 0)
        self._format_chosen()
        for box, text in ((self.sizes, size), (self.rates, rate), (self.speeds, speed or "1×")):
            box.setCurrentIndex(max(0, box.findText(text)))
        self.themes.setCurrentIndex(_THEMES.index(appearance().theme.name))

    def _format_chosen(self) -> None:
        self.sizes.clear()
        for width, height in self.kind.sizes:
            self.sizes.addItem(f"{width} × {height}", (width, height))
        self.rates.clear()
        for rate in self.kind.rates:
            self.rates.addItem(str(rate), rate)
        self._show_length()

    def _show_length(self) -> None:
        words = []
        if self._length_s is not None and self.rates.currentIndex() >= 0 and self.speeds.currentIndex() >= 0:
            seconds = self._length_s / self.speeds.currentData() + END_S
            words.append(f"{seconds:.1f} s, {round(seconds * self.rates.currentData()):,} pictures.")
        if not all(kind.is_here for kind in FORMATS):
            words.append(MISSING)
        self.note.setText("\n\n".join(words))
        self.note.setVisible(bool(words))


def _no_progress(done: float, total: float, text: str = "") -> None:
    """Scenes in hand take no time."""
