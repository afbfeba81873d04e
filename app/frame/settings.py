"""Settings kept between two starts. They never contain a key or an answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

RECENT_LIMIT = 8


class Settings:
    """Typed access to the stored settings (an INI file in the person's configuration folder).

    It has more than 25 methods since each setting is a property with a setter, a line or two each.

    person: who solves in this process, whoever solved before or solves elsewhere; None: whoever is stored.
    """

    def __init__(self, person: str | None = None) -> None:
        self._chosen = person
        self.explores = False
        """Whether the person explores, with all verdicts open, and does not solve; never on at the start."""
        self._store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "spatial-workbench", "workbench")

    @property
    def theme(self) -> str:
        """ "system", "light" or "dark"."""
        return self._text("theme", "system")

    @theme.setter
    def theme(self, name: str) -> None:
        self._store.setValue("theme", name)

    @property
    def reduce_motion(self) -> bool:
        """Whether unnecessary motion is avoided."""
        return self._store.value("reduce_motion", "false") in (True, "true")

    @reduce_motion.setter
    def reduce_motion(self, value: bool) -> None:
        self._store.setValue("reduce_motion", value)

    @property
    def person(self) -> str:
        """The name chosen by the person who solves; empty if none was given."""
        return self._text("person", "") if self._chosen is None else self._chosen

    @person.setter
    def person(self, name: str) -> None:
        if self._chosen is None:
            self._store.setValue("person", name)
        else:
            self._chosen = name

    @property
    def show_clock(self) -> bool:
        """Whether the time taken is shown while someone works."""
        return self._store.value("show_clock", "true") in (True, "true")

    @show_clock.setter
    def show_clock(self, value: bool) -> None:
        self._store.setValue("show_clock", value)

    @property
    def recent(self) -> list[Path]:
        """The projects opened last, newest first."""
        stored = self._store.value("recent", [])
        paths = [stored] if isinstance(stored, str) else list(stored) if isinstance(stored, list) else []
        return [Path(path) for path in paths if path]

    def add_recent(self, path: Path) -> None:
        """Puts a project at the top of the recent ones."""
        paths = [path, *(recent for recent in self.recent if recent != path)]
        self._store.setValue("recent", [str(recent) for recent in paths[:RECENT_LIMIT]])

    @property
    def last_project(self) -> Path | None:
        """The project that was in use last; None: the scratch project."""
        path = self._text("last_project", "")
        return Path(path) if path else None

    @last_project.setter
    def last_project(self, path: Path | None) -> None:
        self._store.setValue("last_project", "" if path is None else str(path))

    def layout(self, name: str) -> QByteArray | None:
        """A stored arrangement of docks or columns."""
        value = self._store.value(f"layout/{name}")
        return value if isinstance(value, QByteArray) else None

    def set_layout(self, name: str, value: QByteArray) -> None:
        """Stores an arrangement."""
        self._store.setValue(f"layout/{name}", value)

    @property
    def dock_widths(self) -> dict[str, int]:
        """The widths in pixels of the docks at the sides, by name: the same in all tabs."""
        stored = self._text("layout/dock_widths", "")
        return {name: int(width) for name, _, width in (part.partition("=") for part in stored.split()) if width}

    @dock_widths.setter
    def dock_widths(self, widths: Mapping[str, int]) -> None:
        self._store.setValue("layout/dock_widths", " ".join(f"{name}={width}" for name, width in widths.items()))

    def remembered(self, name: str) -> str:
        """A page's saved state, such as its filters; empty if there is none."""
        return self._text(f"remembered/{name}", "")

    def remember(self, name: str, text: str) -> None:
        """Saves a page's state."""
        self._store.setValue(f"remembered/{name}", text)

    def forget_layouts(self) -> None:
        """Restores the default arrangement."""
        self._store.remove("layout")

    def shortcut(self, action: str) -> str | None:
        """A key that the person chose for an action, or None."""
        value: Any = self._store.value(f"shortcuts/{action}")
        return value if isinstance(value, str) else None

    def set_shortcut(self, action: str, keys: str | None) -> None:
        """Stores a key for an action; None restores the default one."""
        if keys is None:
            self._store.remove(f"shortcuts/{action}")
        else:
            self._store.setValue(f"shortcuts/{action}", keys)

    def hint_seen(self, name: str) -> bool:
        """Whether a first-time hint was shown before; it counts as shown afterwards."""
        seen = self._store.value(f"hints/{name}", "false") in (True, "true")
        self._store.setValue(f"hints/{name}", True)
        return seen

    @property
    def show_tours(self) -> bool:
        """Whether an editor that is opened for the first time begins with its tour."""
        return self._store.value("show_tours", "true") in (True, "true")

    @show_tours.setter
    def show_tours(self, value: bool) -> None:
        self._store.setValue("show_tours", value)

    def wants_tour(self, editor: str) -> bool:
        """Whether the tour of an editor starts automatically."""
        return self.show_tours and self._store.value(f"tours/{editor}", "false") not in (True, "true")

    def tour_seen(self, editor: str) -> None:
        """Notes that the tour of an editor was shown to its end, or left."""
        self._store.setValue(f"tours/{editor}", True)

    def sync(self) -> None:
        """Writes everything to the disk now."""
        self._store.sync()

    def _text(self, key: str, default: str) -> str:
        value = self._store.value(key, default)
        return value if isinstance(value, str) and value else default
