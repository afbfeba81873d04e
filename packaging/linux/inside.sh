# shellcheck shell=bash
# How commands run inside of another system, whose files are in $root; the scripts that make such systems source this.

# Runs a command there. Unlike after chroot, namespaces can be made there, as the sandbox does. What is in CACHE, if it is
# set, is seen as /tmp/cache.
inside() {
    unshare --mount --pid --fork --propagation private bash -c '
        mount --bind "$0" "$0"
        mount -t proc proc "$0/proc"
        mount --rbind /dev "$0/dev"
        [ -z "${CACHE:-}" ] || mount --bind "$CACHE" "$0/tmp/cache"
        cd "$0"
        mkdir -p .outside
        pivot_root . .outside
        umount -l /.outside
        rmdir /.outside
        "$@"
        exit $?' "$root" "$@"
}

as_user() { inside setpriv --reuid 1000 --regid 1000 --clear-groups env -i \
    HOME=/home/person USER=person LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin "$@"; }

# Serves the window on a project to one person, whose browser is browser.py with the Python that is given.
serve_one_person() {
    cp packaging/linux/browser.py "$root/tmp/"
    as_user timeout 180 bash -c '
        cd
        spatial-workbench serve "$1" --person Ada --new >link &
        until [ -s link ]; do
            kill -0 $! || exit 1
            sleep 0.1
        done
        "$0" /tmp/browser.py "$(cat link)"
        kill $!
        wait $!
        ls -d "${1%.workbench}-files"' "$@"
    printf '\nOne person was served.\n'
}
