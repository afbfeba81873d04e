"""Drawings of attempts: what is drawn, what is kept, and what is said where nothing is drawn."""

import json
from dataclasses import replace

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.drawer import CannotDraw
from spatial_workbench.engine.reporting.site.contents import SiteAttempt
from spatial_workbench.engine.reporting.site.drawings import Drawings
from tests.reporting.site.hostile import NoDrawer, attempt_drawer, unpacked


def attempt(address, **changes):
    """An attempt with the reference solution as its answer."""
    task, instance = resolve(address)
    usual = {"day": "", "how_read": "", "cut_off": "", "verifier": "", "withheld": "", "run": "oak"}
    unknown = dict.fromkeys(("score", "passed", "seconds", "output_tokens", "cost_usd", "measured"))
    given = SiteAttempt(
        number=1,
        task=task.id,
        address=address,
        repeat=0,
        is_overridden=False,
        checks=(),
        figures=(),
        answer=task.format(task.solve(instance)),
        **usual,
        **unknown,
    )
    return replace(given, **changes)


@pytest.fixture
def drawings(tmp_path):
    return Drawings([attempt_drawer()], tmp_path)


def drawn(drawings, one):
    return drawings.of_all([one])[one.number]


def test_an_answer_has_a_picture_and_a_scene(drawings):
    found = drawn(drawings, attempt("lego_hemisphere:0"))
    assert found.pictures["light"].read_bytes() == b"light picture"
    assert json.loads(unpacked(found.scene.read_text("utf-8")))["items"]
    assert not found.is_flat


def test_what_moves_has_frames(drawings):
    assert drawn(drawings, attempt("cube_full_symbolic:3")).frames > 1


def test_a_generated_instance_is_drawn_as_it_was_stored_and_not_made_again(drawings, monkeypatch):
    one = attempt("pack_prisms@7", parameters=task_of("pack_prisms").generate(7).parameters_json)
    monkeypatch.setattr(type(task_of("pack_prisms")), "generate", None)
    assert drawn(drawings, one).pictures


def test_stored_parameters_that_cannot_be_drawn_are_told(drawings):
    one = attempt("pack_prisms@7")
    wrong = json.dumps({**task_of("pack_prisms").generate(7).parameters, "classes": 3})
    assert "no JSON object" in drawn(drawings, replace(one, parameters="[1]")).trouble
    assert "does not hold what" in drawn(drawings, replace(one, parameters=wrong)).trouble


def test_other_answers_have_other_drawings(drawings):
    first = drawn(drawings, attempt("pack_prisms:0"))
    second = drawn(drawings, attempt("pack_prisms:1"))
    assert first.scene != second.scene


def test_a_cover_has_a_picture_for_dark_pages(drawings):
    one = attempt("pack_prisms:0")
    drawn(drawings, one)
    assert drawings.in_dark([one])[one.number].pictures["dark"].read_bytes() == b"dark picture"


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (attempt("pack_prisms:0", answer="{}"), "It cannot be drawn"),
        (attempt("maze_3d:0", answer="no maze"), "holds nothing that could be drawn"),
        (attempt("cube_vertex_view:0"), "hidden from solvers"),
        (attempt("pack_prisms:0", withheld="It is a secret."), "It is a secret."),
    ],
)
def test_where_nothing_is_drawn_there_is_a_reason(drawings, one, words):
    found = drawn(drawings, one)
    assert words in found.trouble
    assert (dict(found.pictures), found.scene) == ({}, None)


class Broken(NoDrawer):
    """A drawer that cannot draw."""

    def picture(self, scene, *rest, **more):
        """Fails."""
        raise CannotDraw("There is no screen.")


def test_a_drawer_that_cannot_draw_is_told(tmp_path):
    drawings = Drawings([attempt_drawer(Broken())], tmp_path)
    assert drawn(drawings, attempt("pack_prisms:0")).trouble == "There is no screen."
