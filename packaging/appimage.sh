#!/usr/bin/env bash
# Builds dist/Spatial_Workbench-VERSION-ARCH.AppImage from the bundle; builds the bundle first if there is none.
#
#     packaging/appimage.sh RUNTIME
#
# RUNTIME is the file runtime-x86_64 or runtime-aarch64 of the project AppImage/type2-runtime, which is on no package
# registry. Needs mksquashfs (package squashfs-tools).
set -eu
runtime=$(readlink -f "${1:?the file with the runtime is missing}")
. "$(dirname "$0")/linux/stage.sh"
folder=build/linux/AppDir
mkdir -p "$folder/usr/share/metainfo" "$folder/usr/share/mime/packages"
cp -al dist/spatial-workbench "$folder/spatial-workbench"
ln -s spatial-workbench/spatial-workbench "$folder/AppRun"
cp packaging/linux/spatial-workbench.desktop resources/spatial-workbench.svg "$folder/"
ln -s spatial-workbench.svg "$folder/.DirIcon"
cp packaging/linux/*.metainfo.xml "$folder/usr/share/metainfo/"
cp packaging/linux/spatial-workbench-mime.xml "$folder/usr/share/mime/packages/spatial-workbench.xml"
mksquashfs "$folder" build/linux/image -quiet -root-owned -noappend -comp zstd
target=dist/Spatial_Workbench-$VERSION-$(uname -m).AppImage
cat "$runtime" build/linux/image >"$target"
chmod +x "$target"
du -h "$target"
