"""Endpoints are probed before they are asked."""

from spatial_workbench.app.evaluation.model_list import NAME
from spatial_workbench.engine.models import Feature, ModelLibrary, ModelSettings, Result
from tests.app.evaluation.conftest import set_up_endpoint, start, tick
from tests.models.conftest import refuse


def test_an_endpoint_that_nobody_probed_is_probed_before_anything_begins(qtbot, dialog, server):
    server.answers.append(lambda body: refuse(404, "no such model"))
    ModelLibrary().store_model(ModelSettings(name="new", model="tiny", base_url=server.url))
    dialog.load_models()
    tick(dialog, "new")
    assert dialog.start.text() == "Probe endpoints"
    start(dialog, qtbot)
    qtbot.waitUntil(lambda: ModelLibrary().find("new").capabilities is not None)
    qtbot.waitUntil(lambda: dialog.start.text() == "Start")


def test_all_endpoints_are_probed_at_one_go_and_keep_their_order(qtbot, dialog, server):
    server.answers.append(lambda body: refuse(404, "no such model"))
    for name in ("first", "second", "third"):
        ModelLibrary().store_model(ModelSettings(name=name, model=name, base_url=server.url))
    dialog.load_models()
    before = [dialog.models.item(k).data(NAME) for k in range(dialog.models.count())]
    tick(dialog, "first", "third")
    start(dialog, qtbot)
    qtbot.waitUntil(lambda: dialog.start.text() == "Start")
    probed = [known.settings.name for known in ModelLibrary().all() if known.capabilities is not None]
    assert probed == ["first", "third"]
    assert [dialog.models.item(k).data(NAME) for k in range(dialog.models.count())] == before


def test_hosted_tools_are_probed_where_they_are_wanted_and_were_not_tried(qtbot, dialog, server):
    server.answers.append(lambda body: refuse(404, "no tools here"))
    set_up_endpoint(server)
    dialog.load_models()
    tick(dialog, "tiny")
    assert dialog.start.text() == "Start"
    dialog.form.tools.setChecked(True)
    assert dialog.start.text() == "Probe endpoints"
    start(dialog, qtbot)
    qtbot.waitUntil(lambda: ModelLibrary().find("tiny").capabilities.result(Feature.HOSTED_TOOLS) is Result.REFUSED)
    assert not ModelLibrary().find("tiny").settings.tools
    qtbot.waitUntil(lambda: "Hosted tools" in dialog.estimate.notes.text())
    assert not dialog.start.isEnabled()
