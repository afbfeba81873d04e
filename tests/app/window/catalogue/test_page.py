"""The catalogue: search, filters, totals, and the way from card to card."""

from PySide6.QtCore import Qt

from spatial_workbench.app.window.catalogue.card import Card


def test_the_catalogue_searches_and_filters(window):
    window.catalogue.search.setText("lego")
    shown = [card.task.id for card in window.catalogue.findChildren(Card) if not card.isHidden()]
    assert shown == ["lego_hemisphere"]
    window.catalogue.search.setText("no such thing")
    assert not window.catalogue._nothing.isHidden()


def test_a_search_without_hits_says_so_and_escape_clears_it(window, qtbot):
    window.catalogue.search.setText("nothing of the kind")
    assert "nothing of the kind" in window.catalogue._nothing.text()
    assert not window.catalogue._nothing.isHidden()
    qtbot.keyClick(window.catalogue.search, Qt.Key.Key_Escape)
    assert window.catalogue.search.text() == ""


def test_arrows_go_from_card_to_card(window, qtbot):
    cards = [card for card in window.catalogue.findChildren(Card) if not card.isHidden()]
    cards[0].setFocus()
    qtbot.keyClick(cards[0], Qt.Key.Key_Right)
    assert cards[1].hasFocus()
    qtbot.keyClick(cards[1], Qt.Key.Key_Down)
    assert window.catalogue.focusWidget().y() > cards[0].y()


def test_the_catalogue_tells_the_totals_of_each_bucket(window):
    window.catalogue.search.setText("scbench")
    text = window.catalogue._totals.text()
    for words in ("22 tasks", "285 subtasks", "75 axiomatic", "171 constructive", "39 planning"):
        assert words in text


def test_the_catalogue_fits_into_a_narrow_window(window):
    assert window.catalogue.minimumSizeHint().width() <= 900


def test_a_search_without_hits_counts_no_buckets(window):
    window.catalogue.search.setText("nothing like this")
    assert "()" not in window.catalogue._totals.text()
