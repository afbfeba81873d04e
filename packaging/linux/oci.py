#!/usr/bin/env python3
"""Packs a folder as an image for containers in one file, as the Open Container Initiative describes it.

packaging/linux/oci.py ROOT FILE.oci.tar --version VERSION
"""

import argparse
import hashlib
import json
import platform
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIGURATION = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+zstd"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
RUNNING = {
    "User": "1000:1000",
    "WorkingDir": "/home/person",
    "Env": ["PATH=/opt/spatial-workbench/bin:/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/home/person"],
    "Entrypoint": ["spatial-workbench"],
    "Cmd": ["--help"],
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--version", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.target.parent) as folder:
        write_image(options.root, Path(folder), options.version)
        with tarfile.open(options.target, "w") as packed:
            for path in sorted(Path(folder).rglob("*")):
                packed.add(path, path.relative_to(folder), recursive=False)


def write_image(root: Path, folder: Path, version: str) -> None:
    """Writes the image's layout: one layer, its configuration, a manifest, and the index that names it."""
    blobs = folder / "blobs" / "sha256"
    blobs.mkdir(parents=True)
    layer, unpacked = write_layer(root, blobs)
    machine = {"architecture": ARCHITECTURES[platform.machine()], "os": "linux"}
    history = [{"created_by": "packaging/image.sh"}]
    settings = {**machine, "config": RUNNING, "rootfs": {"type": "layers", "diff_ids": [unpacked]}, "history": history}
    configuration = write_json(blobs, CONFIGURATION, settings)
    content = {"schemaVersion": 2, "mediaType": MANIFEST, "config": configuration, "layers": [layer]}
    manifest = write_json(blobs, MANIFEST, content)
    manifest["annotations"] = {"org.opencontainers.image.ref.name": f"spatial-workbench:{version}"}
    (folder / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": [manifest]}))
    (folder / "oci-layout").write_text(json.dumps({"imageLayoutVersion": "1.0.0"}))


def write_layer(root: Path, blobs: Path) -> tuple[dict[str, Any], str]:
    """Packs all files; returns what describes the layer, and the digest of the archive before it is compressed."""
    plain = blobs / "layer.tar"
    # Files keep their times, by which Python knows that its bytecode is still valid.
    subprocess.run(
        ["tar", "--sort=name", "--numeric-owner", "--one-file-system", "-C", str(root), "-cf", str(plain), "."],
        check=True,
    )
    unpacked = digest_of(plain)
    packed = blobs / "layer.tar.zst"
    subprocess.run(["zstd", "--quiet", "-T0", "-6", "--rm", str(plain), "-o", str(packed)], check=True)
    return named(packed, LAYER), unpacked


def write_json(blobs: Path, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    path = blobs / "value.json"
    path.write_text(json.dumps(value))
    return named(path, kind)


def named(path: Path, kind: str) -> dict[str, Any]:
    """Renames a file to the digest of its contents; returns what describes it."""
    digest = digest_of(path)
    size = path.stat().st_size
    path.rename(path.with_name(digest.removeprefix("sha256:")))
    return {"mediaType": kind, "digest": digest, "size": size}


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    main()
