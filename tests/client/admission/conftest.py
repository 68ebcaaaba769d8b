"""A Hub and a coordinator's real gate on loopback, which the tests of a module share, and a peer key."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.admission.peer_key import PeerKey
from tests.gate.served_gate import ServedGate, served_gate
from tests.hub.hub_server import HubServer, running_hub


@pytest.fixture(scope="module")
def long_standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedGate]:
    with running_hub() as hub, served_gate(tmp_path_factory.mktemp("coordinator"), hub) as gate:
        yield gate


@pytest.fixture
def gate(long_standing: ServedGate) -> ServedGate:
    """A gate without the effects of earlier tests, except for its list of members."""
    hub = long_standing.hub
    hub.revocation = True
    hub.openid.claims, hub.openid.echoes_device_nonce = {}, False
    hub.openid.says, hub.openid.answers = {}, {}
    for record in (hub.tokens, hub.refresh_tokens, hub.revoked, hub.asked, long_standing.instead):
        record.clear()
    long_standing.received.clear()
    return long_standing


@pytest.fixture
def hub(gate: ServedGate) -> HubServer:
    return gate.hub


@pytest.fixture(scope="session")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("key") / "identity"
    PeerKey.load_or_create(file)
    return file


@pytest.fixture
def identity(key_file: Path, tmp_path: Path) -> Path:
    """The file of a peer's key, which takes a while to make."""
    (tmp_path / "peer").mkdir()
    return Path(shutil.copyfile(key_file, tmp_path / "peer" / "identity"))
