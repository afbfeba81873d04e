#!/usr/bin/env bash
# Makes the lock files anew: names, versions, markers and hashes, no addresses.
set -eu
cd "$(dirname "$0")/.."
lock() { uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --quiet "$@"; }
lock --custom-compile-command "packaging/lock.sh" --extra dev pyproject.toml --output-file requirements.lock
lock --custom-compile-command "packaging/lock.sh" --output-file requirements-solver.lock - <<<"kociemba==1.2.1"
