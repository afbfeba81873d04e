"""A whole site: its files, its links, and what the command says."""

import json
import re
from pathlib import PurePosixPath

import pytest

from spatial_workbench.app.commands import publishing
from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.core import Cancelled
from spatial_workbench.engine.reporting.site.choice import CannotPublish, SiteChoice
from spatial_workbench.engine.reporting.site.publishing import publish
from spatial_workbench.engine.store import Project
from tests.reporting.site.hostile import fill, tools

MOST_BEFORE_PICTURES = 200_000


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    with Project.create(folder / "runs.workbench") as opened:
        fill(opened, folder / "results")
        yield opened


CHOICE = SiteChoice(title="A site", named=("Ada Lovelace",), studies=("Open loops",))


@pytest.fixture(scope="module")
def site(project, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    publish(project, folder / "site", CHOICE, tools(folder / "kept"))
    return folder / "site"


def links_of(page):
    text = re.sub(r"<script[^>]*json.*?</script>", "", page.read_text("utf-8"), flags=re.DOTALL)
    return re.findall(r'(?:href|src|action|data-scene)="([^"]*)"', text)


@pytest.mark.slow
def test_every_link_leads_to_a_file_of_the_site(site):
    for page in site.rglob("*.html"):
        for link in links_of(page):
            path, _, anchor = link.partition("#")
            target = page.parent / PurePosixPath(path.partition("?")[0]) if path else page
            assert target.resolve().is_file(), (page, link)
            assert not anchor or f'id="{anchor}"' in target.read_text("utf-8"), (page, link)


def test_what_is_searched_for_leads_to_a_file_of_the_site(site):
    index = json.loads(re.search(r'id="index">(.*?)</script>', (site / "search.html").read_text("utf-8"))[1])
    assert {kind for kind, *_ in index} >= {"Task", "Run", "Study", "Attempt"}
    assert all((site / address).is_file() for _, _, address, _ in index)


def test_nothing_is_loaded_from_elsewhere(site):
    for page in [*site.rglob("*.html"), *site.rglob("*.css"), *site.rglob("*.js")]:
        assert not re.search(r'(src|href|action)="(https?:)?//|url\(|import |fetch\(', page.read_text("utf-8")), page


def test_each_page_has_a_json_file_of_its_name(site):
    pages = {path.with_suffix("") for path in site.rglob("*.html")} - {site / "search"}
    assert [page for page in pages if not page.with_suffix(".json").is_file()] == []


def test_pages_are_small_before_the_first_picture(site):
    parts = sum(
        (site / name).stat().st_size for name in ("style.css", "theme.js", "site.js", "viewer.js", "attempts.js")
    )
    assert max(path.stat().st_size for path in site.rglob("*.html")) + parts < MOST_BEFORE_PICTURES


def test_the_canary_stays_when_a_site_is_made_again(project, tmp_path):
    canaries = set()
    for _ in range(2):
        publish(project, tmp_path / "site", SiteChoice(pictures=False), tools(tmp_path / "kept"))
        canaries.add(json.loads((tmp_path / "site" / "site.json").read_text("utf-8"))["canary"])
    assert len(canaries) == 1


def test_a_canary_that_is_no_guid_is_refused(project, tmp_path):
    with pytest.raises(CannotPublish, match="is no GUID"):
        publish(project, tmp_path / "site", SiteChoice(canary="<b>"), tools(tmp_path / "kept"))


def test_a_cancelled_site_leaves_nothing(project, tmp_path):
    def cancel(done, total, text=""):
        if text == "Writing pages":
            raise Cancelled

    with pytest.raises(Cancelled):
        publish(project, tmp_path / "site", SiteChoice(), tools(tmp_path / "kept"), cancel)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_drawings_that_were_kept_are_not_made_again(project, tmp_path):
    publish(project, tmp_path / "site", SiteChoice(), tools(tmp_path / "kept"))
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").iterdir()}
    publish(project, tmp_path / "site", SiteChoice(), tools(tmp_path / "kept"))
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").iterdir()} == before


def test_the_command_lists_without_writing(project, tmp_path, capsys):
    assert main(["publish", str(project.path), "-o", str(tmp_path / "site"), "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["left_out"]
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_a_site(project, tmp_path, capsys):
    words = ["publish", str(project.path), "-o", str(tmp_path / "site"), "--no-pictures", "--person", "Ada Lovelace"]
    assert main(words) == 0
    assert "This stays out:" in capsys.readouterr().out
    assert "Person 1" in (tmp_path / "site" / "index.html").read_text("utf-8")


def test_the_command_leaves_replays_out(project, tmp_path, monkeypatch):
    chosen = []
    monkeypatch.setattr(publishing, "_published", lambda options: chosen.append(publishing._choice(options)) or 0)
    main(["publish", str(project.path), "-o", str(tmp_path / "site")])
    main(["publish", str(project.path), "-o", str(tmp_path / "site"), "--no-motion"])
    assert [choice.motion for choice in chosen] == [True, False]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Name the site's folder with -o"),
        (("--dry-run", "--person", "Nobody"), "Nobody called “Nobody”"),
        (("--dry-run", "--study", "Sealed loops"), "are sealed"),
    ],
)
def test_the_command_refuses_in_a_sentence(project, capsys, words, sentence):
    assert main(["publish", str(project.path), *words]) == 2
    assert sentence in capsys.readouterr().err


def test_the_command_refuses_a_foreign_folder(project, tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["publish", str(project.path), "-o", str(tmp_path), "--no-pictures"]) == 2
    assert "mine.txt" in capsys.readouterr().err
