"""A publisher that does not follow the swarm gives the checkpoint that it offers, and downloads a donor's state."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from coordinator.publisher.offers import Offer
from coordinator.publisher.peer import PublisherPeer
from core.projection import projected
from core.run.manifest import RunManifest
from core.swarm.dht import Network
from core.swarm.projections.sums import SumsQuestion
from core.swarm.state.donors import StateUnavailable
from core.swarm.state.pieces import StateOutline, outline_of
from core.swarm.state.replica import place_of
from core.swarm.state.state import schema_of
from core.swarm.verifying.comparison import difference
from core.swarm.wire.identity import PeerIdentity
from tests.coordinator.publisher.states import state_of
from tests.swarms.tiny_run import write_tiny_run


@pytest.fixture
def manifest(tmp_path: Path) -> RunManifest:
    return RunManifest.load(write_tiny_run(tmp_path / "run"))


@pytest.fixture
def peers(tmp_path: Path, manifest: RunManifest) -> Iterator[tuple[PublisherPeer, PublisherPeer]]:
    """Two on loopback, the second of which has entered by the first."""
    with ExitStack() as ending:
        donor = ending.enter_context(closing(_peer(tmp_path / "donor", manifest)))
        known = tuple(map(str, donor.dht.get_visible_maddrs()))
        yield donor, ending.enter_context(closing(_peer(tmp_path / "other", manifest, known)))


def _peer(identity: Path, manifest: RunManifest, known: tuple[str, ...] = ()) -> PublisherPeer:
    network = Network(("/ip4/127.0.0.1/tcp/0",), known, check_identity=False, upnp=False)
    return PublisherPeer.start(manifest, network, PeerIdentity.load_or_create(identity))


def test_what_one_offers_is_given_to_another_as_it_was_kept(
    peers: tuple[PublisherPeer, PublisherPeer], manifest: RunManifest
) -> None:
    donor, other = peers
    with pytest.raises(StateUnavailable):
        other.download(donor.record().peer_id, lambda outline: None)
    state = state_of(manifest, 10)
    donor.offer(Offer(place_of(state), lambda: state))
    fixed = list[StateOutline]()
    found = other.download(donor.record().peer_id, fixed.append)
    assert [outline.root for outline in fixed] == [place_of(state).state]
    question = SumsQuestion(state.epoch, state.head, bytes(16))
    [answer] = other.ask_sums([donor.record().peer_id], question).values()
    assert answer.sums is not None
    assert (
        difference(projected(state.tensors, bytes(16)), answer.sums, schema_of(state.tensors), 1e-3) is None
    )
    assert outline_of(found) == outline_of(state)
    assert not any((donor.is_following, donor.lost, other.lost))
