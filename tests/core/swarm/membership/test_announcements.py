"""Frames that peers tell each other of: signed, bounded, about their own writer, and heard without waiting."""

import time
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, cast

import hivemind
import pytest

from core.swarm.dht import Network, start_dht
from core.swarm.membership.announcements import FrameAnnouncements
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.own_certificate import OwnCertificate
from core.swarm.wire.records import FRAME_SECONDS, FrameRecord
from tests.core.swarm.builders import identity
from tests.gate.run_gate import RunGate
from tests.moved_clock import MovedClock
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


class RecordingDHT:
    """The stores that a peer asks for."""

    def __init__(self) -> None:
        self.stored: list[tuple[str, float]] = []
        """User and end of each record."""

    def store(self, key: str, *, value: dict[str, Any], expiration_time: float, **_: object) -> None:
        self.stored.append((FrameRecord.model_validate(value).user, expiration_time))


def test_an_announcement_lives_on_with_the_next_token_and_no_longer_than_any() -> None:
    gate, clock, dht = RunGate(), MovedClock(time.time()), RecordingDHT()
    admission = gate.admit(identity(0), "ada", seconds=600)
    began, found = (
        clock.now,
        FrameAnnouncements(cast(Any, dht), PREFIX, identity(0), OwnCertificate(admission), clock),
    )
    found.renew()
    found.announce(20, PARAMETERS, FRAME, 5)
    found.renew()
    admission.renew(gate.token(identity(0), "ada", seconds=900))
    found.renew()
    found.renew()
    clock.now += FRAME_SECONDS
    admission.renew(gate.token(identity(0), "ada", seconds=950))
    found.renew()
    assert [user for user, _ in dht.stored] == ["ada", "ada"]
    assert [round(end - began, -1) for _, end in dht.stored] == [600, 900]
