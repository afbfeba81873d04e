"""Finding out which kind of OpenGL window works."""

import json
import sys

import pytest

from spatial_workbench.widgets.render3d import probe
from spatial_workbench.widgets.render3d.probe import NoRenderer, ProbeAnswer


def crash(kind):
    return "", "ended with status -11"


def only(*working):
    return lambda kind: ("llvmpipe", "") if kind in working else crash(kind)


def test_a_driver_that_crashes_is_reported_as_such():
    code = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    assert probe.run_probe([sys.executable, "-c", code]) == ("", "ended with status -11")


def test_a_driver_that_hangs_is_given_up():
    driver, reason = probe.run_probe([sys.executable, "-c", "import time; time.sleep(60)"], limit_s=0.3)
    assert driver == ""
    assert "0.3 s" in reason


def test_a_driver_that_names_itself_and_then_crashes_does_not_work():
    code = "import os, signal; print('driver: x', flush=True); os.kill(os.getpid(), signal.SIGSEGV)"
    assert probe.run_probe([sys.executable, "-c", code])[0] == ""


def test_this_machine_draws_through_egl():
    assert str(probe.probe()).startswith("egl, ")


def test_the_next_kind_is_tried_when_the_first_is_dead():
    answer = probe.first_that_works(("glx", "egl", "osmesa"), only("osmesa"))
    assert answer.kind == "osmesa"
    assert "egl: ended with status -11" in answer.reason


def test_without_any_driver_the_answer_is_none_and_says_why():
    answer = probe.first_that_works(("egl", "osmesa"), crash)
    assert answer.kind == "none"
    assert answer.reason == "egl: ended with status -11; osmesa: ended with status -11"


def test_wayland_never_gets_the_factory_s_choice(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    assert probe.candidates("wayland") == ("egl", "osmesa")
    assert probe.candidates("xcb")[0] == "glx"


def test_a_confirmed_answer_is_not_asked_again(tmp_path):
    path = tmp_path / "render.json"
    assert probe.remembered("xcb", path, only("egl")).kind == "egl"
    probe.confirm("llvmpipe", path)
    assert probe.remembered("xcb", path, crash).kind == "egl"


def test_a_start_that_ended_before_its_first_picture_asks_again(tmp_path):
    path = tmp_path / "render.json"
    probe.remembered("xcb", path, only("egl"))
    assert probe.remembered("xcb", path, crash).kind == "none"


def test_another_platform_has_an_answer_of_its_own(tmp_path):
    path = tmp_path / "render.json"
    probe.remembered("xcb", path, only("egl"))
    probe.confirm("llvmpipe", path)
    assert probe.remembered("offscreen", path, only("osmesa")).kind == "osmesa"
    assert len(json.loads(path.read_text())) == 2


def test_a_damaged_answer_file_only_means_asking_again(tmp_path):
    path = tmp_path / "render.json"
    path.write_text("{")
    assert probe.remembered("xcb", path, only("egl")).kind == "egl"


def test_a_variable_of_the_environment_decides_outright(monkeypatch):
    monkeypatch.setenv("APP_RENDER", "osmesa")
    assert probe.decide.__wrapped__().kind == "osmesa"


def test_without_any_driver_a_fresh_probe_says_so(monkeypatch):
    monkeypatch.setattr(probe, "attempt", crash)
    with pytest.raises(NoRenderer, match="status -11"):
        probe.probe()


def test_without_a_renderer_there_is_a_sentence(monkeypatch):
    monkeypatch.setattr(probe, "decide", lambda: ProbeAnswer("none", reason="egl: no answer within 5 s"))
    with pytest.raises(NoRenderer, match="no answer within 5 s"):
        probe.new_render_window()


@pytest.mark.parametrize("name", ["llvmpipe (LLVM 15.0.6, 256 bits)", "SwiftShader Device", "Microsoft Basic Render"])
def test_drivers_that_compute_on_the_processor_are_known(name):
    assert probe.is_software(name)


def test_a_graphics_card_is_no_software():
    assert not probe.is_software("NVIDIA GeForce RTX 3060/PCIe/SSE2")
