"""A Hub, and a coordinator whose whole website stands before its gate."""

from collections.abc import Iterator

import pytest

from coordinator.web.app import create_app
from coordinator.web.limits import Rate, Rates
from tests.gate.gate_life import GateOverHttp, running_coordinator
from tests.hub.hub_server import running_hub

_OFTEN = Rate(per_second=1e6, burst=10**6)
UNLIMITED = Rates(
    reading=_OFTEN, searching=_OFTEN, calculating=_OFTEN, joining=_OFTEN, renewing=_OFTEN, downloading=_OFTEN
)


@pytest.fixture(scope="module")
def coordinator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GateOverHttp]:
    """Nobody is slowed down here, and Mia moderates."""
    home = tmp_path_factory.mktemp("home")
    with (
        running_hub() as hub,
        running_coordinator(
            home, hub, moderators=("mia",), app=lambda context: create_app(context, UNLIMITED)
        ) as coordinator,
    ):
        yield coordinator
