"""The interpreter of the WebAssembly sandbox, as bundles bring it."""

import lzma

import pytest

from spatial_workbench.engine.sandbox import SandboxUnavailable
from spatial_workbench.engine.sandbox.webassembly import unpacked


@pytest.fixture
def artifacts(tmp_path):
    folder = tmp_path / "artifacts"
    folder.mkdir()
    (folder / "MANIFEST").write_text("python 3.15.0")
    with lzma.open(folder / "python-snapshot.wasm.xz", "wb") as file:
        file.write(b"wasm")
    return folder


def test_a_compressed_interpreter_is_unpacked_once(artifacts, tmp_path):
    target = unpacked(artifacts, tmp_path / "cache" / "wasi")
    assert sorted(path.name for path in target.iterdir()) == ["MANIFEST", "python-snapshot.wasm"]
    (artifacts / "python-snapshot.wasm.xz").unlink()
    assert (unpacked(artifacts, target) / "python-snapshot.wasm").read_bytes() == b"wasm"


def test_without_a_place_for_it_there_is_no_sandbox(artifacts, tmp_path):
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(SandboxUnavailable, match="could not be unpacked"):
        unpacked(artifacts, tmp_path / "cache" / "wasi")
