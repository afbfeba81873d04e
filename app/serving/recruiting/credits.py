"""Calls the recruiter's server when somebody has ended, as SONA gives credits."""

from __future__ import annotations

import asyncio
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from spatial_workbench.app.serving.recruiting.arrivals import Arrival
from spatial_workbench.app.serving.recruiting.recruiters_file import RecruiterKind, WayBack, filled

TIMEOUT_S = 5
_MOST_BYTES = 64_000
_GRANTED = b"credit_status>G<"
"""What SONA answers where credits were given."""


class CreditFailed(RuntimeError):
    """The recruiter's server was not told; says why, without an address or an identity."""


class _NoRedirects(HTTPRedirectHandler):
    """Follows nobody elsewhere: the address holds an identity."""

    def redirect_request(self, *_: object) -> None:
        return None


async def give_credit(way: WayBack, kind: RecruiterKind, arrival: Arrival | None) -> None:
    """Tells the recruiter's server that somebody has ended.

    Raises:
        CreditFailed: It could not be told, or has refused.
    """
    address = filled(way.call, way.code, "" if arrival is None else arrival.person)
    if not address:
        raise CreditFailed("the browser in which the person ended does not say who it is")
    body = await asyncio.to_thread(_called, address)
    if kind is RecruiterKind.SONA and _GRANTED not in body:
        raise CreditFailed("its answer does not say that credits were given")


def _called(address: str) -> bytes:
    try:
        with build_opener(_NoRedirects()).open(Request(address), timeout=TIMEOUT_S) as answer:
            body: bytes = answer.read(_MOST_BYTES)
            return body
    except HTTPError as error:
        raise CreditFailed(f"it answers {error.code}") from None
    except TimeoutError:
        raise CreditFailed(f"it did not answer within {TIMEOUT_S} s") from None
    except URLError as error:
        is_late = isinstance(error.reason, TimeoutError)
        raise CreditFailed(f"it did not answer within {TIMEOUT_S} s" if is_late else "it cannot be reached") from None
    except (OSError, ValueError):
        raise CreditFailed("it cannot be reached") from None
