#!/usr/bin/env bash
# Installs the .deb of dist/ in an empty Debian, uses it as a user would, removes it, and checks that nothing is left.
# Then it installs it again with what serving needs, and serves one person.
#
#     packaging/try-deb.sh [SUITE]
#
# SUITE is this machine's release unless given. Needs root, debootstrap, and 4 GB in /var/tmp.
set -eu
cd "$(dirname "$0")/.."
deb=$(readlink -f dist/*.deb)
suite=${1:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
mirror=${MIRROR:-$(apt-get indextargets --format '$(SITE)' "Codename: $suite" "Created-By: Packages" | head -n 1)}
root=$(mktemp -d /var/tmp/try-deb-XXXXXX)
trap 'rm -rf --one-file-system "$root"' EXIT
chmod 755 "$root"

. packaging/linux/inside.sh

step() { printf '\n== %s\n' "$*"; }

step "An empty Debian $suite"
debootstrap --variant=minbase "$suite" "$root" ${mirror:+"$mirror"} >"$root.log" 2>&1 || { tail "$root.log"; exit 1; }
rm "$root.log"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
# A mirror may be a copy that was made long ago.
echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/99-try"
apt() { inside env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >/dev/null 2>"$root/tmp/apt.log" ||
    { cat "$root/tmp/apt.log"; exit 1; }; }
apt update
# What a person at a desktop has: a screen, a file manager's types of files.
apt install -y --no-install-recommends xvfb xauth x11-utils libglib2.0-bin shared-mime-info desktop-file-utils
inside useradd --create-home --uid 1000 person
packages() { inside dpkg-query -W -f '${Package}\n' | sort; }
# dpkg removes /opt itself, as no other package has it.
files() { mkdir -p "$root/opt" && (cd "$root" && find opt usr etc home var -not -path 'var/cache/*' -not -path 'var/log/*' \
    -not -path 'var/lib/apt/*' -not -path 'var/lib/dpkg/*' -not -path 'home/person/*' | sort); }
packages >"$root/tmp/packages-before"
files >"$root/tmp/files-before"

step "Install"
cp "$deb" "$root/tmp/package.deb"
apt install -y /tmp/package.deb
inside dpkg --verify spatial-workbench
inside dpkg-query -W -f '${Package} ${Version}, ${Installed-Size} KB installed\n' spatial-workbench

step "A batch of the reference on one subtask of each task"
as_user bash -c '
    cd
    tasks=$(spatial-workbench tasks | sed "s/ .*/:0/" | paste -sd,)
    spatial-workbench evaluate work.workbench --model reference --tasks "$tasks" --workers 2 | grep "mean score 1.000"'
[ -s "$root/home/person/work.workbench" ]

step "An answer whose parts are programs, which run in the sandbox"
cat >"$root/tmp/programs.py" <<'PROGRAMS'
import json

answer = json.load(open("parts.json"))
for part in answer["parts"]:
    part["fileContents"] = f"import numpy\nprint({part['fileContents']!r})"
    part["fileType"] = "Python Generating STL"
json.dump(answer, open("programs.json", "w"))
PROGRAMS
as_user bash -c '
    cd
    spatial-workbench solve interlocking_parts:0 --json >parts.json
    spatial-workbench -P -c "$(cat /tmp/programs.py)"
    spatial-workbench verify interlocking_parts:0 programs.json | grep -m 1 "  passed, score"'

step "The window, with the project of the batch"
cat >"$root/tmp/window.sh" <<'WINDOW'
start=$(date +%s%N)
spatial-workbench ~/work.workbench &
until xwininfo -root -tree | grep '"work.*Spatial Workbench"'; do
    kill -0 $! || exit 1
    sleep 0.05
done
echo "after $((($(date +%s%N) - start) / 1000000)) ms"
sleep 5
kill $!
WINDOW
as_user timeout 120 xvfb-run -a -s '-screen 0 1600x1000x24' bash /tmp/window.sh

step "Its files are known by their names and contents, and open with it"
as_user bash -c '
    cd
    cp work.workbench contents-only
    spatial-workbench study new work.workbench --name Trial --items shikaku:0 2>/dev/null | head -n 1 >study
    spatial-workbench study bundle work.workbench "$(cat study)" -o trial.study --pilot >/dev/null
    for file in work.workbench contents-only trial.study; do
        gio info -a standard::content-type $file | grep -o "application/x-spatial.*"
    done
    gio mime application/x-spatial-workbench | grep -m 1 spatial-workbench.desktop
    gio mime application/x-spatial-workbench-study | grep -m 1 spatial-workbench.desktop'

step "Remove"
apt purge -y spatial-workbench
apt autoremove -y --purge
packages | diff "$root/tmp/packages-before" -
files | diff "$root/tmp/files-before" -
printf '\nNothing is left.\n'

step "Install again, with what serving needs, and show the window to one person in a browser"
mapfile -t serving < <(grep -v '^#' packaging/debian-serve-packages.txt)
apt install -y --no-install-recommends /tmp/package.deb "${serving[@]}" python3-websockets
serve_one_person /usr/bin/python3 work.workbench
