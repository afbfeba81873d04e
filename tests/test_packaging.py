"""What packages tell a desktop agrees with the application."""

import configparser
import io
import json
import re
import shutil
import subprocess
import tarfile
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import pytest

from spatial_workbench.engine.core.version import application_version
from spatial_workbench.engine.store.inspection import APPLICATION_ID

ROOT = Path(__file__).resolve().parent.parent
LINUX = ROOT / "packaging" / "linux"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"

pytestmark = pytest.mark.skipif(not LINUX.is_dir(), reason="not installed from source")


@pytest.fixture
def entry():
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(LINUX / "spatial-workbench.desktop")
    return parser["Desktop Entry"]


@pytest.fixture
def types():
    return ElementTree.parse(LINUX / "spatial-workbench-mime.xml").getroot()


@pytest.fixture
def description():
    return ElementTree.parse(next(LINUX.glob("*.metainfo.xml"))).getroot()


def test_the_menu_entry_opens_the_types_that_are_described(entry, types, description):
    described = [kind.get("type") for kind in types]
    assert entry["MimeType"].strip(";").split(";") == described
    assert [kind.text for kind in description.iter("mediatype")] == described
    assert [glob.get("pattern") for glob in types.iter(f"{MIME}glob")] == ["*.workbench", "*.study"]


def test_a_project_is_known_by_its_contents(types):
    assert [int(match.get("value"), 16) for match in types.iter(f"{MIME}match") if match.get("offset") == "68"] == [
        APPLICATION_ID
    ]


def test_the_description_is_of_this_version(description):
    assert description.find("releases/release").get("version") == application_version()


def test_the_window_belongs_to_the_menu_entry(entry):
    source = (ROOT / "app" / "window" / "application.py").read_text("utf-8")
    assert f'setDesktopFileName("{entry["StartupWMClass"]}")' in source


def test_packages_take_files_that_are_there():
    sources = re.findall(r"src: ((?:packaging|resources)\S+)", (LINUX / "nfpm.yaml").read_text("utf-8"))
    assert sources
    assert [source for source in sources if not (ROOT / source).is_file()] == []


@pytest.mark.skipif(not shutil.which("zstd"), reason="zstd is not installed")
def test_an_image_names_what_it_holds_by_its_digests(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(LINUX))
    import oci

    root, image = tmp_path / "root", tmp_path / "image"
    (root / "bin").mkdir(parents=True)
    (root / "bin" / "tool").write_text("a tool")
    oci.write_image(root, image, "1.2.3")

    def stored(described):
        content = (image / "blobs" / "sha256" / described["digest"].removeprefix("sha256:")).read_bytes()
        assert (described["size"], described["digest"]) == (len(content), "sha256:" + sha256(content).hexdigest())
        return content

    (entry,) = json.loads((image / "index.json").read_text())["manifests"]
    manifest = json.loads(stored(entry))
    settings = json.loads(stored(manifest["config"]))
    (layer,) = manifest["layers"]
    plain = subprocess.run(["zstd", "-dc"], input=stored(layer), capture_output=True, check=True).stdout
    assert settings["rootfs"]["diff_ids"] == ["sha256:" + sha256(plain).hexdigest()]
    with tarfile.open(fileobj=io.BytesIO(plain)) as packed:
        assert packed.extractfile("./bin/tool").read() == b"a tool"
    assert len(list((image / "blobs" / "sha256").iterdir())) == 3
