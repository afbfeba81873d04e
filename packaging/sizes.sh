#!/usr/bin/env bash
# Prints the sizes that docs/packaging.md tells: of what lies in dist/, and of the wheel installed without extras and with
# the window's, before and after Python has compiled it, with the largest packages; and how long a command takes there.
# Needs the environment that `python3 run.py` sets up, and 4 GB in /var/tmp.
set -eu
unset PYTHONDONTWRITEBYTECODE
cd "$(dirname "$0")/.."
PATH=$PWD/.venv-boot/bin:$PATH
work=$(mktemp -d /var/tmp/sizes-XXXXXX)
trap 'rm -rf "$work"' EXIT
wheel=$(ls "$PWD"/dist/*.whl)
python=$(realpath .venv/bin/python)
megabytes() { du -sm "$1" | cut -f 1; }

for path in dist/*.whl dist/*.tar.gz dist/spatial-workbench dist/*.deb dist/*.rpm dist/*.AppImage dist/*.oci.tar; do
    [ ! -e "$path" ] || echo "$path: $(megabytes "$path") MB"
done
grep -E '^[A-Za-z]' requirements.lock | sed 's/ \\$//' >"$work/versions.txt"
for extras in "" "[window]"; do
    environment=$work/environment$extras
    uv venv --quiet --python "$python" "$environment"
    uv pip install --quiet --link-mode copy --python "$environment/bin/python" --constraint "$work/versions.txt" "$wheel$extras"
    packages=$(uv pip list --quiet --python "$environment/bin/python" | tail -n +3 | wc -l)
    plain=$(megabytes "$environment")
    largest=$(cd "$environment"/lib/python3*/site-packages && du -sm -- * | sort -rn | head -n 8 | awk '{ printf " %s %s", $2, $1 }')
    "$environment/bin/python" -m compileall -q "$environment/lib" || true # some packages bring files of other versions
    echo "pip install 'spatial-workbench$extras': $packages packages, $plain MB, $(megabytes "$environment") MB with bytecode;$largest"
    for state in cold warm; do
        if [ $state = cold ]; then
            sync
            { echo 3 >/proc/sys/vm/drop_caches; } 2>/dev/null || continue
        fi
        start=$(date +%s%N)
        "$environment/bin/spatial-workbench" tasks >/dev/null
        echo "  a command, $state: $((($(date +%s%N) - start) / 1000000)) ms"
    done
done
