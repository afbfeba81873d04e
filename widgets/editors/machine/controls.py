"""The controls in the panel, by section."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from string import ascii_uppercase, digits

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.machines.building.settings import PARAMETERS, BlockParameter
from spatial_workbench.engine.machines.levels.examples import Example, examples
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    Choice,
    Control,
    Gauge,
    Keys,
    Note,
    Number,
    Section,
    Setting,
    Switch,
    Verb,
    attribute,
)
from spatial_workbench.widgets.editors.machine.commands import MachineCommands
from spatial_workbench.widgets.editors.machine.figures import (
    mass_reading,
    size_reading,
    words_of_faults,
    words_of_joins,
)
from spatial_workbench.widgets.editors.machine.playback import MachinePlayback
from spatial_workbench.widgets.editors.machine.replay import FOLLOWED
from spatial_workbench.widgets.editors.machine.text_pane import TextPane
from spatial_workbench.widgets.editors.machine.workbench import Workbench

KEYS = (*ascii_uppercase, *digits, "Space", "Up", "Down", "Left", "Right")
"""The keys that a block can have, by name."""
_PARAMETER_NAMES = {
    "speed": "Speed",
    "reversed": "Reversed",
    "strength": "Strength",
    "mass": "Mass of ballast",
    "key": "Own key",
    "key_back": "Own key back",
}
_PARAMETER_TIPS = {
    "speed": "How fast the motor turns, as a multiple of the usual speed",
    "reversed": "Turn the motor the other way",
    "strength": "How strong the spring is, as a multiple of the usual strength",
    "mass": "The mass of the ballast",
    "key": "In free play, this key drives the block forward, turns it to the right, or pulls its spring",
    "key_back": "In free play, this key drives the block backward, or turns it to the left",
}
_WALK_TIP = "Begin anew, and be told block by block how a car is built"
_CATAPULT_TIP = "Begin anew, and be told block by block how a catapult is built"


def text_section(pane: TextPane) -> Section:
    """The machine as text."""
    tip = "Show the list of blocks beside the view; what is typed there is built at once"
    return Section("Text", Buttons(Action("Text", pane.toggle, "T", "list", tip, checked=lambda: pane.is_shown)))


def simulation_section(playback: MachinePlayback, bench: Workbench) -> Section:
    """Simulating the machine, and what is shown of it."""
    simulating = "Run the machine in the level and play what happens"
    driving = "Drive the machine by keys; this is not scored"
    loads = "Colour every block by the largest share of its limit that its connection bore"
    ghosts = "Draw the ways of earlier runs, and the machine of the last one, while a simulation plays"
    tint = playback.shows_loads
    earlier = playback.shows_earlier

    def has_machine() -> bool:
        return bench.assembly is not None

    return Section(
        "Simulation",
        Buttons(
            Action("Simulate", playback.simulate, "F5", "play", simulating, Aid.JUDGING, enabled=has_machine),
            Action("Free play", playback.drive, "Shift+F5", "rotate", driving, Aid.JUDGING, enabled=has_machine),
            columns=2,
        ),
        Switch("Show loads", tint.get, tint.put, loads, Aid.JUDGING),
        Switch("Show earlier runs", earlier.get, earlier.put, ghosts, Aid.VIEWING),
        Choice("Camera follows", FOLLOWED, playback.follows.get, playback.follows.put, aid=Aid.VIEWING),
    )


def repeat_section(commands: MachineCommands, bench: Workbench) -> Section:
    """Copies of blocks."""
    sides = "Put everything on the other side of the starting block too"
    return Section(
        "Repeat",
        Buttons(
            Action("Mirror", commands.mirror, "M", "mirror", "Copy the selected blocks to the other side"),
            Action("Array", commands.array, "A", "array", "Copy the selected block to all faces along the beam"),
            columns=2,
        ),
        Switch("Build on both sides", *attribute(bench, "is_symmetric"), sides),
    )


def parameter_section(commands: MachineCommands) -> Section:
    """The parameters of the selected blocks: those that count in the level, and keys for free play.

    What the selected blocks do not have stays where it is, so that nothing moves under the pointer.
    """
    return Section("Parameters", *(_parameter_control(commands, parameter) for parameter in PARAMETERS.values()))


def _parameter_control(commands: MachineCommands, parameter: BlockParameter) -> Control:
    name = parameter.name
    text = _PARAMETER_NAMES[name]
    counts = partial(commands.has_meaning, name)
    is_set = partial(_has, commands, name)
    put = partial(commands.set_parameter, name)
    if parameter.form == "switch":
        return Switch(
            text, lambda: bool(commands.parameter(name)), put, _PARAMETER_TIPS[name], enabled=is_set, shown=counts
        )
    if parameter.form == "key":
        options = ["–", *KEYS]

        def chosen() -> int:
            key = commands.parameter(name)
            return options.index(key) if isinstance(key, str) and key in KEYS else 0

        return Choice(
            text,
            options,
            chosen,
            lambda index: put(KEYS[index - 1] if index else ""),
            _PARAMETER_TIPS[name],
            enabled=is_set,
            shown=counts,
        )
    return Number(
        text,
        lambda: float(commands.parameter(name) or 0.0),
        lambda value: put(float(value)),
        (parameter.low, parameter.high),
        _PARAMETER_TIPS[name],
        step=0.1,
        decimals=2,
        unit=parameter.unit,
        enabled=is_set,
        shown=counts,
    )


def _has(commands: MachineCommands, name: str) -> bool:
    return commands.parameter(name) is not None


def example_section(load: Callable[[Example], object], walk_through: Callable[[Example], object]) -> Section:
    """Machines to begin with."""
    templates = [
        Action(example.title, partial(load, example), tip=example.about, aid=Aid.SOLVING) for example in examples()
    ]
    car, catapult, *_ = examples()
    walks = [
        Action("Build a car step by step", partial(walk_through, car), tip=_WALK_TIP, aid=Aid.SOLVING),
        Action("Build a catapult step by step", partial(walk_through, catapult), tip=_CATAPULT_TIP, aid=Aid.SOLVING),
    ]
    return Section("Begin from an example", Buttons(*templates, *walks))


def state_section(bench: Workbench, answer: Callable[[], MachineAnswer], balance: Setting[bool]) -> Section:
    """The figures of the current machine."""
    stands = "Draw what the machine stands on, and where its weight acts"

    def joins() -> str:
        return words_of_joins(bench.assembly)

    def faults() -> str:
        return words_of_faults(answer())

    return Section(
        "Machine",
        Gauge("Size", lambda: size_reading(bench.assembly, bench.level, bench.judges), aid=Aid.MEASURING),
        Gauge("Mass", lambda: mass_reading(bench.assembly, bench.judges), aid=Aid.MEASURING, wraps=True),
        Switch("Show balance", balance.get, balance.put, stands, Aid.MEASURING),
        Note("Joins", joins, aid=Aid.MEASURING, shown=lambda: bool(joins())),
        Note("Faults", faults, aid=Aid.JUDGING, shown=lambda: bool(faults())),
    )


def command_keys(commands: MachineCommands) -> Iterator[Keys]:
    """The actions that only have keys."""
    gone = "Remove the selected blocks and all that hangs on them"
    yield Keys(
        Action("Delete", commands.delete, "Delete", "delete", gone, verb=Verb.DELETE),
        Action("Select what hangs on it", commands.select_subtree, "Shift+V", aid=Aid.VIEWING),
    )
