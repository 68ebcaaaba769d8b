"""Frames that peers tell each other of: signed, bounded, about their own writer, and heard without waiting."""

from collections.abc import Iterator
from hashlib import sha256

import hivemind
import pytest

from core.swarm.dht import Network, start_dht
from core.swarm.membership.announcements import FrameAnnouncements
from core.swarm.wire.identity import PeerIdentity
from tests.waiting import wait_until

PREFIX, TOTAL = "tiny-0123456789abcdef-0", 200
PARAMETERS, FRAME = "ab" * 32, sha256(b"frame").hexdigest()


@pytest.fixture(scope="module")
def peers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[FrameAnnouncements]]:
    """Two peers of a swarm."""
    dhts: list[hivemind.DHT] = []
    found = []
    for name in ("one", "two"):
        identity = PeerIdentity.load_or_create(tmp_path_factory.mktemp("peers") / name)
        initial = tuple(map(str, dhts[0].get_visible_maddrs())) if dhts else ()
        network = Network(initial_peers=initial, check_identity=False)
        dhts.append(start_dht(network, identity, prefix=PREFIX, total_epochs=TOTAL))
        found.append(FrameAnnouncements(dhts[-1], PREFIX, identity))
    yield found
    for dht in dhts:
        dht.shutdown()
        dht.join(5)


def heard(peer: FrameAnnouncements, own: int) -> int:
    """Wait for the swarm's answer, and return its newest epoch."""
    answers: list[int] = []

    def answered() -> bool:
        newest = peer.newest_epoch(own)
        answers.extend([] if newest is None else [newest])
        return bool(answers)

    wait_until(answered, "the swarm does not answer")
    return answers[0]


def test_the_newest_frame_of_any_peer_is_heard_of_up_to_ones_own_epoch(
    peers: list[FrameAnnouncements],
) -> None:
    one, two = peers
    assert heard(two, 100) == 0
    one.announce(20, PARAMETERS, FRAME, 5)
    wait_until(lambda: heard(two, 100) == 20, "it is not heard of")
    two.announce(30, PARAMETERS, FRAME, 5)
    wait_until(lambda: heard(one, 100) == 30, "it is not heard of")
    assert heard(one, 25) == 20, "who claims to be far ahead silences nobody"
