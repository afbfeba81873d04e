"""What a batch has spent, and what its limits leave, as the page of batches tells it; and the table of prices."""

from datetime import UTC, datetime

import pytest

from spatial_workbench.app.evaluation.models_dialog import ModelsDialog
from spatial_workbench.app.evaluation.prices_dialog import PricesDialog
from spatial_workbench.app.evaluation.spending_strip import SpendingStrip
from spatial_workbench.app.evaluation.watch import BatchStatus, WatchedBatch
from spatial_workbench.app.evaluation.words import cost_words
from spatial_workbench.engine.evaluation.planning.plan import SpendingLimits
from spatial_workbench.engine.evaluation.running.spending import Spent
from spatial_workbench.engine.models import ModelLibrary
from spatial_workbench.engine.store import BatchRow, BatchState, ItemState
from tests.app.evaluation.conftest import set_up_endpoint

LIMITS = SpendingLimits(cost_usd=5, output_tokens=100_000, hours=2, item_cost_usd=0.5)


def watched(is_alive=True, limits=LIMITS, unpriced=0, note="", **spent):
    row = BatchRow(
        number=1,
        name="b",
        state=BatchState.RUNNING if is_alive else BatchState.PAUSED,
        note=note,
        created_at=datetime.now(UTC),
        beat_at=None,
        counts={ItemState.DONE: 3, ItemState.WAITING: 34},
        tokens=12_000,
        cost_usd=1.2,
        tries=3,
        unpriced=unpriced,
        spending=Spent(limits=limits, unpriced=unpriced, **spent).model_dump_json(),
    )
    return WatchedBatch(row, is_alive, BatchStatus.RUNNING if is_alive else BatchStatus.PAUSED, None)


@pytest.fixture
def strip(qtbot):
    made = SpendingStrip()
    qtbot.addWidget(made)
    return made


def meters(strip):
    return {title.text(): words.text() for title, words, bar in strip._rows if not bar.isHidden()}


def test_each_limit_tells_what_is_spent_and_what_is_left(strip):
    strip.show_batch(watched(cost_usd=1.2, output_tokens=12_000, seconds=3600, most_item_usd=0.31, stopped=2))
    assert meters(strip) == {
        "Money": "$1.20 of $5.00 · $3.80 left",
        "Output tokens": "12k of 100k · 88k left",
        "Time": "60 min of 2.0 h · 60 min left",
        "Money per item": "at most $0.31 of $0.50 · 2 items ended at it",
    }
    assert strip.left.isHidden()


def test_at_a_limit_it_tells_what_is_left_to_do(strip):
    strip.show_batch(watched(cost_usd=5.1))
    assert "34 items are left" in strip.left.text()
    strip.show_batch(watched(is_alive=False, cost_usd=5.1, note="The limit of $5.00 is reached; 34 items are left."))
    assert strip.left.text() == "The limit of $5.00 is reached; 34 items are left."


def test_without_limits_only_the_sum_is_told(strip):
    strip.show_batch(watched(limits=SpendingLimits()))
    assert strip.summary.text() == "Spent in all: $1.20, 12k output tokens, 3 requests. There are no limits."
    assert meters(strip) == {}


def test_an_unknown_price_is_said_with_the_cost(strip):
    strip.show_batch(watched(unpriced=2, cost_usd=1.2))
    assert "at least $1.20" in strip.summary.text()
    assert "The cost of 2 requests is unknown" in strip.summary.text()
    assert meters(strip)["Money"].startswith("at least $1.20")


def test_a_batch_that_asked_nobody_shows_nothing(strip):
    strip.show_batch(None)
    assert strip.isHidden()


def test_a_cost_is_a_sum_a_lower_bound_or_unknown():
    assert [cost_words(1.2, 0), cost_words(1.2, 3), cost_words(0, 3), cost_words(0, 0)] == [
        "$1.20",
        "at least $1.20",
        "unknown",
        "",
    ]


@pytest.fixture
def prices(window, server):
    """The table of prices, opened from the models, with a row for the one endpoint."""
    set_up_endpoint(server)
    window.actions_registry["evaluate.models"].trigger()
    models = window.findChild(ModelsDialog)
    models.choose("tiny")
    models.price.show_prices()
    return models, models.findChild(PricesDialog)


def fill(dialog, model, *texts):
    row = next(row for row in range(dialog.table.rowCount()) if dialog.table.item(row, 0).text() == model)
    for column, text in enumerate(texts, 2):
        dialog.table.item(row, column).setText(text)


def test_a_price_is_entered_with_its_day_and_source_and_counts_for_the_model(prices):
    models, dialog = prices
    assert "Price: unknown" in models.price.words.text()
    fill(dialog, "tiny", "0,5", "", "1.5", "2026-05-01", "example.org/prices")
    assert dialog.save()
    known = ModelLibrary().priced("tiny").settings.prices
    assert known.words == "$0.5 in, $1.5 out per million tokens (2026-05-01, example.org/prices)"
    assert known.words in models.price.words.text()


@pytest.mark.parametrize(("texts", "place"), [(("much", "", "1"), "Input"), (("1", "", "1", "May"), "As of")])
def test_a_price_that_cannot_be_read_is_named(prices, texts, place):
    _, dialog = prices
    fill(dialog, "tiny", *texts)
    assert not dialog.save()
    assert place in dialog.note.text()


def test_rows_without_a_price_are_not_stored(prices):
    _, dialog = prices
    dialog.add_row()
    assert dialog.save()
    assert ModelLibrary().prices.entries() == ()
