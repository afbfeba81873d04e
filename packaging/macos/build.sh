#!/usr/bin/env bash
# Builds "dist/Spatial Workbench.app" and dist/spatial-workbench-VERSION-macos.dmg. Needs what `python3 run.py` has set
# up. Not tried yet, and not signed: people open it with a right click the first time.
set -eu
cd "$(dirname "$0")/../.."
PATH=$PWD/.venv-boot/bin:$PATH
uv pip install --quiet --python .venv/bin/python "pyinstaller>=6.22"
.venv/bin/python -m PyInstaller --noconfirm --log-level ERROR --distpath dist --workpath build/bundle packaging/bundle/bundle.spec
version=$(.venv/bin/python -c "from spatial_workbench.engine.core.version import application_version; print(application_version())")
folder=build/disk
rm -rf "$folder"
mkdir -p "$folder"
mv "dist/Spatial Workbench.app" "$folder/"
ln -s /Applications "$folder/Applications"
hdiutil create -quiet -volname "Spatial Workbench" -srcfolder "$folder" -format UDZO -ov "dist/spatial-workbench-$version-macos.dmg"
