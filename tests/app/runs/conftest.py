"""Attempts of people and models in the runs browser."""

import pytest

from spatial_workbench.app.attempts.columns import COLUMNS
from spatial_workbench.engine.core import task
from spatial_workbench.engine.evaluation.reverify import judge
from spatial_workbench.engine.store import Actor, Asked, BatchState

ONE = task("two_segments")
FIRST, SECOND = ONE.instances()[:2]
SOLVED = ONE.solve(FIRST).model_dump_json()
FLAWED = '{"segments": [[[0, 0], [0.5, 0.1]], [[0.8, 0], [0.2, 1]]]}'
BROKEN = '{"segments": ['


def fill(project):
    """1: Ada, solved. 2: birch, flawed, with prompt, reply, tries. 3: cedar, broken JSON. 4: birch, other instance."""
    project.attempts.add(FIRST, SOLVED, Actor.PERSON, "Ada", 300.0, tuple(judge(FIRST.address, SOLVED)))
    batch = project.batches.add("first", "{}", [(0, FIRST.address, FIRST.task, 0, None)])
    item = project.items.of_batch(batch)[0].number
    project.items.add_try(item, '{"message": "too many requests"}', error="rate limit", seconds=1.0)
    project.items.add_reply(item, 0, "Draw two segments", "Here is my scarlet answer", "I turned it over", "{}")
    project.batches.set_state(batch, BatchState.FINISHED)
    asked = Asked(batch=batch, item=item, tools=True, output_tokens=900, cost_usd=0.02, prompt=1, reasoning="turned")
    project.attempts.add(FIRST, FLAWED, Actor.MODEL, "birch", 20.0, tuple(judge(FIRST.address, FLAWED)), asked=asked)
    project.attempts.add(FIRST, BROKEN, Actor.MODEL, "cedar", 2.0, tuple(judge(FIRST.address, BROKEN)))
    project.attempts.add(SECOND, FLAWED, Actor.MODEL, "birch", 9.0, tuple(judge(SECOND.address, FLAWED)))


@pytest.fixture
def page(window, qtbot):
    return open_page(window, qtbot, fill)


def open_page(window, qtbot, filling=None):
    if filling is not None:
        window.project.tell(filling, announce=True)
        window.project.flush()
    window.actions_registry["runs.browse"].trigger()
    page = window.tabs.currentWidget()
    settle(page, qtbot)
    return page


def settle(page, qtbot):
    """Waits until what was asked for is shown."""
    qtbot.waitUntil(lambda: page.is_listed)
    qtbot.waitUntil(lambda: not page.model.numbers or page.model.row(0) is not None)
    qtbot.waitUntil(lambda: page.is_idle)


def choose(page, qtbot, *numbers):
    page.table.select_numbers(numbers)
    qtbot.waitUntil(lambda: page.table.selected_numbers() == sorted(numbers, reverse=True))
    if len(numbers) == 1:
        qtbot.waitUntil(lambda: page.is_idle and page.detail.dossier and page.detail.dossier.row.number == numbers[0])


def listed(page, qtbot, run_filter=None):
    if run_filter is not None:
        page.filters.set_filter(run_filter)
    qtbot.waitUntil(lambda: page.is_listed)
    return list(page.model.numbers)


def cells(page, row, *titles):
    """What a row says in the columns of these titles; in all, where none are given."""
    named = {column.title: page.model.index(row, place).data() for place, column in enumerate(COLUMNS)}
    return [named[title] for title in titles or named]


def section(title):
    """The place of a column."""
    return [column.title for column in COLUMNS].index(title)
