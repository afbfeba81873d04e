#!/usr/bin/env bash
# Prints how long a command and the window's first picture take, with nothing in the disk's cache (as root) and with all
# of it.
#
#     packaging/start-up.sh [PROGRAM]
#
# PROGRAM is the bundle's unless given. Needs xvfb and x11-apps.
set -eu
unset PYTHONDONTWRITEBYTECODE
for tool in xvfb-run xwd; do
    command -v "$tool" >/dev/null || { echo "$tool is missing"; exit 1; }
done
cd "$(dirname "$0")/.."
program=$(realpath --no-symlinks "${1:-dist/spatial-workbench/spatial-workbench}")
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME=$home XDG_CONFIG_HOME=$home/config XDG_CACHE_HOME=$home/cache XDG_DATA_HOME=$home/data

forget() { sync && { echo 3 >/proc/sys/vm/drop_caches; } 2>/dev/null || echo "(the disk's cache cannot be emptied)"; }
now() { date +%s%N; }
command_time() {
    local start=$(now)
    "$program" tasks >/dev/null
    echo "$1 $((($(now) - start) / 1000000)) ms"
}
cat >"$home/window.sh" <<'WINDOW'
# A picture is there once a fifth of the screen is not black.
painted() { [ "$(xwd -root -silent | tail -c 6000000 | tr -d '\000' | head -c 1000000 | wc -c)" -eq 1000000 ]; }
xwd -root -silent >/dev/null
start=$(date +%s%N)
"$1" &
until painted; do sleep 0.05; done
echo "$2 $((($(date +%s%N) - start) / 1000000)) ms"
sleep 3
kill $!
wait $! || true
WINDOW
window_time() { timeout 120 xvfb-run -a -s '-screen 0 1600x1000x24' bash "$home/window.sh" "$program" "$1"; }

forget
command_time "a command, cold:"
command_time "a command, warm:"
forget
window_time "the window, cold: "
window_time "the window, warm: "
