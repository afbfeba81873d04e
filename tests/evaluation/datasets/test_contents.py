"""The checksums of a data set cover all its files, and other programs read them."""

import shutil
import subprocess

import pytest

from spatial_workbench.engine.evaluation.datasets import write_dataset
from spatial_workbench.engine.evaluation.datasets.contents import CHECKSUMS, sha256_of
from tests.evaluation.datasets.inline import Inline, plan, written


def listed(folder):
    lines = (folder / CHECKSUMS).read_text().splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def test_every_file_but_the_list_itself_is_listed(tmp_path):
    folder = written(tmp_path / "d", ("shikaku",), splits={"train": 2, "test": 1})
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert listed(folder).keys() == files - {CHECKSUMS}
    assert {"README.md", "LICENSE", "croissant.json", "plan.json", "data/shikaku/train-00000.parquet"} <= files


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="there is no sha256sum")
def test_sha256sum_finds_them_right_and_a_change(tmp_path):
    folder = written(tmp_path / "d", ("shikaku",), 2)
    command = ["sha256sum", "-c", "--strict", CHECKSUMS]
    assert subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0
    (folder / "LICENSE").write_text("Mine.")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "LICENSE: FAILED" in done.stdout


def test_checksums_are_right_again_when_a_data_set_is_gone_on_with(tmp_path):
    folder = tmp_path / "d"
    with pytest.raises(KeyboardInterrupt):
        write_dataset(folder, plan(), Inline(limit=4))
    assert not (folder / CHECKSUMS).exists()
    write_dataset(folder, plan(), Inline())
    assert listed(folder) == {name: sha256_of(folder / name) for name in listed(folder)}
