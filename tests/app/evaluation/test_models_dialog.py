"""The dialog of models: settings, keys, names, probes."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.evaluation.models_dialog import ModelsDialog
from spatial_workbench.engine.models import Feature, ModelLibrary, Result, find_key
from spatial_workbench.widgets.appearance import appearance
from tests.app.evaluation.conftest import set_up_endpoint
from tests.models.conftest import ScriptedReply, refuse


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
        (dialog.key.line, "sk-secret"),
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
    qtbot.waitUntil(lambda: "hosted tools" in models.note.text())
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


def test_a_known_endpoint_fills_in_its_address_and_is_recognised_by_it(models):
    endpoint = models.endpoint
    endpoint.presets.setCurrentText("vLLM")
    endpoint.presets.activated.emit(endpoint.presets.currentIndex())
    assert control(models, "base_url").text() == "http://localhost:8000/v1"
    control(models, "base_url").setText("https://openrouter.ai/api/v1/")
    assert endpoint.presets.currentText() == "OpenRouter"
    control(models, "base_url").setText("https://models.example.org/v1")
    assert endpoint.presets.currentText() == "Other"


def test_the_models_that_the_endpoint_lists_are_offered(models, qtbot, server):
    server.answers.append(ScriptedReply([b'{"data": [{"id": "b"}, {"id": "a"}]}'], content_type="application/json"))
    qtbot.mouseClick(models.endpoint.list_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "lists 2 models" in models.note.text())
    assert control(models, "model").completer().model().rowCount() == 2
    assert models.endpoint.names.stringList() == ["a", "b"]


def test_an_endpoint_that_lists_no_models_is_said_to_do_so(models, qtbot, server):
    server.answers.append(refuse(404, "no such page"))
    qtbot.mouseClick(models.endpoint.list_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "does not list its models" in models.note.text())
    assert models.endpoint.list_button.isEnabled()


def test_a_probe_that_failed_is_seen_in_the_list_and_told_in_a_line(models, qtbot, server):
    server.answers.append(refuse(401, "wrong key"))
    qtbot.mouseClick(models.probe_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "The probe failed" in models.note.text())
    item = models.list.currentItem()
    assert item.text() == "tiny · probe failed"
    assert item.foreground().color() == appearance().theme.color("failed")
    assert "wrong key" in item.toolTip()


def test_a_key_for_this_session_is_neither_in_the_keyring_nor_in_a_file(models, own_keyring, server):
    models.key.line.setText("sk-for-now")
    models.key.session.setChecked(True)
    assert models.save()
    settings = ModelLibrary().find("tiny").settings
    assert find_key(settings).get_secret_value() == "sk-for-now"
    assert own_keyring.entries == {}
    assert "sk-for-now" not in ModelLibrary().path.read_text()
    assert models.key.line.placeholderText() == "given for this session"
    models.key.session.setChecked(False)
    assert models.save()
    assert find_key(settings) is None


def test_the_environment_variable_that_would_be_read_is_named(models):
    models.add()
    control(models, "name").setText("mine")
    control(models, "base_url").setText("https://openrouter.ai/api/v1")
    assert models.save()
    assert "SPATIAL_WORKBENCH_KEY_OPENROUTER_AI or OPENROUTER_API_KEY" in models.key.about.text()
