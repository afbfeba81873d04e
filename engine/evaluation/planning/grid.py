"""Grids: several values for settings of a batch, of which every combination is a run of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spatial_workbench.engine.core.errors import option_sentence
from spatial_workbench.engine.evaluation.planning.variants import PromptVariant
from spatial_workbench.engine.models.settings import Provider, ReasoningEffort

MOST_RUNS = 1_000
DEFAULT = "default"
"""The word for a value that is left as the model's settings have it."""

Temperature = Annotated[float, Field(ge=0, le=2)]
TopP = Annotated[float, Field(gt=0, le=1)]
Repeats = Annotated[int, Field(ge=1, le=1000)]
Point = Mapping[str, Any]
"""A value for each axis that concerns a model."""


class GridProblem(ValueError):
    """A grid cannot be used; the message says why."""


class SettingsGrid(BaseModel):
    """The axes of a grid with their values; an axis without values is left as the models' settings have it.

    None among the values stands for the model's own setting, or the task's own prompt.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: tuple[Temperature | None, ...] = ()
    effort: tuple[ReasoningEffort | None, ...] = ()
    top_p: tuple[TopP | None, ...] = ()
    tools: tuple[bool, ...] = ()
    repeats: tuple[Repeats, ...] = ()
    variants: tuple[PromptVariant | None, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether no axis has a value."""
        return not any(self.axes.values())

    @property
    def axes(self) -> dict[str, tuple[Any, ...]]:
        """The values of each axis, each value once, in the order of their names."""
        return {name: tuple(dict.fromkeys(getattr(self, name))) for name in AXES}

    def points(self, provider: Provider) -> Iterator[Point]:
        """Every combination of the axes that concern models of a kind: one empty combination if none does."""
        axes = {name: values for name, values in self.axes.items() if values and _CONCERNED[name](provider)}
        for values in product(*axes.values()):
            yield dict(zip(axes, values, strict=True))

    def count(self, provider: Provider) -> int:
        """How many runs the grid makes of a model."""
        return math.prod(len(values) or 1 for name, values in self.axes.items() if _CONCERNED[name](provider))

    @property
    def words(self) -> str:
        """How many values each axis has: "3 temperatures × 2 prompts"; empty if there are none."""
        counts = [(AXES[name], len(values)) for name, values in self.axes.items() if values]
        return " × ".join(f"{count} {title.lower()}" for title, count in counts)


AXES = {
    "temperature": "Temperature",
    "effort": "Reasoning effort",
    "top_p": "Top-p",
    "tools": "Tools",
    "repeats": "Repeats",
    "variants": "Prompt",
}
"""The axes with their titles."""
_WRITTEN = {"top-p": "top_p", "reasoning-effort": "effort"}
_SWITCHES = {"on": True, "off": False, "yes": True, "no": False}


def point_words(point: Point) -> str:
    """A combination as a part of a run's name: "temperature 0.5 · effort high · prompt terse"."""
    return " · ".join(_WORDS[name](value) for name, value in point.items())


def read_axis(text: str) -> dict[str, tuple[Any, ...]]:
    """An axis as it is typed: "temperature=0,0.5,1". Its name and its values, for `make_grid`.

    Raises:
        GridProblem: There is no such axis, or no value.
    """
    name, sign, values = text.partition("=")
    axis = name.strip().lower().replace("_", "-")
    axis = _WRITTEN.get(axis, axis)
    if not sign or axis not in AXES or axis == "variants":
        known = ", ".join(name.replace("_", "-") for name in AXES if name != "variants")
        raise GridProblem(f"“{text}” names no axis of a grid; write such as temperature=0,0.5. Axes: {known}.")
    return {axis: read_values(axis, values)}


def read_values(axis: str, text: str) -> tuple[Any, ...]:
    """The values of an axis as they are typed, separated by commas or blanks; they are checked by `make_grid`."""
    words = text.replace(",", " ").split()
    return tuple(_value(axis, word) for word in words)


def make_grid(axes: Mapping[str, Sequence[Any]]) -> SettingsGrid:
    """A grid of these values.

    Raises:
        GridProblem: A value is out of range, or two variants have the same name.
    """
    try:
        grid = SettingsGrid.model_validate({name: tuple(values) for name, values in axes.items()})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if first["type"] == "extra_forbidden":
            raise GridProblem(option_sentence(error, AXES, "axis of a grid")) from None
        axis = AXES.get(str(first["loc"][0]), "Grid")
        raise GridProblem(f"{axis} “{first['input']}”: {first['msg']}.") from None
    names = [variant.name for variant in grid.variants if variant is not None]
    if len(set(names)) < len(names):
        raise GridProblem("Two variants of the prompt have the same name.")
    return grid


def _value(axis: str, word: str) -> Any:
    lowered = word.lower()
    if axis == "tools":
        return _SWITCHES.get(lowered, word)
    if axis == "repeats":
        return int(word) if word.isdecimal() else word
    if lowered == DEFAULT:
        return None
    if axis == "effort":
        return lowered
    try:
        return float(word)
    except ValueError:
        return word


def _or_default(title: str, form: str = "") -> Callable[[Any], str]:
    return lambda value: f"{title} {DEFAULT if value is None else format(value, form)}"


_WORDS: dict[str, Callable[[Any], str]] = {
    "temperature": _or_default("temperature", "g"),
    "effort": _or_default("effort"),
    "top_p": _or_default("top-p", "g"),
    "tools": lambda value: "tools" if value else "no tools",
    "repeats": lambda value: f"repeats {value}",
    "variants": lambda value: "own prompt" if value is None else f"prompt {value.name}",
}
_COMPUTED = (Provider.REFERENCE, Provider.RANDOM, Provider.RECORDED)


def _is_asked(provider: Provider) -> bool:
    return provider.is_endpoint or provider is Provider.OFFLINE


_CONCERNED: dict[str, Callable[[Provider], bool]] = {
    "temperature": _is_asked,
    "effort": lambda provider: provider.is_endpoint,
    "top_p": _is_asked,
    "tools": lambda provider: provider.is_endpoint,
    "repeats": lambda provider: provider not in _COMPUTED,
    "variants": _is_asked,
}
"""Whom each axis concerns: a reference solution has no temperature, and asking for it twice tells nothing."""
