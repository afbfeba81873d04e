#!/usr/bin/env bash
# Puts the application with Python and all libraries into one folder, dist/spatial-workbench, and prints its size and how
# long it takes to start. Needs what `python3 run.py` has set up, and installs PyInstaller beside it.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/.venv-boot/bin:$PATH
.venv/bin/python -m PyInstaller --version >/dev/null 2>&1 || uv pip install --quiet --python .venv/bin/python "pyinstaller>=6.22"
rm -rf build/bundle dist/spatial-workbench
.venv/bin/python -m PyInstaller --noconfirm --log-level ERROR --distpath dist --workpath build/bundle packaging/bundle/bundle.spec
du -sh dist/spatial-workbench
if command -v xvfb-run >/dev/null && command -v xwd >/dev/null; then
    packaging/start-up.sh
fi
