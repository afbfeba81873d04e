"""A card tells how far its task is solved."""

from spatial_workbench.app.window.catalogue.card import Card
from tests.app.conftest import solve, submit


def test_solving_shows_on_the_card(window, workspace, qtbot):
    workspace.document.edit("Draw", workspace.document.task.solve(workspace.document.instance))
    submit(window, qtbot)
    qtbot.waitUntil(lambda: card_of(window, "two_segments")._count.text().startswith("1 of 27 solved"))


def test_solving_with_the_reference_shows_on_the_card_as_help(window, workspace, qtbot):
    solve(window, qtbot)
    submit(window, qtbot)
    qtbot.waitUntil(lambda: "0 of 27 solved · 1 with help" in card_of(window, "two_segments")._count.text())


def card_of(window, task_id):
    return next(card for card in window.catalogue.findChildren(Card) if card.task.id == task_id)
