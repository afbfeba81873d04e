"""The scene of fluid_simulation, in voxels. The border ring, where water is lost, is tinted; a frame over the world
marks the four columns of the centre rain."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import BOTH, FIRST_ONLY, SECOND_ONLY, Verdict
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Boxes, Frame, Ground, Item, Label, Polyline, Scene, Voxels
from spatial_workbench.engine.tasks.fluid_simulation.answer import Earthworks
from spatial_workbench.engine.tasks.fluid_simulation.bodies import Aftermath
from spatial_workbench.engine.tasks.fluid_simulation.goals import Bands, Hidden, HiddenBodies
from spatial_workbench.engine.tasks.fluid_simulation.judging import FluidQuestion, FluidSite
from spatial_workbench.engine.tasks.fluid_simulation.rain import Rainfall, let_it_rain
from spatial_workbench.engine.tasks.fluid_simulation.stability import Fall, replay
from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH, GROUND, Cells, from_flat

VISIBLE = "water"
HIDDEN = "series 0"
LABELS = 60
"""How many bodies get a label, largest first."""
RAIN_FRAMES = 200
"""The most frames of a rain that is played."""


def draw_world(question: FluidQuestion, answer: Earthworks, verdict: Verdict | None) -> Scene:
    """The world as the verdict describes it or, without a verdict, with all cells that could hold water.

    Items: "rock", "fallen" (rock that fell), "water", "dry" (could hold water but stays dry), "capacity" (without a
    verdict); labels "body N", paths "leak N", arrows "fall N".
    """
    site = FluidSite(question, answer)
    if verdict is None or "bodies" not in verdict.details:
        rock, falls = site.fallen
        items = [*_rock(question, rock, falls), *_voxels("capacity", np.argwhere(site.capacity), "water", 0.5)]
    else:
        details = verdict.details
        falls = [Fall(from_flat(fall["cells"], details["n"]), fall["distance"]) for fall in details["fallen"]]
        rock = replay(site.raw_rock, falls)
        items = [*_rock(question, rock, falls), *_water(question, rock, details["bodies"]), *_leaks(details)]
        items += _voxels("dry", from_flat(details["dry"], details["n"]), "target", 0.35)
    return _scene(question, [*items, *_surroundings(question)])


def draw_earthworks(question: FluidQuestion, rock: Cells) -> Scene:
    """The world with its rock, without any judgement."""
    return _scene(question, [*_rock(question, rock, []), *_surroundings(question)])


def draw_waters(question: FluidQuestion, rock: Cells, first: Cells, second: Cells) -> Scene:
    """The water (n, n, 8) that two rains leave in one world, in the colours of a contrast."""
    parts = ((BOTH, first & second), (FIRST_ONLY, first & ~second), (SECOND_ONLY, second & ~first))
    names = ("water of both", "water of the first", "water of the second")
    water = [
        item
        for name, (color, cells) in zip(names, parts, strict=True)
        for item in _voxels(name, np.argwhere(cells), color, 0.8)
    ]
    return _scene(question, [*_rock(question, rock, []), *water, *_surroundings(question)])


def draw_rain(question: FluidQuestion, answer: Earthworks, frames: int, rainfall: Rainfall | None = None) -> Scene:
    """The world with its final water, and up to `frames` frames in which it fills in the order of the drops.

    Args:
        rainfall: the result of the rain, if already known.
    """
    site = FluidSite(question, answer)
    rainfall = rainfall or let_it_rain(site.rock)
    after = Aftermath(site.rock, rainfall.water())
    colors = np.where(after.visible, VISIBLE, HIDDEN)[tuple(rainfall.cells.T)]
    water = Voxels(name="water", cells=rainfall.cells, colors=colors.tolist(), opacity=0.8)
    scene = _scene(question, [*_rock(question, site.rock, site.fallen[1]), water, *_surroundings(question)])
    return replace(scene, frames=tuple(_frames(rainfall, water, frames)), frame_unit="drops")


def _frames(rainfall: Rainfall, water: Voxels, count: int) -> Iterator[Frame]:
    total = len(rainfall.cells)
    if not total:
        return
    yield Frame(0.0, (replace(water, cells=water.cells[:0], colors=[]),), "before the rain")
    for settled in np.unique(np.linspace(1, total, min(count - 1, total)).round().astype(int)).tolist():
        drops = int(rainfall.drops[settled - 1])
        wet = replace(water, cells=water.cells[:settled], colors=water.colors[:settled])
        yield Frame(float(drops), (wet,), f"{settled} of them stay")


def _scene(question: FluidQuestion, items: list[Item]) -> Scene:
    n = question.terrain.n
    return Scene(
        items=tuple(items),
        unit="voxel",
        ground=Ground(1.0, (0.0, 0.0, float(n), float(n))),
        bounds=((0.0, 0.0, 0.0), (float(n), float(n), float(DEPTH))),
    )


def _voxels(name: str, cells: NDArray[Any], color: str, opacity: float = 1.0) -> Iterator[Item]:
    if len(cells):
        yield Voxels(name=name, cells=cells, colors=color, opacity=opacity)


def _rock(question: FluidQuestion, rock: Cells, falls: list[Fall]) -> Iterator[Item]:
    """The ground, built rock in another colour, and fallen pieces, each with a mark of how far it fell."""
    moved = np.zeros_like(rock)
    for cells, distance in falls:
        moved[cells[:, 0], cells[:, 1], cells[:, 2]] = False
        moved[cells[:, 0], cells[:, 1], cells[:, 2] - distance] = True
    moved &= rock
    standing = rock & ~moved
    if standing.any():
        colors = np.where(question.terrain.rock()[standing], "soil", "rock").tolist()
        yield Voxels(name="rock", cells=np.argwhere(standing), colors=colors)
    yield from _voxels("fallen", np.argwhere(moved), "failed")
    for number, (cells, distance) in enumerate(sorted(falls, key=lambda fall: -len(fall.cells))[:LABELS]):
        x, y, z = (float(v) + 0.5 for v in cells[len(cells) // 2])
        name = f"fall {number}"
        yield Polyline(id=name, points=np.array([(x, y, z), (x, y, z - distance)]), color="failed", arrow=True)
        yield Label(id=f"{name} distance", position=(x, y, z + 0.7), text=f"falls {distance}", color="failed")


def _water(question: FluidQuestion, rock: Cells, bodies: list[dict[str, Any]]) -> Iterator[Item]:
    """The water, with hidden water in a darker blue, and the size of each body, in grey if it does not count.

    Water that no goal allows is in the failed colour: visible water beside a hidden lake, water on a dry level.
    """
    water = np.zeros_like(rock)
    for body in bodies:
        water[tuple(from_flat(body["cells"], len(rock)).T)] = True
    after = Aftermath(rock, water)
    cells = np.argwhere(water)
    if len(cells):
        colors = np.where(after.visible[water], VISIBLE, HIDDEN)
        colors[_forbidden(question, after)[water]] = "failed"
        yield Voxels(name="water", cells=cells, colors=colors.tolist(), opacity=0.8)
    for number, lake in enumerate(after.bodies[:LABELS]):
        x, y, _ = lake.cells.mean(axis=0) + 0.5
        small = any(goal.is_too_small(lake) for goal in question.goals)
        top = float(lake.cells[:, 2].max()) + 1.5
        color = "muted" if small else "text"
        yield Label(id=f"body {number}", position=(float(x), float(y), top), text=str(lake.size), color=color)


def _forbidden(question: FluidQuestion, after: Aftermath) -> Cells:
    """The water that prevents a goal from being met."""
    forbidden = np.zeros_like(after.water)
    for goal in question.goals:
        if isinstance(goal, Hidden | HiddenBodies):
            forbidden |= after.visible
        elif isinstance(goal, Bands):
            forbidden[:, :, list(goal.dry)] |= after.water[:, :, list(goal.dry)]
    return forbidden


def _leaks(details: dict[str, Any]) -> Iterator[Item]:
    for leak in details["leaks"]:
        points = from_flat(leak["path"], details["n"]).astype(np.float64) + 0.5
        if len(points) > 1:
            name = f"leak {leak['body']}"
            yield Polyline(id=name, points=points, color="warning", width_px=3.0, dashed=True, arrow=True)


def _surroundings(question: FluidQuestion) -> Iterator[Item]:
    """The border ring, the centre of the rain, and levels that must stay dry."""
    n = float(question.terrain.n)
    middle = np.array([(n / 2, 0.5), (n / 2, n - 0.5), (0.5, n / 2), (n - 0.5, n / 2)])
    sizes = np.array([(n, 1.0, 0.04), (n, 1.0, 0.04), (1.0, n - 2, 0.04), (1.0, n - 2, 0.04)])
    yield Boxes(
        name="border",
        ids=["border south", "border north", "border west", "border east"],
        centers=np.column_stack([middle, np.full(4, GROUND + 0.02)]),
        sizes=sizes,
        colors="warning",
        opacity=0.25,
        pickable=False,
    )
    c = n // 2 + 1
    yield Boxes(
        name="rain",
        ids=[marked("rain")],
        centers=np.array([(c, c, DEPTH + 0.25)]),
        sizes=np.array((2.0, 2.0, 0.1)),
        colors="accent",
        opacity=0.6,
        pickable=False,
    )
    for z in sorted({z for goal in question.goals if isinstance(goal, Bands) for z in goal.dry}):
        yield Boxes(
            name=f"forbidden level {z}",
            ids=[f"forbidden level {z}"],
            centers=np.array([(n / 2, n / 2, z + 0.5)]),
            sizes=np.array((n, n, 1.0)),
            colors="failed",
            opacity=0.06,
            pickable=False,
        )
