#!/usr/bin/env bash
# Makes an image for containers without any registry, dist/spatial-workbench-VERSION-ARCH.oci.tar: an empty Debian, its
# Python, and the wheel of dist/ with the versions of requirements-full.lock. Tries it before it is packed.
#
#     packaging/image.sh [EXTRAS]
#
# EXTRAS are cluster,fast,serve,window unless given; a worker of a cluster needs only cluster,fast. Needs root, debootstrap,
# zstd, the environment that `python3 run.py` sets up, and 8 GB in /var/tmp.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/.venv-boot/bin:$PATH
extras=${1:-cluster,fast,serve,window}
wheel=$(ls "$PWD"/dist/*.whl)
suite=bookworm # its Python is 3.11
mirror=${MIRROR:-$(apt-get indextargets --format '$(SITE)' "Codename: $suite" "Created-By: Packages" | head -n 1)}
work=$(mktemp -d /var/tmp/image-XXXXXX)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root
cache=$(uv cache dir)
mkdir -p "$root" "$cache"
chmod 755 "$work" "$root"

. packaging/linux/inside.sh

step() { printf '\n== %s\n' "$*"; }

step "An empty Debian $suite with the packages that are needed"
# Of the list, what a start and the sandbox need, not what compiles or draws a screen for tests.
wanted=$(awk '/^#/ { skip = /compile|virtual screen|optional/ } !/^#/ && !skip { sub(/\|.*/, ""); print }' packaging/debian-packages.txt)
case ,$extras, in
    *,window,*) ;;
    *) wanted="python3-venv bubblewrap" ;;
esac
case ,$extras, in *,serve,*) wanted+=" $(grep -v '^#' packaging/debian-serve-packages.txt)" ;; esac
debootstrap --variant=minbase "$suite" "$root" ${mirror:+"$mirror"} >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
cp /etc/resolv.conf /etc/hosts "$root/etc/"
# A mirror may be a copy that was made long ago.
echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/99-image"
apt() { inside env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
apt update
# shellcheck disable=SC2086 # a list of names
apt install -y --no-install-recommends $wanted
inside useradd --create-home --uid 1000 person

step "The wheel with $extras"
grep -E '^[A-Za-z]' requirements-full.lock | sed 's/ \\$//' >"$root/tmp/versions.txt"
cp "$wheel" "$(command -v uv)" "$root/tmp/"
cat "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" >"$root/tmp/certificates.pem"
mkdir "$root/tmp/cache"
inside python3 -m venv --without-pip /opt/spatial-workbench
CACHE=$cache inside env UV_CACHE_DIR=/tmp/cache UV_LINK_MODE=copy SSL_CERT_FILE=/tmp/certificates.pem /tmp/uv pip install --quiet --compile-bytecode \
    --python /opt/spatial-workbench/bin/python --constraint /tmp/versions.txt "/tmp/$(basename "$wheel")[$extras]"
# Models that Bullet's wheel brings along; nothing uses them.
rm -rf "$root"/opt/spatial-workbench/lib/python3*/site-packages/pybullet_{data,envs,examples,robots,utils}
ln -s ../../../opt/spatial-workbench/bin/spatial-workbench "$root/usr/local/bin/"

step "Try it"
as_user spatial-workbench --version
as_user bash -c '
    cd
    for task in shikaku lego_hemisphere machine_movement; do
        spatial-workbench solve $task:0 --json >answer
        spatial-workbench verify $task:0 answer | head -n 1
    done'
case ,$extras, in *,window,*) as_user env QT_QPA_PLATFORM=offscreen bash -c 'cd && spatial-workbench render lego_hemisphere:0 -o picture.png && ls -s picture.png' ;; esac
case ,$extras, in *,cluster,*) as_user /opt/spatial-workbench/bin/dask worker --version ;; esac
case ,$extras, in
    *,serve,*window* | *,window,*serve*)
        as_user bash -c 'cd && spatial-workbench evaluate work.workbench --model reference --tasks shikaku:0 | grep "mean score 1.000"'
        serve_one_person /opt/spatial-workbench/bin/python work.workbench
        ;;
esac

step "Pack it"
rm -rf "$root"/home/person/.[a-z]* "$root"/home/person/[a-z]* "$root"/tmp/* "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*.bin
rm -f "$root"/var/cache/apt/archives/*.deb "$root"/etc/apt/apt.conf.d/99-image "$root"/etc/resolv.conf "$root"/etc/hosts
find "$root/usr/share/doc" -type f -not -name copyright -delete
rm -rf "$root"/usr/share/man "$root"/var/log/*.log
du -sm "$root" | cut -f 1 | sed 's/$/ MB in files/'
version=$(ls "$root"/opt/spatial-workbench/lib/python3*/site-packages | sed -n 's/^spatial_workbench-\(.*\)\.dist-info$/\1/p')
target=dist/spatial-workbench-$version-$(uname -m).oci.tar
python3 packaging/linux/oci.py "$root" "$target" --version "$version"
du -h "$target"
