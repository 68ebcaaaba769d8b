"""A simulated peer takes states from the donors that a real one would take them from."""

from concurrent.futures import Future
from dataclasses import dataclass, replace

import pytest
from hivemind.p2p import PeerID

from core.simulation.averaging import SharedWorld, SimulatedAverager
from core.simulation.board import SimulatedBoard
from core.simulation.engine import EventQueue
from core.simulation.line import SimulatedLine
from core.simulation.rounds import SimulatedRounds
from core.simulation.work import place_at
from core.swarm.quorum.electorate import UNKNOWN, Electorate
from core.swarm.rounds.round import QuorumMissed, RoundRequest, RoundStatus
from core.swarm.state.donors import DonorsBusy, StateUnavailable
from core.swarm.state.replica import Place
from core.swarm.state.run_schema import parts_of_run
from core.swarm.state.state import SwarmState
from core.swarm.wire.limits import Observations, derive
from tests.core.simulation.worlds import training
from tests.core.swarm.builders import digest_of, peer_bytes

NEW, OLD = (place_at(epoch, digest_of(str(epoch))) for epoch in (7, 6))
SILENCE = 20.0


@dataclass
class GivingPeer:
    """A peer that holds a state and gives it."""

    place: Place
    averager: SimulatedAverager
    can_be_asked: bool = True
    has_state: bool = True


class GivingPeers:
    """Peers of a tiny run that give their states, by numbers."""

    def __init__(self) -> None:
        rules = training()
        self.queue = EventQueue()
        rounds = SimulatedRounds(
            self.queue,
            parts_of_run(rules),
            rules.swarm,
            SimulatedBoard(self.queue),
            0,
            lambda kind, record: None,
        )
        self.world = SharedWorld(self.queue, rules, rounds)

    def averager(self, number: int, most_readers: int = 4) -> SimulatedAverager:
        line = SimulatedLine(down=1e6, up=1e3, delay=0.05)
        return SimulatedAverager(
            self.world, peer_bytes(number), line, lambda: None, most_readers=most_readers
        )

    def add(self, number: int, place: Place, most_readers: int = 4) -> GivingPeer:
        peer = GivingPeer(place, self.averager(number, most_readers))
        self.world.peers[peer_bytes(number)] = peer
        return peer

    def asked(self, number: int, *donors: int, servers: tuple[int, ...] = ()) -> "Future[SwarmState]":
        """Let peer ``number`` ask ``donors`` for a state."""
        return self.averager(number).download_state(
            [PeerID(peer_bytes(donor)) for donor in donors],
            chunk_seconds=SILENCE,
            servers=frozenset(peer_bytes(server) for server in servers),
        )


@pytest.mark.parametrize(("servers", "epoch"), [((), 7), ((3,), 6)])
def test_the_state_of_a_server_comes_first_though_trainers_are_further(
    servers: tuple[int, ...], epoch: int
) -> None:
    peers = GivingPeers()
    giving = [peers.add(1, NEW), peers.add(2, NEW), peers.add(3, OLD)]
    found = peers.asked(9, 1, 2, 3, servers=servers)
    peers.queue.run(1e6)
    assert found.result().epoch == epoch
    assert [peer.averager.line.sent > 0 for peer in giving] == [epoch == 7, epoch == 7, epoch == 6]


def test_donors_refuse_more_readers_than_they_give_to_and_take_others_later() -> None:
    peers = GivingPeers()
    peers.add(1, NEW, most_readers=2)
    first, second, third = (peers.asked(number, 1) for number in (7, 8, 9))
    peers.queue.run(SILENCE)
    assert isinstance(third.exception(), DonorsBusy)
    assert not first.done()
    peers.queue.run(1e6)
    assert (first.result().epoch, second.result().epoch) == (7, 7)
    again = peers.asked(9, 1)
    peers.queue.run(2e6)
    assert again.result().epoch == 7


def test_who_finds_the_first_donors_busy_takes_another_state() -> None:
    peers = GivingPeers()
    peers.add(1, NEW, most_readers=1)
    peers.add(2, OLD)
    first, second = (peers.asked(number, 1, 2) for number in (8, 9))
    peers.queue.run(1e6)
    assert (first.result().epoch, second.result().epoch) == (7, 6)


def test_a_state_is_lost_with_all_its_donors_alone() -> None:
    peers = GivingPeers()
    staying, leaving = peers.add(1, NEW), peers.add(2, NEW)
    found, lost = peers.asked(8, 1, 2), peers.asked(9, 2)
    leaving.can_be_asked = False
    peers.queue.run(1e6)
    assert found.result().epoch == 7
    assert isinstance(lost.exception(), StateUnavailable)
    assert staying.can_be_asked


def request(electorate: Electorate = UNKNOWN) -> RoundRequest:
    return RoundRequest(
        epoch=6,
        head=OLD.head,
        expected_peers=1,
        limits=derive(training().swarm, Observations()),
        timeout_seconds=10.0,
        started_at=0.0,
        electorate=electorate,
    )


def test_a_commit_is_fetched_from_its_writer_where_no_donor_keeps_it() -> None:
    peers = GivingPeers()
    writer, joining = peers.add(1, OLD), peers.add(2, OLD)
    step = writer.averager.begin(request())
    step.weight = 10.0
    step.allow_allreduce()
    peers.queue.run(100.0)
    assert step.succeeded
    found = peers.averager(9).catch_up(request(), [joining.averager.peer_id])
    peers.queue.run(200.0)
    assert found.result().head == step.result().head


@pytest.mark.parametrize("attends", [True, False])
def test_a_peer_without_a_round_votes_for_what_another_made(attends: bool) -> None:
    peers = GivingPeers()
    busy, idle = peers.add(1, OLD), peers.add(2, OLD)
    users = Electorate(3, frozenset({"busy", "idle", "silent"}), own="busy")
    if attends:
        idle.averager.attend(request(replace(users, own="idle")))
    step = busy.averager.begin(request(users))
    step.weight = 10.0
    step.allow_allreduce()
    peers.queue.run(1_000.0)
    assert step.succeeded is attends


def test_what_missed_the_quorum_can_be_had_and_its_writer_needs_no_bytes() -> None:
    peers = GivingPeers()
    writer = peers.add(1, OLD)
    step = writer.averager.begin(request(Electorate(3, frozenset("abc"), "a")))
    step.weight = 10.0
    step.allow_allreduce()
    peers.queue.run(100.0)
    with pytest.raises(QuorumMissed):
        step.result()
    late, other = (peer.catch_up(request(), []) for peer in (writer.averager, peers.averager(9)))
    received = writer.averager.line.received
    peers.queue.run(200.0)
    assert late.result().standing == RoundStatus.LEARNT_LATE
    assert other.result().standing == RoundStatus.CAUGHT_UP
    assert late.result().head == other.result().head
    assert writer.averager.line.received == received
