#!/usr/bin/env bash
# Installs the .deb of dist/ in an empty Debian, uses it as a user would, removes it, and checks that nothing is left.
# Then it installs it again with what serving needs, and serves one person.
#
#     packaging/try-deb.sh [SUITE]
#
# SUITE is this machine's release unless given. Needs root, debootstrap, and 4 GB in /var/tmp.
set -eu
deb=$(readlink -f "$(dirname "$0")"/../dist/*.deb)
suite=${1:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
mirror=${MIRROR:-$(apt-get indextargets --format '$(SITE)' "Codename: $suite" "Created-By: Packages" | head -n 1)}
root=$(mktemp -d /var/tmp/try-deb-XXXXXX)
trap 'rm -rf --one-file-system "$root"' EXIT
chmod 755 "$root"

# Runs a command in the empty system. Unlike after chroot, namespaces can be made there, as the sandbox does.
inside() {
    unshare --mount --pid --fork --propagation private bash -c '
        mount --bind "$0" "$0"
        mount -t proc proc "$0/proc"
        mount --rbind /dev "$0/dev"
        cd "$0"
        mkdir -p .outside
        pivot_root . .outside
        umount -l /.outside
        rmdir /.outside
        "$@"
        exit $?' "$root" "$@"
}

as_user() { inside setpriv --reuid 1000 --regid 1000 --clear-groups env -i \
    HOME=/home/person USER=person LANG=C.UTF-8 PATH=/usr/bin:/bin "$@"; }

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
mapfile -t serving < <(grep -v '^#' "$(dirname "$0")/debian-serve-packages.txt")
apt install -y --no-install-recommends /tmp/package.deb "${serving[@]}" python3-websockets
# What a browser says: it presses the button of the link, and asks for the picture until the window is seen there.
cat >"$root/tmp/browser.py" <<'BROWSER'
import asyncio, struct, sys, urllib.request
import websockets

LINK = sys.argv[1]
ORIGIN = LINK.partition("/open/")[0]
COOKIES = urllib.request.HTTPCookieProcessor()


async def main():
    browser = urllib.request.build_opener(COOKIES)
    page = browser.open(urllib.request.Request(LINK, b"", {"Origin": ORIGIN})).read().decode()
    assert 'id="screen"' in page, page
    cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in COOKIES.cookiejar)
    address = f"ws{ORIGIN.removeprefix('http')}/workbench/picture"
    async with websockets.connect(address, origin=ORIGIN, extra_headers={"Cookie": cookie}) as socket:
        await see(socket)


async def see(socket):
    pending = b""

    async def read(count):
        nonlocal pending
        while len(pending) < count:
            pending += await socket.recv()
        taken, pending = pending[:count], pending[count:]
        return taken

    version = await read(12)
    await socket.send(version)
    await read((await read(1))[0])
    await socket.send(b"\x01")
    assert await read(4) == bytes(4)
    await socket.send(b"\x00")
    width, height = struct.unpack(">HH", (await read(24))[:4])
    pending = b""
    await socket.send(struct.pack(">BxHi", 2, 1, 0))
    colours = set()
    while len(colours) < 100:
        await asyncio.sleep(0.5)
        await socket.send(struct.pack(">BBHHHH", 3, 0, 0, 0, width, height))
        kind, pieces = struct.unpack(">BxH", await read(4))
        assert kind == 0, kind
        for _ in range(pieces):
            x, y, across, down, encoding = struct.unpack(">HHHHi", await read(12))
            pixels = await read(4 * across * down)
            colours |= {pixels[i : i + 3] for i in range(0, len(pixels), 4)}
    print(f"{width} x {height} pixels, {len(colours)} colours")


asyncio.run(asyncio.wait_for(main(), 90))
BROWSER
as_user timeout 180 bash -c '
    cd
    spatial-workbench serve work.workbench --person Ada --new >link &
    until [ -s link ]; do
        kill -0 $! || exit 1
        sleep 0.1
    done
    python3 /tmp/browser.py "$(cat link)"
    kill $!
    wait $!
    ls -d work-files'
printf '\nOne person was served.\n'
