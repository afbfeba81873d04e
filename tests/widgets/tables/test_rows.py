"""Tables of records: what cells show, what stays selected, and how records are sorted."""

from typing import NamedTuple

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.widgets.tables.rows import ROW, RowsModel, TableColumn, make_rows_table


class Fruit(NamedTuple):
    name: str
    grams: int


APPLE = Fruit("apple", 90)
PEAR = Fruit("pear", 100)
PLUM = Fruit("plum", 30)
COLUMNS = (
    TableColumn("Fruit", lambda fruit: fruit.name, 80, is_long=True, icon=lambda fruit: ("passed", "passed")),
    TableColumn(
        "Weight",
        lambda fruit: f"{fruit.grams} g",
        50,
        is_figure=True,
        tip=lambda fruit: "heavy" if fruit.grams > 95 else "",
        key=lambda fruit: fruit.grams,
        about="Without the stone",
    ),
)
HORIZONTAL = Qt.Orientation.Horizontal


@pytest.fixture
def model(qapp):
    model = RowsModel(COLUMNS, lambda fruit: fruit.name)
    model.show_rows([APPLE, PEAR, PLUM])
    return model


@pytest.fixture
def table(model, qtbot):
    table = make_rows_table(model, COLUMNS, "Fruits")
    qtbot.addWidget(table)
    return table


def cells(model, column, role=Qt.ItemDataRole.DisplayRole):
    return [model.index(row, column).data(role) for row in range(model.rowCount())]


def chosen(table):
    return [table.model().row_at(index) for index in table.selectionModel().selectedRows()]


def test_cells_show_what_the_columns_say(model):
    assert cells(model, 0) == ["apple", "pear", "plum"]
    assert cells(model, 1) == ["90 g", "100 g", "30 g"]


def test_a_tooltip_has_more_or_the_text_that_may_not_fit(model):
    assert cells(model, 0, Qt.ItemDataRole.ToolTipRole) == ["apple", "pear", "plum"]
    assert cells(model, 1, Qt.ItemDataRole.ToolTipRole) == [None, "heavy", None]


def test_figures_and_their_headings_stand_at_the_right(model):
    right = Qt.AlignmentFlag.AlignRight
    assert cells(model, 1, Qt.ItemDataRole.TextAlignmentRole)[0] & right
    assert model.headerData(1, HORIZONTAL, Qt.ItemDataRole.TextAlignmentRole) & right
    assert not model.headerData(0, HORIZONTAL, Qt.ItemDataRole.TextAlignmentRole) & right


def test_headings_explain_themselves_or_repeat_their_title(model):
    tips = [model.headerData(column, HORIZONTAL, Qt.ItemDataRole.ToolTipRole) for column in range(2)]
    assert tips == ["Fruit", "Without the stone"]


def test_a_sign_that_turns_text_around_is_marked(model):
    model.show_rows([Fruit("ap\u202eple", 90)])
    assert cells(model, 0) == ["ap\\u202eple"]


def test_delegates_find_the_record_itself(model):
    assert cells(model, 0, ROW) == [APPLE, PEAR, PLUM]


def test_what_is_selected_stays_while_the_records_are_the_same(model, table):
    table.selectRow(1)
    assert not model.show_rows([APPLE, Fruit("pear", 120), PLUM])
    assert chosen(table) == [Fruit("pear", 120)]


def test_nothing_is_selected_once_a_record_is_gone(model, table):
    table.selectRow(1)
    assert model.show_rows([APPLE, PLUM])
    assert chosen(table) == []


def test_sorting_moves_the_selection_with_its_record(model, table):
    table.selectRow(2)
    model.sort(1, Qt.SortOrder.DescendingOrder)
    assert model.rows == (PEAR, APPLE, PLUM)
    model.sort(1)
    assert model.rows == (PLUM, APPLE, PEAR)
    assert chosen(table) == [PLUM]


def test_records_that_are_shown_later_are_sorted_too(model):
    model.sort(1)
    model.show_rows([PEAR, PLUM])
    assert model.rows == (PLUM, PEAR)


def test_other_columns_show_the_same_records_otherwise(model):
    model.show_columns((TableColumn("Name", lambda fruit: fruit.name.upper()), COLUMNS[1]))
    assert cells(model, 0) == ["APPLE", "PEAR", "PLUM"]
    assert model.headerData(0, HORIZONTAL) == "Name"


def test_the_table_has_the_widths_of_its_columns_or_what_their_titles_need(table):
    needed = table.horizontalHeader().sectionSizeHint(1)
    assert needed > 50
    assert [table.columnWidth(column) for column in range(2)] == [80, needed]
    assert table.accessibleName() == "Fruits"


def test_the_titles_know_nothing_of_the_selection(table):
    table.selectRow(0)
    assert table.selectionModel().hasSelection()
    assert not table.horizontalHeader().selectionModel().hasSelection()
