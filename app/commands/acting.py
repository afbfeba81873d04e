"""The command through which agents of other programs act: a server of the Model Context Protocol."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path

from spatial_workbench.app.commands.plumbing import PASSED, AddCommand, Refused, resolve

_CONDITIONS = ("everything", "judged", "measured", "hands")


def add_commands(add: AddCommand) -> None:
    """Adds the command to the parser that `add` belongs to."""
    command = add("mcp", _mcp, "Let an agent of another program act, through the Model Context Protocol.")
    command.add_argument("project", metavar="PROJECT", nargs="?", help="keeps the attempts; without it, nothing is")
    command.add_argument("--address", metavar="TASK:N", action="append", default=[], help="allow only this instance")
    command.add_argument("--condition", choices=_CONDITIONS, default="hands", help="which aids there are")
    command.add_argument("--sees", choices=("text", "pictures", "both"), default="both", help="what is seen")
    command.add_argument("--calls", type=int, default=400, help="after so many calls, an episode ends")
    command.add_argument("--minutes", type=float, default=30.0, help="after which an episode ends")
    command.add_argument("--http", type=int, metavar="PORT", help="serve HTTP on this machine, not standard streams")
    command.add_argument("--token", help="that clients over HTTP have to bear; otherwise one is made and told")


def _mcp(options: argparse.Namespace) -> int:
    try:
        from spatial_workbench.app.acting.serving import serve_http, serve_standard_streams
    except ImportError as error:
        from spatial_workbench.engine.core.extras import explained

        raise Refused(explained(error) or str(error)) from None
    from spatial_workbench.app.studio.drawing import drawer
    from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
    from spatial_workbench.engine.evaluation.hands.desk import HandsDesk

    only = tuple(resolve(address)[1].address for address in options.address)
    chosen = HandsOptions(condition=options.condition, sees=options.sees, calls=options.calls)
    project = Path(options.project) if options.project else None
    desk = HandsDesk(chosen, options.minutes, project, only, drawer())
    if options.http is None:
        serve_standard_streams(desk)
        return PASSED
    token = options.token or secrets.token_urlsafe(24)
    print(f"http://127.0.0.1:{options.http}/mcp\nAuthorization: Bearer {token}", file=sys.stderr, flush=True)
    serve_http(desk, options.http, token)
    return PASSED
