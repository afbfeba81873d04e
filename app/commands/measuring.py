"""The benchmark."""

from __future__ import annotations

import argparse
import sys

from spatial_workbench.app.commands.plumbing import AddCommand, show
from spatial_workbench.app.source import tool


def add_commands(add: AddCommand) -> None:
    """Adds the command to the parser that `add` belongs to."""
    bench = add("bench", _bench, "Measure speed and memory; prints a table of medians.")
    bench.add_argument("--only", default="", help="only the rows whose name contains this")
    bench.add_argument(
        "--holds",
        nargs="*",
        metavar="TASK",
        help="instead, list operations of these tasks' editors (default: all) that block the window",
    )


def _bench(options: argparse.Namespace) -> int:
    if options.holds is not None:
        return show(options, *tool("tools.bench.slots").measure_holds(options.holds))
    bench = tool("tools.bench.main")
    rows = bench.measure(options.only, report=lambda text: print(text, file=sys.stderr, flush=True))
    return show(options, [row.__dict__ for row in rows], bench.format_table(rows))
