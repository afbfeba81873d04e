#!/usr/bin/env bash
# Installs the wheel of dist/ with pip into empty environments, one for each Python that is supported and there: first
# without extras, for the command line and the programs of the tests, then with those of the window. Both are started far from the sources.
set -eu
cd "$(dirname "$0")/.."
wheel=$(ls "$PWD"/dist/*.whl)
lock=$PWD/requirements.lock
programs=$PWD/tests/library/programs
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
checked=0
for version in 3.11 3.12 3.13; do
    python=$(command -v "python$version" || uv python find --offline "$version" 2>/dev/null || true)
    "$python" -c "" 2>/dev/null || { echo "Python $version: not here"; continue; }
    home=$empty/$version
    mkdir -p "$home"
    "$python" -m venv "$home/env"
    # What the tests ran with, as constraints: names and versions without their hashes.
    grep -E '^[A-Za-z]' "$lock" | sed 's/ \\$//' >"$home/versions.txt"
    install() { "$home/env/bin/python" -m pip install --quiet --disable-pip-version-check --constraint "$home/versions.txt" "$1"; }
    install "$wheel"
    (
        cd "$home"
        export HOME=$home XDG_CONFIG_HOME=$home/config XDG_CACHE_HOME=$home/cache XDG_DATA_HOME=$home/data
        env/bin/spatial-workbench solve shikaku:0 | env/bin/spatial-workbench verify shikaku:0 -
        for program in "$programs"/[a-z]*.py; do
            env/bin/python -I "$program" >program.txt || { echo "$program failed"; exit 1; }
        done
        echo "without extras: $(env/bin/python -m pip list --disable-pip-version-check | tail -n +3 | wc -l) packages, $(du -sm env | cut -f1) MB"
    )
    install "$wheel[window]"
    (
        cd "$home"
        export HOME=$home XDG_CONFIG_HOME=$home/config XDG_CACHE_HOME=$home/cache XDG_DATA_HOME=$home/data
        export QT_QPA_PLATFORM=offscreen PATH=$home/env/bin:/usr/bin:/bin
        spatial-workbench render lego_hemisphere:0 -o picture.png
        python - <<'WINDOW'
import time
from spatial_workbench.app.studio.pictures import offscreen_application

application = offscreen_application()
from spatial_workbench.app.window.application import build_window

window = build_window(application)
window.show()
until = time.monotonic() + 5
while time.monotonic() < until:
    application.processEvents()
    time.sleep(0.01)
assert window.catalogue.isVisible() and not window.grab().isNull()
window.close()
print("the window opens")
WINDOW
    )
    echo "Python $version: installed and started"
    checked=$((checked + 1))
done
[ "$checked" -gt 0 ]
