#!/usr/bin/env bash
# Builds wheel and source distribution into dist/, checks what they tell an index, and prints their sizes. Needs only
# Python: the tools are fetched into an environment of their own.
#
#     packaging/wheel.sh [ADDRESS MAIL]
#
# ADDRESS is the project's page and MAIL how its authors are written to: who publishes the package gives them, and they are
# written into what is built. Without them, the package can be installed but is not complete.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/tools"
"$work/tools/bin/python" -m pip install --quiet --disable-pip-version-check "build>=1.2" "check-wheel-contents>=0.6" "pyroma>=5" "twine>=6"
# From a copy, since building leaves files beside the sources.
sources=$work/sources
mkdir -p "$sources" dist
cp -a ./*.md ./*.in ./*.lock LICENSE pyproject.toml run.py app docs engine packaging projects resources spatial_workbench tests tools \
    widgets "$sources"
points=8 # of pyroma's 10, without address and mail
if [ $# -eq 2 ]; then
    points=10
    sed -i -e "s|^authors = .*|authors = [{ name = \"Spatial Workbench contributors\", email = \"$2\" }]|" \
        -e "s|^\[project.scripts\]|[project.urls]\nHomepage = \"$1\"\n\n&|" "$sources/pyproject.toml"
fi
rm -f dist/*.whl dist/*.tar.gz
"$work/tools/bin/python" -m build --outdir dist "$sources" >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
"$work/tools/bin/twine" check --strict dist/*.whl dist/*.tar.gz
"$work/tools/bin/check-wheel-contents" dist/*.whl
"$work/tools/bin/pyroma" --min "$points" dist/*.tar.gz
du -h dist/*.whl dist/*.tar.gz
