# Sourced by deb.sh, rpm.sh and appimage.sh: the bundle, the icons, the text about licences; VERSION and ARCH.
cd "$(dirname "$0")/.."
PATH=$PWD/.venv-boot/bin:$PATH
[ -x dist/spatial-workbench/spatial-workbench ] || packaging/bundle.sh
VERSION=$(.venv/bin/python -c "from spatial_workbench.engine.core.version import application_version; print(application_version())")
ARCH=$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
export VERSION ARCH
rm -rf build/linux
mkdir -p build/linux
.venv/bin/python packaging/bundle/icons.py build/linux/icons
{
    cat packaging/linux/copyright
    echo
    sed 's/^/ /' dist/spatial-workbench/_internal/licences/LIST.txt
} >build/linux/copyright
