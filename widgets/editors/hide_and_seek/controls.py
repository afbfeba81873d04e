"""The controls in the panel, by section."""

from __future__ import annotations

import numpy as np

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.tasks.hide_and_seek.field import PERSON_M
from spatial_workbench.widgets.editing.controls import Action, Buttons, Number, Numbers, Section, Switch, TypedNumbers
from spatial_workbench.widgets.editors.hide_and_seek.aiming import CrowdAim
from spatial_workbench.widgets.editors.hide_and_seek.commands import CrowdCommands
from spatial_workbench.widgets.editors.hide_and_seek.crowd import PlacedCrowd


def typed_section(crowd: PlacedCrowd, commands: CrowdCommands) -> Section:
    """Placing a person at typed numbers."""
    place = TypedNumbers((0.0, 0.0))
    reach = crowd.field.radius
    tip = "Where the next person is placed by the key"
    return Section(
        "Place by numbers",
        Numbers(
            "Place by numbers",
            "xy",
            place.get,
            place.put,
            (-reach, reach),
            tip,
            PERSON_M,
            decimals=2,
            unit="m",
            columns=2,
        ),
        Buttons(
            Action(
                "Place there",
                lambda: commands.place_person(np.array(place.values)),
                "Return",
                "place",
                "Place a person at these numbers",
            )
        ),
    )


def placing_section(crowd: PlacedCrowd, aim: CrowdAim) -> Section:
    """How people are placed."""
    spacing = aim.spacing
    spray = aim.spray_m
    least = PERSON_M
    grid = "Off: people stand exactly where you click"
    contact = "Place people side by side; hold Ctrl+Shift or Alt not to snap"
    edge = "Snap to the edge and the corners of the ground that the sniper does not see"
    room = "People who stand in the way make room"
    radius = "Radius of the spray"
    return Section(
        "Placing",
        Number("Spacing", spacing.get, spacing.put, (least, 5.0), "Distance between people", 0.05, 2, "m"),
        Number("Spray", spray.get, spray.put, (0.5, 10.0), radius, 0.5, 1, "m", aid=Aid.SOLVING),
        Switch("Snap to half metres", aim.snaps.get, aim.snaps.put, grid),
        Switch("Snap to people", aim.fits.get, aim.fits.put, contact),
        Switch("Snap to the safe edge", aim.edges.get, aim.edges.put, edge, Aid.SOLVING),
        Switch("Push others aside", crowd.pushes.get, crowd.pushes.put, room),
    )
