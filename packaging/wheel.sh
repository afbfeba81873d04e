#!/usr/bin/env bash
# Builds wheel and source distribution into dist/, and prints their sizes.
set -eu
cd "$(dirname "$0")/.."
rm -rf build/lib build/bdist.* dist/*.whl dist/*.tar.gz
uv build --quiet --out-dir dist
du -h dist/*.whl dist/*.tar.gz
