"""The dialog of models: settings, keys, names, probes."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.evaluation.models_dialog import ModelsDialog
from spatial_workbench.engine.models import Feature, ModelLibrary, Result, find_key
from tests.app.evaluation.conftest import set_up_endpoint
from tests.models.conftest import refuse


def control(models, path):
    return models.fields.fields[path].control


def faults(models, path):
    return " ".join(problem.message for problem in models.fields.fields[path].told)


def test_a_model_is_set_up_with_its_key_in_the_keyring_and_not_in_the_file(window, qtbot, own_keyring):
    window.actions_registry["evaluate.models"].trigger()
    dialog = window.findChild(ModelsDialog)
    dialog.add()
    for field, text in (
        (control(dialog, "name"), "mine"),
        (control(dialog, "base_url"), "https://models.example.org/v1"),
        (dialog.key, "sk-secret"),
    ):
        field.setText(text)
    assert dialog.save()
    assert ModelLibrary().find("mine").settings.url == "https://models.example.org/v1"
    assert "sk-secret" not in ModelLibrary().path.read_text()
    assert list(own_keyring.entries.values()) == ["sk-secret"]
    assert find_key(ModelLibrary().find("mine").settings).get_secret_value() == "sk-secret"


def test_a_model_with_a_wrong_address_is_refused_with_the_reason(window, qtbot):
    window.actions_registry["evaluate.models"].trigger()
    dialog = window.findChild(ModelsDialog)
    dialog.add()
    control(dialog, "base_url").setText("models.example.org")
    assert not dialog.save()
    assert "http" in faults(dialog, "base_url")


@pytest.fixture
def models(window, server):
    """The dialog of models with one endpoint, which was probed without hosted tools."""
    set_up_endpoint(server)
    window.actions_registry["evaluate.models"].trigger()
    dialog = window.findChild(ModelsDialog)
    dialog.choose("tiny")
    return dialog


def test_hosted_tools_can_be_probed_and_what_was_known_stays(models, qtbot, server):
    own = ModelLibrary().find("tiny")
    ModelLibrary().learn("tiny", own.capabilities.corrected(Feature.PICTURES, Result.WORKS))
    server.answers.append(lambda body: refuse(404, "no <b>tools</b>"))
    assert "not tried" in models.findings.text()
    qtbot.mouseClick(models.tools_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "was probed" in models.note.text())
    capabilities = ModelLibrary().find("tiny").capabilities
    assert (capabilities.result(Feature.HOSTED_TOOLS), capabilities.result(Feature.PICTURES)) == (
        Result.REFUSED,
        Result.WORKS,
    )
    assert "&lt;b&gt;tools" in models.findings.text()


def test_how_an_endpoint_is_asked_can_be_set(models):
    control(models, "temperature").setText("0,2")
    control(models, "top_p").setText("0.9")
    control(models, "extra_json").setPlainText('{"top_k": 20}')
    control(models, "timeout_s").setValue(60)
    control(models, "silence_s").setValue(30)
    assert models.save()
    settings = ModelLibrary().find("tiny").settings
    assert (settings.temperature, settings.top_p, settings.extra) == (0.2, 0.9, {"top_k": 20})
    assert (settings.timeout_s, settings.silence_s) == (60, 30)


@pytest.mark.parametrize(
    ("field", "text", "reason"),
    [("temperature", "3", "less than or equal to 2"), ("top_p", "0", "greater than 0"), ("top_p", "x", "valid number")],
)
def test_a_setting_that_is_out_of_range_is_refused_at_its_field(models, field, text, reason):
    control(models, field).setText(text)
    assert not models.save()
    assert reason in faults(models, field)


def test_extra_fields_that_are_no_json_are_refused(models):
    control(models, "extra_json").setPlainText("top_k: 20")
    assert not models.save()
    assert "JSON object" in faults(models, "extra_json")


def test_a_model_is_duplicated_with_all_its_settings_under_a_name_of_its_own(models, qtbot):
    control(models, "temperature").setText("0.5")
    assert models.save()
    qtbot.mouseClick(models.duplicate_button, Qt.MouseButton.LeftButton)
    assert models.save()
    known = ModelLibrary().find("tiny 2").settings
    assert known == ModelLibrary().find("tiny").settings.changed(name="tiny 2")


def test_a_model_is_renamed_and_cannot_take_the_name_of_another(models, server):
    set_up_endpoint(server, "other")
    models.load()
    models.choose("tiny")
    control(models, "name").setText("other")
    assert not models.save()
    assert "There already is a model “other”." in models.note.text()
    control(models, "name").setText("small")
    assert models.save()
    assert [known.settings.name for known in ModelLibrary().all() if known.is_own] == ["small", "other"]
