#!/usr/bin/env bash
# Installs the wheel of dist/ with the lowest and with the highest versions that pyproject.toml allows, on the oldest and
# the newest supported Python, as far as they are here, and tries it: first without extras, then with all that need no
# compiler and no weights.
#
#     [PYTHONS=3.12] [ENDS=lowest-direct] packaging/check-ranges.sh [TESTS]
#
# TESTS are those that run with the extras; those of the library, of projects and of exchanged files unless given. The
# versions that were tried are written to dist/ranges. Needs xvfb, and 4 GB in /var/tmp. Not part of the tests: it downloads
# everything, and takes a quarter of an hour on two cores.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/.venv-boot/bin:$PATH
[ $# -gt 0 ] || set -- tests/library tests/store tests/exchange tests/models
extras=3mf,cluster,completion,data,fast,gym,inspect,mcp,models,sandbox-wasm,seal,serve,video,window
tools=(anyio duckdb hypothesis llmock mypy pandas polars pytest pytest-qt pytest-timeout pytest-xdist setuptools trustme)
home=$(mktemp -d /var/tmp/check-ranges-XXXXXX)
trap 'rm -rf "$home"' EXIT
sources=$home/sources
mkdir -p "$sources" dist/ranges
cp dist/*.whl "$home"
wheel=$(ls "$home"/*.whl)
cp -r pyproject.toml docs tests packaging projects tools "$sources"
if ! command -v uv >/dev/null; then
    python3 -m venv "$home/boot"
    "$home/boot/bin/python" -m pip install --quiet --disable-pip-version-check "uv>=0.13"
    PATH=$home/boot/bin:$PATH
fi
export UV_CACHE_DIR=${UV_CACHE_DIR:-$(uv cache dir)} XDG_CACHE_HOME=$home/cache XDG_CONFIG_HOME=$home/config XDG_DATA_HOME=$home/data
failed=()

# What is tried without extras: tasks are solved and verified, except those that take minutes without compiled loops, and
# the programs of the tests run.
light() {
    "$1/bin/python" -I - <<'TASKS' || return 1
import spatial_workbench as sw

tasks = sw.tasks().keys() - {"interlocking_parts", "terrain_levelling"}
for task in sorted(tasks):
    address = f"{task}:0"
    assert sw.verify(address, sw.solve(address)).passed, address
print(f"{len(tasks)} tasks are solved and verified")
TASKS
    for program in tests/library/programs/[a-z]*.py; do
        "$1/bin/python" -I "$program" >"$home/program.txt" || return 1
    done
}

try() {
    echo "== $1"
    "${@:2}" || failed+=("$1")
}

for version in ${PYTHONS:-3.11 3.13}; do
    python=$(uv python find --offline "$version" 2>/dev/null) || { echo "Python $version: not here"; continue; }
    for end in ${ENDS:-lowest-direct highest}; do
        name=$version-$end
        environment=$home/$name
        uv venv --quiet --python "$python" "$environment"
        # Of the wheel itself, the ranges would be no direct ones.
        choose() { uv pip compile --quiet --no-header --no-annotate --python "$python" --resolution "$end" "${@:2}" pyproject.toml >"$1"; }
        install() { uv pip install --quiet --python "$environment/bin/python" --constraint "$@"; }
        versions=dist/ranges/$name.txt
        choose "$versions.light"
        install "$versions.light" "$wheel"
        try "$name, without extras" light "$environment"
        choose "$versions" $(printf -- '--extra %s ' ${extras//,/ })
        install "$versions" "$wheel[$extras]"
        install "$versions" "${tools[@]}"
        # Not in the folder of the sources, in which child processes look for nothing.
        try "$name, with extras" env -C "$home" xvfb-run -a "$environment/bin/python" -m pytest -q -n 2 -c "$sources/pyproject.toml" "${@/#/$sources/}"
        rm -rf "$environment"
    done
done
for what in "${failed[@]}"; do echo "failed: $what"; done
[ ${#failed[@]} -eq 0 ]
