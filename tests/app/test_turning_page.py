"""Pages on which attempts turn: one file, off-line, opened in a real browser."""

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.results.attempt_pictures import write_turning_page
from spatial_workbench.app.results.report import save_report
from spatial_workbench.app.studio.turning import MOST_NODES, turning
from spatial_workbench.engine.core import CannotRepresent, resolve, task
from spatial_workbench.engine.store import Actor, Project
from spatial_workbench.widgets.theme import LIGHT

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SPOILED = "lego_hemisphere:0"


def spoiled(instance, answer):
    """The answer with a brick put where the first one is."""
    data = answer.model_dump(mode="json")
    (bricks,) = [value for value in data.values() if isinstance(value, list)] if isinstance(data, dict) else [data]
    bricks.append(bricks[0])
    return json.dumps(data)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project with three attempts: one in space with a fault, one in space, and one in the plane."""
    with Project.create(tmp_path_factory.mktemp("turning") / "runs.workbench") as opened:
        for address in (SPOILED, "pack_prisms:0", "shikaku:0"):
            known, instance = resolve(address)
            answer = known.solve(instance)
            text = spoiled(instance, answer) if address == SPOILED else known.format(answer)
            verdict = known.verify(instance, text)
            opened.attempts.add(instance, text, Actor.MODEL, "oak", 1.0, (verdict,))
        yield opened


@pytest.fixture(scope="module")
def page(project, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    assert write_turning_page(project, path, [1, 2, 3]) == 3
    return path


def opened(page, action, folder):
    """The page's document after an action in a browser without a network."""
    path = folder / "opened.html"
    script = f"addEventListener('load', () => {{{action}}})"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    text = page.read_text("utf-8").replace("script-src ", f"script-src 'sha256-{digest}' ", 1)
    path.write_text(text.replace("</body>", f"<script>{script}</script></body>"), "utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--enable-unsafe-swiftshader", "--use-angle=swiftshader"]
    command += ["--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=20000", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=110, check=True)
    return done.stdout


def test_attempts_in_space_have_a_model_and_those_in_the_plane_a_picture_only(page):
    text = page.read_text("utf-8")
    assert len(re.findall(r"<figure[^>]*data-attempt", text)) == 2
    assert text.count("<img") == 3


def test_the_page_needs_nothing_from_elsewhere(page):
    text = page.read_text("utf-8")
    assert not re.search(r'(src|href)="(https?:)?//', text)
    assert page.stat().st_size < 3_000_000


def policy_of(text):
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
    return dict(rule.split(" ", 1) for rule in policy.split("; "))


def test_the_page_allows_its_own_parts_only(page):
    text = page.read_text("utf-8")
    policy = policy_of(text)
    viewer = json.loads(re.search(r'id="viewer">(.*?)</script>', text, re.DOTALL)[1])
    for tag in ("script", "style"):
        parts = [part for source in (text, viewer) for part in re.findall(rf"<{tag}>(.*?)</{tag}>", source, re.DOTALL)]
        digests = {base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in parts}
        assert set(policy[f"{tag}-src"].split()) == {f"'sha256-{digest}'" for digest in digests}
    assert policy["default-src"] == "'none'"
    assert not re.search(r'<[^>]* style="| on[a-z]+="', re.sub(r"<(script|style).*?</\1>", "", text, flags=re.DOTALL))


def test_checks_name_their_elements(page):
    names = [
        json.loads(html.unescape(found)) for found in re.findall(r'data-elements="([^"]*)"', page.read_text("utf-8"))
    ]
    nodes = turning_of(SPOILED).nodes
    assert names
    assert all(element in nodes for elements in names for element in elements)


def turning_of(address):
    known, instance = resolve(address)
    text = spoiled(instance, known.solve(instance)) if address == SPOILED else known.solve(instance)
    answer = known.parse(text) if isinstance(text, str) else text
    return turning(known.scene(instance, answer), LIGHT)


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="there is no browser")
def test_an_attempt_turns_in_a_browser(page, tmp_path):
    dom = opened(page, "document.querySelector('button.turn').click()", tmp_path)
    (shown,) = re.findall(r'<iframe[^>]*data-shown="(\d+)"', dom)
    assert int(shown) > 0


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="there is no browser")
def test_a_check_points_at_its_elements_in_a_browser(page, tmp_path):
    dom = opened(page, "document.querySelector('button.check').click()", tmp_path)
    (pointed,) = re.findall(r'<iframe[^>]*data-pointed="(\d+)"', dom)
    assert int(pointed) > 0


@pytest.mark.parametrize("known", ["half_subdivision", "csg_union", "maze_3d", "cube_full_visual", "terrain_levelling"])
def test_every_kind_of_item_becomes_a_model(known):
    instance = task(known).instances()[0]
    model = turning(task(known).scene(instance, task(known).solve(instance)), LIGHT)
    assert model.glb[:4] == b"glTF"
    assert model.nodes


def test_a_scene_in_the_plane_has_no_model():
    known, instance = resolve("shikaku:0")
    assert turning(known.scene(instance, known.solve(instance)), LIGHT) is None


@pytest.mark.slow
def test_a_crowd_of_cells_stays_small():
    import numpy as np

    from spatial_workbench.engine.core.scene import Scene, Voxels

    cells = np.array([(x, y, z) for x in range(20) for y in range(20) for z in range(15)])
    model = turning(Scene(items=(Voxels(name="v", cells=cells),)), LIGHT)
    assert len(model.nodes) == MOST_NODES
    assert len(model.glb) < 2_000_000


@pytest.mark.slow
def test_the_report_turns_too(project, tmp_path):
    save_report(project, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert 'id="models"' in text
    assert len(re.findall(r"<figure[^>]*data-attempt", text)) == 2


def test_the_command_writes_a_page(project, tmp_path):
    assert main(["export", str(project.path), "--format", "html3d", "-o", str(tmp_path / "p.html")]) == 0
    assert "button.turn" in (tmp_path / "p.html").read_text("utf-8")


def test_too_many_attempts_for_a_page_are_refused(project, tmp_path):
    with pytest.raises(CannotRepresent, match="more than a page can hold"):
        write_turning_page(project, tmp_path / "p.html", [1] * 201)
