#!/usr/bin/env bash
# Makes the lock files anew: names, versions, markers and hashes, no addresses. Needs uv and npm.
set -eu
cd "$(dirname "$0")/.."
lock() { uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --quiet "$@"; }
application=(--group build --extra completion --extra mcp --extra serve --extra video --extra window)
everything=("${application[@]}" --extra dev --extra cluster --extra data --extra gym --extra inspect --extra offline)
lock --custom-compile-command "packaging/lock.sh" "${everything[@]}" pyproject.toml --output-file requirements-full.lock
lock --custom-compile-command "packaging/lock.sh" "${application[@]}" --constraint requirements-full.lock pyproject.toml \
    --output-file requirements.lock
lock --custom-compile-command "packaging/lock.sh" --output-file requirements-solver.lock - <<<"kociemba==1.2.1"
cd packaging/npm
npm install --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund --silent
