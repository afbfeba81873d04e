"""The table of prices: which price counts for which model, and what a batch keeps of it."""

from datetime import date

import pytest

from spatial_workbench.engine.models import LibraryProblem, ModelLibrary, ModelSettings, PriceEntry, Prices


@pytest.fixture
def library(tmp_path):
    return ModelLibrary(tmp_path / "models.json")


def entry(model="tiny", host="", **prices):
    return PriceEntry(model=model, host=host, prices=Prices(**{"input_usd": 1, "output_usd": 2} | prices))


def set_up(library, **settings):
    own = ModelSettings(name="mine", model="tiny", base_url="http://127.0.0.1:8000/v1", **settings)
    library.store_model(own)
    return own


def test_a_model_without_a_price_has_that_of_the_table_with_its_date_and_source(library):
    set_up(library)
    library.prices.store([entry(as_of=date(2026, 5, 1), source="example.org")])
    prices = library.priced("mine").settings.prices
    assert prices.words == "$1 in, $2 out per million tokens (2026-05-01, example.org)"
    assert prices in [model.settings.prices for model in library.all_priced()]


def test_the_price_at_the_endpoint_goes_before_that_of_any_endpoint(library):
    set_up(library)
    library.prices.store([entry(), entry(host="127.0.0.1:8000", output_usd=9), entry(host="elsewhere", output_usd=7)])
    assert library.priced("mine").settings.prices.output_usd == 9


def test_a_models_own_price_goes_before_the_table(library):
    set_up(library, prices={"input_usd": 0, "output_usd": 0})
    library.prices.store([entry()])
    assert library.priced("mine").settings.prices.output_usd == 0


def test_the_settings_themselves_are_not_changed_by_the_table(library):
    own = set_up(library)
    library.prices.store([entry()])
    assert library.find("mine").settings == own


def test_what_is_computed_here_has_no_price(library):
    library.prices.store([entry(model="reference")])
    assert not library.priced("reference").settings.prices.are_known


def test_two_prices_for_the_same_model_of_the_same_endpoint_are_refused(library):
    with pytest.raises(LibraryProblem, match="two prices"):
        library.prices.store([entry(), entry(output_usd=3)])


def test_a_table_that_cannot_be_read_is_said_to_be_so(library):
    library.prices.path.write_text("{")
    with pytest.raises(LibraryProblem, match="file of prices"):
        library.all_priced()
