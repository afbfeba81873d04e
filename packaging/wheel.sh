#!/usr/bin/env bash
# Builds wheel and source distribution into dist/, checks what they tell an index, and prints their sizes. Needs only
# Python: the tools are fetched into an environment of their own.
set -eu
cd "$(dirname "$0")/.."
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools"
"$tools/bin/python" -m pip install --quiet --disable-pip-version-check "build>=1.2" "check-wheel-contents>=0.6" "pyroma>=5" "twine>=6"
rm -rf build/lib build/bdist.* dist/*.whl dist/*.tar.gz
"$tools/bin/python" -m build --outdir dist . >/dev/null
rm -rf spatial_workbench.egg-info
"$tools/bin/twine" check --strict dist/*.whl dist/*.tar.gz
"$tools/bin/check-wheel-contents" dist/*.whl
# Two points are for an address and a mail address, which the project has not got yet.
"$tools/bin/pyroma" --min 8 dist/*.tar.gz
du -h dist/*.whl dist/*.tar.gz
