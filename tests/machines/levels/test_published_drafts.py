"""Published levels as drafts: the same level to a millimetre, but for the shapes of rocks."""

import numpy as np
import pytest

from spatial_workbench.engine.machines.levels.catalogue import levels
from spatial_workbench.engine.machines.levels.level_drafts import is_editable
from spatial_workbench.engine.machines.levels.level_files import examine_level
from spatial_workbench.engine.machines.levels.published_drafts import draft_of
from spatial_workbench.engine.machines.levels.scenery import turned

SAME = ("task", "title", "about", "types", "window_s", "goal", "wind", "size_limits", "has_plane", "parameters")


def places(level):
    """What is where in a level, whatever it is called and in whichever order it is listed."""
    rows = []
    for thing in level.obstacles:
        corners = np.array(thing.vertices or [(0, 0, 0)])
        spread = [0] * 3 if thing.name.startswith("rock") else np.abs(turned(thing.rotation, corners)).max(axis=0)
        ways = np.abs(turned(thing.rotation, np.diag(thing.size)))
        surface = thing.friction, thing.restitution, thing.rolling_friction, thing.is_ground, thing.radius, thing.length
        center = thing.center[::2] if thing.name.startswith("rock") else thing.center
        rows.append([*center, *[0] * (3 - len(center)), *spread, *ways.max(axis=0), *surface])
    return np.array(sorted(rows, key=lambda row: np.round(row, 2).tolist()), float)


@pytest.mark.parametrize("level_id", levels())
def test_a_draft_describes_the_published_level(level_id):
    published = levels()[level_id]
    draft = draft_of(published)
    examined = examine_level(draft)
    assert examined.faults == ()
    assert is_editable(draft)
    assert places(examined.level) == pytest.approx(places(published), abs=2e-3)
    assert [getattr(examined.level, name) for name in SAME] == [getattr(published, name) for name in SAME]
    assert examined.level.balls == published.balls
    assert examined.level.targets == published.targets
    assert [(row.time, row.channel, row.value) for row in examined.level.programme] == [
        (row.time, row.channel, row.value) for row in published.programme
    ]
    assert np.array(examined.level.path) == pytest.approx(np.array(published.path), abs=1e-3)


def test_things_come_out_as_the_kinds_that_made_them():
    kinds = {thing["name"]: thing["kind"] for level_id in ("T4", "M4", "D8", "M6") for thing in _things_of(level_id)}
    assert kinds["front wall"] == kinds["left fence"] == "wall"
    assert kinds["front pipe"] == kinds["curved wall"] == "quarter_pipe"
    assert kinds["ridge"] == "ridge"
    assert kinds["left box"] == "box"
    assert kinds["rod 1"] == "rod"


def _things_of(level_id):
    return draft_of(levels()[level_id])["obstacles"]


def test_one_reward_is_worth_as_much_as_in_the_published_level():
    assert draft_of(levels()["T2"])["par"] == pytest.approx(470.531)
