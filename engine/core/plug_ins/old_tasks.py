"""Tasks of older plug-ins, which have the methods of an ability without inheriting its class.

They are made to inherit it, with a warning. The next release will no longer know them.
"""

from __future__ import annotations

import warnings
from abc import ABC
from collections.abc import Mapping, Sequence

from spatial_workbench.engine.core.abilities import (
    HasFileFormats,
    HoldsCollections,
    PlayedByAgents,
    ReadsBodies,
    SharesPrompts,
    ShowsMotion,
    WritesBodies,
)

_MARKS: Mapping[type[ABC], Sequence[str]] = {
    HasFileFormats: ("file_formats",),
    HoldsCollections: ("named", "instance_named"),
    PlayedByAgents: ("agents", "play"),
    ReadsBodies: ("bodies", "from_bodies"),
    SharesPrompts: ("answer_group",),
    ShowsMotion: ("motion",),
    WritesBodies: ("bodies",),
}
"""The attributes by which a class is taken to have an ability."""


def adopt(kind: type) -> None:
    """Makes a class of tasks inherit the abilities whose methods it has."""
    for ability, marks in _MARKS.items():
        if issubclass(kind, ability) or not all(hasattr(kind, mark) for mark in marks):
            continue
        for base in reversed(ability.__mro__):
            for name, value in vars(base).items():
                if not name.startswith("_") and not hasattr(kind, name):
                    setattr(kind, name, value)
        if ability is PlayedByAgents and getattr(kind, "asked_by", "prompt") == "agent":
            kind.needs_agent = True  # type: ignore[attr-defined]
        ability.register(kind)
        warnings.warn(
            f"{kind.__name__} should inherit {ability.__name__}: the next release will not see its methods otherwise.",
            FutureWarning,
            stacklevel=2,
        )
