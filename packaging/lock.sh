#!/usr/bin/env bash
# Makes the lock files anew: names, versions, markers and hashes, no addresses.
set -eu
cd "$(dirname "$0")/.."
lock() { uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --quiet "$@"; }
everything=(--extra dev --extra cluster --extra data --extra gym --extra inspect --extra mcp --extra offline --extra serve --extra video)
lock --custom-compile-command "packaging/lock.sh" "${everything[@]}" pyproject.toml --output-file requirements-full.lock
lock --custom-compile-command "packaging/lock.sh" --extra dev --constraint requirements-full.lock pyproject.toml \
    --output-file requirements.lock
lock --custom-compile-command "packaging/lock.sh" --output-file requirements-solver.lock - <<<"kociemba==1.2.1"
