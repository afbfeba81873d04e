"""Free play: keys drive the machine in a continuous simulation that is not scored."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.building.tree import Tree
from spatial_workbench.engine.machines.levels.level import DEFAULT_POLICY, Channel, Level
from spatial_workbench.engine.physics.live import FRAME_S, LiveMachine, Moment
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.layouts import row
from spatial_workbench.widgets.rich_text import make_rich
from spatial_workbench.widgets.theme import SPACE

_FULL_DEG = 90.0
_HELD: dict[Qt.Key, tuple[tuple[Channel, ...], float]] = {
    Qt.Key.Key_W: (("drive",), 1.0),
    Qt.Key.Key_S: (("drive",), -1.0),
    Qt.Key.Key_A: (("steer_hinge", "steer_block"), -_FULL_DEG),
    Qt.Key.Key_D: (("steer_hinge", "steer_block"), _FULL_DEG),
    Qt.Key.Key_E: (("spin",), 1.0),
    Qt.Key.Key_Q: (("spin",), -1.0),
    Qt.Key.Key_Space: (("contract",), 1.0),
}
"""The effect of a key on its channels while it is held."""
_TOGGLED: dict[Qt.Key, Channel] = {Qt.Key.Key_G: "grab"}
_KEY_PREFIX = "Key_"
_RESET = Qt.Key.Key_R
_STOP = Qt.Key.Key_Escape
_WORDS: tuple[tuple[str, frozenset[Channel], tuple[tuple[str, Qt.Key], ...]], ...] = (
    (marked("drive"), frozenset(("drive",)), (("W", Qt.Key.Key_W), ("S", Qt.Key.Key_S))),
    (marked("steer"), frozenset(("steer_hinge", "steer_block")), (("A", Qt.Key.Key_A), ("D", Qt.Key.Key_D))),
    (marked("turn"), frozenset(("spin",)), (("Q", Qt.Key.Key_Q), ("E", Qt.Key.Key_E))),
    (marked("pull springs"), frozenset(("contract",)), ((marked("Space"), Qt.Key.Key_Space),)),
    (marked("grab"), frozenset(("grab",)), (("G", Qt.Key.Key_G),)),
)


def policy_of(held: Iterable[Qt.Key], toggled: Iterable[Channel] = ()) -> dict[Channel, float]:
    """The values of the channels while keys are held; opposite keys cancel each other."""
    policy = dict.fromkeys(DEFAULT_POLICY, 0.0)
    for key in held:
        channels, value = _HELD.get(key, ((), 0.0))
        for channel in channels:
            policy[channel] += value
    return policy | dict.fromkeys(toggled, 1.0)


OwnKeys = dict[int, dict[Qt.Key, float]]
"""The keys of single blocks: what each key sets a block to while it is held, by block."""


def own_keys_of(tree: Tree) -> OwnKeys:
    """The blocks with keys of their own, which obey no others; keys that are not known, R and Esc are left out."""
    found: OwnKeys = {}
    for entry in tree:
        settings = entry.settings.values() if entry.settings is not None else {}
        full = _FULL_DEG if kind_of(entry).channel in ("steer_hinge", "steer_block") else 1.0
        for name, value in (("key", full), ("key_back", -full)):
            key = Qt.Key.__members__.get(f"{_KEY_PREFIX}{settings.get(name, '')}")
            if key is not None and key not in (_RESET, _STOP):
                found.setdefault(entry.id, {})[key] = value
    return found


class FreePlay(QWidget):
    """A bar with the keys, which drives the machine while it is shown; keys pressed in `view` count.

    make: starts the simulation.

    Signals:
        moved(Moment): the machine has moved.
        ended(str): free play has ended; why, or "" if the person ended it.
    """

    moved = Signal(object)
    ended = Signal(str)

    def __init__(self, view: QWidget, make: Callable[[Tree, Level], LiveMachine] = LiveMachine) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._view = view
        self._make = make
        self._machine: LiveMachine | None = None
        self._channels: frozenset[str] = frozenset()
        self._own: OwnKeys = {}
        self.held: set[Qt.Key] = set()
        self.toggled: set[Channel] = set()
        self.words = make_rich(QLabel())
        self.reset_button = QPushButton(tr("Reset"))
        self.reset_button.setToolTip(tr("Put the machine back to its start  (R)"))
        self.reset_button.clicked.connect(self.reset)
        self.stop_button = QPushButton(tr("Stop"))
        self.stop_button.setToolTip(tr("Go back to building  (Esc)"))
        self.stop_button.clicked.connect(lambda: self.ended.emit(""))
        for button in (self.reset_button, self.stop_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        bar = (self.words, None, self.reset_button, self.stop_button)
        row(self, *bar, margins=(3 * SPACE, SPACE), spacing=2 * SPACE)
        self._timer = QTimer(self, interval=round(1000 * FRAME_S), timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self.hide()

    @property
    def is_on(self) -> bool:
        """Whether a machine is being driven."""
        return self._machine is not None

    def start(self, tree: Tree, level: Level) -> None:
        """Puts a machine at its start, and listens to the keys."""
        self.stop()
        self._machine = self._make(tree, level)
        self._own = own_keys_of(tree)
        usual = [kind_of(entry) for entry in tree if entry.id not in self._own]
        self._channels = frozenset(kind.channel for kind in usual if kind.channel)
        self._view.installEventFilter(self)
        self._view.setFocus()
        self._show_keys()
        self.show()
        self._timer.start()

    def reset(self) -> None:
        """Puts the machine back to its start."""
        if self._machine is not None:
            self._machine.restart()
        self._view.setFocus()

    def stop(self) -> None:
        """Ends the simulation."""
        self._timer.stop()
        self._view.removeEventFilter(self)
        self.held.clear()
        self.toggled.clear()
        if self._machine is not None:
            self._machine.close()
            self._machine = None
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.FocusOut:
            self.held.clear()
            self._show_keys()
        if not isinstance(event, QKeyEvent) or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        key = Qt.Key(event.key())
        if key not in (*_HELD, *_TOGGLED, *self._own_keys, _RESET, _STOP):
            return False
        if kind == QEvent.Type.ShortcutOverride:
            event.accept()
        elif not event.isAutoRepeat():
            self._press(key, kind == QEvent.Type.KeyPress)
        return True

    @property
    def _own_keys(self) -> set[Qt.Key]:
        """All keys of single blocks."""
        return {key for keys in self._own.values() for key in keys}

    def _own_values(self) -> dict[int, float]:
        """What the blocks with keys of their own are set to now."""
        return {
            block: sum(value for key, value in keys.items() if key in self.held) for block, keys in self._own.items()
        }

    def _press(self, key: Qt.Key, is_down: bool) -> None:
        if key in _HELD or key in self._own_keys:
            (self.held.add if is_down else self.held.discard)(key)
        if key in _TOGGLED and is_down:
            self.toggled ^= {_TOGGLED[key]}
        elif key == _RESET and is_down:
            self.reset()
        elif key == _STOP and is_down:
            self.ended.emit("")
            return
        self._show_keys()

    def _tick(self) -> None:
        if self._machine is None:
            return
        moment: Moment | None = self._machine.take_moment()
        self._machine.advance(policy_of(self.held, self.toggled), self._own_values())
        if moment is not None and moment.fault:
            self.ended.emit(moment.fault)
        elif moment is not None:
            self.moved.emit(moment)

    def _show_keys(self) -> None:
        """Shows the keys for the machine's parts; held keys stand out."""
        accent = appearance().theme.color("accent").name()
        parts = [tr("Free play, not scored")]
        for words, channels, keys in _WORDS:
            if channels & self._channels:
                names = [self._named(tr(name), key, accent) for name, key in keys]
                parts.append(f"{' '.join(names)} {tr(words)}")
        blocks: dict[tuple[Qt.Key, ...], list[str]] = {}
        for block, own in self._own.items():
            blocks.setdefault(tuple(own), []).append(str(block))
        for own_keys, numbers in blocks.items():
            names = [self._named(key.name.removeprefix(_KEY_PREFIX), key, accent) for key in own_keys]
            parts.append(f"{' '.join(names)} {tr('block {number}', number=', '.join(numbers))}")
        if len(parts) == 1:
            parts.append(tr("nothing in this machine can be driven"))
        self.words.setText(" · ".join(parts))

    def _named(self, name: str, key: Qt.Key, accent: str) -> str:
        is_on = key in self.held or _TOGGLED.get(key) in self.toggled
        return f'<b style="color:{accent}">{name}</b>' if is_on else f"<b>{name}</b>"
