# Builds dist\spatial-workbench-VERSION-windows.exe. Needs what `py run.py` has set up, and Inno Setup 6 (iscc on the
# path). Not tried yet.
$ErrorActionPreference = "Stop"
Set-Location (Join-Path $PSScriptRoot "..\..")
$env:PATH = "$PWD\.venv-boot\Scripts;$env:PATH"
uv pip install --quiet --python .venv\Scripts\python.exe "pyinstaller>=6.22"
.venv\Scripts\python.exe -m PyInstaller --noconfirm --log-level ERROR --distpath dist --workpath build\bundle packaging\bundle\bundle.spec
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
$version = .venv\Scripts\python.exe -c "from spatial_workbench.engine.core.version import application_version; print(application_version())"
iscc /Q "/DVersion=$version" packaging\windows\installer.iss
exit $LASTEXITCODE
