"""Every rule of the sandbox is tried in each of its makes; nothing here ever runs outside one."""

import pytest

from spatial_workbench.engine.sandbox import SandboxUnavailable
from spatial_workbench.engine.sandbox.contracts import SandboxLimits
from spatial_workbench.engine.sandbox.running import BACKENDS, _try


def _works(name):
    try:
        _try(BACKENDS[name])
    except (SandboxUnavailable, OSError) as error:
        return str(error)
    return ""


@pytest.fixture(
    params=["bubblewrap", pytest.param("webassembly", marks=pytest.mark.timeout(600))],
    scope="session",
)
def backend(request):
    """The name of a sandbox that was tried and holds."""
    why_not = _works(request.param)
    if request.param == "webassembly":
        assert not why_not, "it needs nothing of the machine"
    elif why_not:
        pytest.skip(why_not)
    return request.param


@pytest.fixture
def start(backend):
    """Starts a session in the sandbox; ends it after the test."""
    sessions = []

    def start(tools=None, packages=(), **limits):
        sessions.append(BACKENDS[backend](tools or {}, SandboxLimits(**limits), packages))
        return sessions[-1]

    yield start
    for session in sessions:
        session.close()
