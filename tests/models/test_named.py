"""Models are known by the names that other tools use."""

import pytest

from spatial_workbench.engine.models import LibraryProblem, ModelLibrary, ModelSettings
from spatial_workbench.engine.models.named import ENDPOINTS, named_model


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_an_endpoint_and_its_own_name_of_a_model_make_settings(endpoint):
    settings = named_model(f"{endpoint}/meta/llama-3:8b")
    assert (settings.name, settings.model) == (f"{endpoint}/meta/llama-3:8b", "meta/llama-3:8b")
    assert settings.url.startswith(ENDPOINTS[endpoint] or "https://api.openai.com/")


@pytest.mark.parametrize("name", ["gpt-5", "openai/", "/gpt-5", "nobody/gpt-5", ""])
def test_other_names_are_none(name):
    assert named_model(name) is None


def test_a_model_that_was_set_up_under_such_a_name_comes_first(tmp_path):
    library = ModelLibrary(tmp_path / "models.json")
    assert library.find("openai/gpt-5").settings.model == "gpt-5"
    library.store_model(ModelSettings(name="openai/gpt-5", model="mine", base_url="http://127.0.0.1:1/v1"))
    assert library.find("openai/gpt-5").settings.model == "mine"
    with pytest.raises(LibraryProblem, match="There is no model"):
        library.find("nobody/gpt-5")
