"""Forms are made from what records declare of their fields."""

from typing import Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

from spatial_workbench.engine.core.declared_fields import declared_field, declared_fields
from spatial_workbench.widgets.forms.checks_field import ChecksField
from spatial_workbench.widgets.forms.data_field import DataField, example_of
from spatial_workbench.widgets.forms.fields import AmountField
from spatial_workbench.widgets.forms.record_form import RecordForm
from spatial_workbench.widgets.forms.vector_field import VectorField


class Lamp(BaseModel):
    """A record of a test."""

    colour: Literal["red", "blue"] = Field(default="red", title="Colour", json_schema_extra={"labels": {"red": "Red"}})
    is_on: bool = Field(default=True, title="Lit", description="Whether it is lit")
    watts: int | None = Field(default=None, ge=1, le=90, json_schema_extra={"unit": "W", "open": "as sold"})
    height_m: float = Field(default=0.5, gt=0, le=3)
    rooms: tuple[str, ...] = ()
    note: str = Field(default="", json_schema_extra={"rows": 2})


class Street(BaseModel):
    """A record that holds another one."""

    lamp: Lamp = Lamp()


@pytest.fixture
def form(qtbot):
    made = RecordForm(declared_fields(Lamp))
    qtbot.addWidget(made)
    made.show_record(Lamp().model_dump(mode="json"))
    return made


def test_each_type_of_field_has_its_control(form):
    controls = [type(field.control).__name__ for field in form.fields.values()]
    assert controls == ["ChoiceBox", "QCheckBox", "CountBox", "QLineEdit", "QPlainTextEdit", "QPlainTextEdit"]


def test_what_the_form_shows_is_the_record_again(form):
    lamp = Lamp(colour="blue", is_on=False, watts=40, height_m=1.25, rooms=("hall", "attic"), note="old")
    form.show_record(lamp.model_dump(mode="json"))
    assert Lamp.model_validate(form.fill_in({})) == lamp


def test_a_number_that_is_left_open_is_none_and_says_what_that_means(form):
    spin = form.fields["watts"].control
    assert (spin.text(), form.fields["watts"].value) == ("as sold", None)
    assert spin.maximum() == 90


def test_labels_of_choices_and_help_come_from_the_declaration(form):
    assert form.fields["colour"].control.itemText(0) == "Red"
    assert form.fields["is_on"].control.toolTip() == "Whether it is lit"


def test_an_error_stands_at_its_field(form):
    form.fields["height_m"].control.setText("7")
    with pytest.raises(ValidationError) as caught:
        Lamp.model_validate(form.fill_in({}))
    assert form.show_errors(caught.value) == ""
    assert [problem.message for problem in form.fields["height_m"].told] == ["Input should be less than or equal to 3"]
    assert not form.fields["watts"].told


def test_a_number_that_cannot_be_read_is_an_error_at_its_field(form):
    form.fields["height_m"].control.setText("tall")
    with pytest.raises(ValidationError) as caught:
        Lamp.model_validate(form.fill_in({}))
    form.show_errors(caught.value)
    assert "valid number" in form.fields["height_m"].told[0].message


def test_a_field_within_another_record_is_found_by_its_path():
    assert declared_field(Street, "lamp.watts").high == 90


def test_large_amounts_have_separators_and_are_read_back(qtbot):
    field = AmountField("limit", "Limit", (0, 1e9), unit="s")
    qtbot.addWidget(field.spin)
    field.show_value(3600.5)
    assert field.spin.text() == "3,600.5 s"
    field.spin.setValue(field.spin.valueFromText("12,345 s"))
    assert field.value == 12345


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("", None),
        ("0, 2, 5", [0, 2, 5]),
        ("7", [7]),
        ("[0, 0], [1, 0]", [[0, 0], [1, 0]]),
        ("[[0, 0], [1, 0]]", [[0, 0], [1, 0]]),
        ('{"a": 1}', {"a": 1}),
        ('"flat"', ["flat"]),
    ],
)
def test_a_list_is_typed_with_or_without_its_outer_brackets(qtbot, typed, value):
    field = DataField("cells", "Cells")
    qtbot.addWidget(field)
    field.line.setText(typed)
    assert field.value == value


@pytest.mark.parametrize("rows", [[[0, 0]], [[0, 0], [1, 0]], []])
def test_a_list_of_lists_is_read_as_it_is_shown(qtbot, rows):
    field = DataField("cells", "Cells", holds_lists=True)
    qtbot.addWidget(field)
    field.show_value(rows)
    assert (field.value or []) == rows


def test_text_that_is_no_list_is_refused(qtbot):
    field = DataField("cells", "Cells")
    qtbot.addWidget(field)
    field.line.setText("the middle one")
    with pytest.raises(ValueError, match="A list is expected"):
        assert field.value


def test_a_shown_list_is_read_as_it_was(qtbot):
    field = DataField("cells", "Cells")
    qtbot.addWidget(field)
    field.show_value([[0, 0], [1, 0]])
    assert (field.line.text(), field.value) == ("[0, 0], [1, 0]", [[0, 0], [1, 0]])


def test_the_example_of_a_list_has_its_shape():
    cell = {"type": "array", "items": {"type": "integer"}, "minItems": 3}
    assert example_of(cell) == "0, 0, 0"
    assert example_of({"type": "array", "items": cell}) == "[0, 0, 0], [0, 0, 0]"
    assert example_of({"type": "array", "items": {"type": "string"}}) == ""


def test_a_vector_is_typed_number_by_number(qtbot):
    field = VectorField("size", "Size", ("width", "height"), usual=(2, 3))
    qtbot.addWidget(field)
    assert field.value is None
    field.lines[0].setText("4,5")
    assert field.value == [4.5, 3]
    field.lines[1].setText("nan")
    with pytest.raises(ValueError, match="height: “nan” is not a number"):
        assert field.value


def test_a_vector_without_usual_values_asks_for_all_numbers(qtbot):
    field = VectorField("at", "Place", ("x", "z"))
    qtbot.addWidget(field)
    field.show_value([1, 2.5])
    assert [line.text() for line in field.lines] == ["1", "2.5"]
    field.lines[0].clear()
    with pytest.raises(ValueError, match="x: a number is missing"):
        assert field.value
    field.show_value("no vector")
    assert field.value is None


def test_boxes_give_values_in_their_order_and_keep_what_they_do_not_show(qtbot):
    field = ChecksField("types", "Types", ((1, "one"), (2, "two"), (3, "three")))
    qtbot.addWidget(field)
    field.show_value([3, 9, 1])
    assert field.value == [1, 3, 9]
    with qtbot.waitSignal(field.edited):
        field.boxes[2].click()
    assert field.value == [1, 2, 3, 9]
