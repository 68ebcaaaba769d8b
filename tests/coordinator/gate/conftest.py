"""A Hub, a coordinator whose gate asks it, and volunteers with machines."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.gate.gate_life import GateOverHttp, GateVolunteer, peer_key, running_coordinator
from tests.hub.hub_server import HubServer, running_hub

Person = Callable[..., GateVolunteer]


class SecondsClock:
    """A clock that goes when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> SecondsClock:
    return SecondsClock()


@pytest.fixture(scope="session")
def key_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


@pytest.fixture
def person(key_folder: Path) -> Person:
    """A user by name, at the machine of that number."""

    def arrive(name: str, machine: int = 0) -> GateVolunteer:
        return GateVolunteer(name, peer_key(key_folder, machine))

    return arrive


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with running_hub() as hub:
        yield hub


@pytest.fixture(scope="module")
def long_standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GateOverHttp]:
    with running_hub() as hub, running_coordinator(tmp_path_factory.mktemp("home"), hub) as coordinator:
        yield coordinator


@pytest.fixture
def standing(long_standing: GateOverHttp) -> Iterator[GateOverHttp]:
    """A coordinator for tests that it survives as it was: they share it."""
    yield long_standing
    long_standing.hub.openid.claims = {}


@pytest.fixture
def coordinator(tmp_path: Path, hub: HubServer) -> Iterator[GateOverHttp]:
    """One that admits anybody who proves who they are."""
    with running_coordinator(tmp_path / "home", hub, moderators=("mia",)) as coordinator:
        yield coordinator
