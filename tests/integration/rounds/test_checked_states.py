"""A late peer on unlike processors drops a forged state that colluders gave it, and takes a true one: real peers."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import torch
from hivemind.p2p import PeerID

from benchmarks.hostility.attackers.states import forged_state
from core.digest import sketch, sketch_distance
from core.projection import projected
from core.swarm.averaging.averager import GradientAverager
from core.swarm.projections.sums import SumsQuestion
from core.swarm.state.pieces import outline_of
from core.swarm.state.replica import place_of
from core.swarm.state.state import PARAMETERS, SwarmState, schema_of, under
from core.swarm.verifying.comparison import StateTrust, difference
from core.swarm.verifying.held_state import HeldState
from core.swarm.wire.records import ProgressRecord
from tests.core.swarm.builders import progress
from tests.swarms.swarm_peers import LoopbackPeer, LoopbackSwarm, loopback_swarm
from tests.waiting import wait_until

HEAD = b"\5" * 32
VALUES = 50_000
TOLERANCE = 1e-3


def state_on_processor(number: int) -> SwarmState:
    """The swarm's state, with last bits of its own on each kind of processor."""
    draws, bits = torch.Generator().manual_seed(1), torch.Generator().manual_seed(number)
    weights, moments = (torch.randn(VALUES, generator=draws) for _ in range(2))
    weights *= 1 + 1e-6 * torch.randn(VALUES, generator=bits)
    return SwarmState(7, HEAD, {"parameters.w": weights, "optimizer.w.exp_avg": moments})


SCHEMA = schema_of(state_on_processor(0).tensors)


@pytest.fixture
def swarm(tmp_path: Path) -> Iterator[LoopbackSwarm]:
    with loopback_swarm(tmp_path, sizes=(VALUES,)) as made:
        yield made


def add(swarm: LoopbackSwarm, state: SwarmState) -> tuple[LoopbackPeer, ProgressRecord]:
    """A peer that gives ``state``, and its record."""
    peer, place = swarm.add(state_schema=SCHEMA), place_of(state)
    peer.averager.serve_state(lambda: state)
    record = progress(
        peer_id=peer.averager.peer_id.to_bytes(),
        epoch=7,
        head=HEAD,
        sketch=list(place.sketch),
        state=place.state,
    )
    return peer, record


def download(late: GradientAverager, donors: Sequence[LoopbackPeer]) -> SwarmState:
    asked = late.download_state([donor.averager.peer_id for donor in donors], chunk_seconds=10.0)
    return late.received_state(asked.result(timeout=60))


def checked(late: GradientAverager, state: SwarmState, records: Sequence[ProgressRecord]) -> StateTrust:
    held = HeldState(late, lambda: state, TOLERANCE)
    held.taken()
    place = place_of(state)

    def has_ended() -> bool:
        held.look(place, records)
        return not held.holds_up

    wait_until(has_ended, "the check never ends")
    held.close()
    return held.trust


def is_near(state: SwarmState, other: SwarmState) -> bool:
    """True if the public sketches of the parameters are those of one state on unlike processors."""
    sketches = [sketch(under(PARAMETERS, item.tensors)) for item in (state, other)]
    return sketch_distance(*sketches) < TOLERANCE


def test_a_state_of_colluders_with_the_swarm_s_public_sketch_is_dropped_for_a_true_one(
    swarm: LoopbackSwarm,
) -> None:
    """Two of five users agree on a random model, so that it is the only state that several users name."""
    forged = forged_state(state_on_processor(0))
    assert is_near(forged, state_on_processor(0)), "the public sketch shows nothing"
    found = [add(swarm, state) for state in (forged, forged, *map(state_on_processor, (1, 2, 3)))]
    peers, records = [peer for peer, _ in found], [record for _, record in found]
    late = swarm.add(state_schema=SCHEMA).averager
    first = download(late, peers)
    assert outline_of(first).root == outline_of(forged).root
    assert checked(late, first, records) is StateTrust.REFUSED
    second = download(late, peers)
    assert any(outline_of(second).root == record.state for record in records[2:])
    assert checked(late, second, records) is StateTrust.CONFIRMED


def test_forged_moments_are_dropped_beside_true_parameters(swarm: LoopbackSwarm) -> None:
    forged = state_on_processor(0)
    forged.tensors["optimizer.w.exp_avg"] = -forged.tensors["optimizer.w.exp_avg"]
    found = [add(swarm, state) for state in (forged, *map(state_on_processor, (1, 2)))]
    late = swarm.add(state_schema=SCHEMA).averager
    assert checked(late, download(late, [found[0][0]]), [record for _, record in found]) is StateTrust.REFUSED


def test_a_peer_elsewhere_says_so_and_one_without_a_state_is_silent(swarm: LoopbackSwarm) -> None:
    (there, _), empty, late = (
        add(swarm, state_on_processor(1)),
        swarm.add(state_schema=SCHEMA),
        swarm.add(state_schema=SCHEMA).averager,
    )
    peers = [there.averager.peer_id.to_bytes(), empty.averager.peer_id.to_bytes()]
    [(peer, answer)] = late.ask_sums(peers, SumsQuestion(8, HEAD, bytes(16))).result(60).items()
    assert (PeerID(peer), answer.epoch, answer.head, answer.sums) == (there.averager.peer_id, 7, HEAD, None)
    [here] = late.ask_sums(peers, SumsQuestion(7, HEAD, bytes(16))).result(60).values()
    own = state_on_processor(2).tensors
    assert here.sums is not None
    assert difference(projected(own, bytes(16)), here.sums, SCHEMA, TOLERANCE) is None


def test_a_projection_and_a_download_at_once_both_come(swarm: LoopbackSwarm) -> None:
    (donor, _), late, other = (
        add(swarm, state_on_processor(1)),
        swarm.add(state_schema=SCHEMA).averager,
        swarm.add(state_schema=SCHEMA).averager,
    )
    question, of = SumsQuestion(7, HEAD, bytes(16)), [donor.averager.peer_id.to_bytes()]
    asked = [late.ask_sums(of, question, seconds=60.0) for _ in range(2)]
    assert outline_of(download(other, [donor])).root == outline_of(state_on_processor(1)).root
    assert all(len(answers.result(60)) == 1 for answers in asked)
