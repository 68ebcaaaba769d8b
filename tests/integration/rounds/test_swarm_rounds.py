"""Averaging rounds between real peers: exact where all goes well, and agreed on where it does not."""

import re
import secrets
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
import torch
from hivemind.averaging.control import AveragingStage
from hivemind.utils import get_dht_time

from core.run.encodings import Encoding, TopK, WireFormat
from core.swarm.quorum.electorate import Electorate
from core.swarm.rounds.events import RoundEvent
from core.swarm.rounds.round import RoundFailed, RoundRequest, RoundStatus
from core.swarm.state.state import SwarmState
from tests.core.swarm.builders import digest_of
from tests.swarms.hivemind_locks import locks_held
from tests.swarms.swarm_peers import (
    GENESIS,
    GROUP_SECONDS,
    LIMITS,
    SIZES,
    LoopbackPeer,
    LoopbackSwarm,
    collect_garbage,
    die_at,
    exact_mean,
    loopback_swarm,
    lose_at,
    outcomes,
    parts,
)
from tests.waiting import wait_until

ERRORS: dict[WireFormat, float] = {
    Encoding.FLOAT32: 1e-6,
    Encoding.FLOAT16: 1e-3,
    Encoding.UNIFORM8: 3e-2,
    Encoding.BLOCKWISE8: 3e-2,
    Encoding.BLOCKWISE4: 2.5e-1,
    TopK(chunk=256, kept=256, bits=4): 2e-1,
}
"""Relative errors of an average: that of the encoding, once for what is sent and once for the aggregate."""


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackSwarm]:
    sizes = [*[20_000] * len(ERRORS), *SIZES]
    with loopback_swarm(tmp_path_factory.mktemp("lasting"), sizes=sizes) as made:
        for _ in range(4):
            made.add(encodings=[*ERRORS, *[Encoding.FLOAT16] * len(SIZES)])
        yield made


@pytest.fixture
def peers(lasting: LoopbackSwarm) -> list[LoopbackPeer]:
    """Four whom no test kills or freezes, without what the test before has averaged."""
    for peer in lasting.peers:
        for output in peer.averager.outputs:
            output.zero_()
    return lasting.peers


@pytest.fixture
def head() -> bytes:
    """A branch that no other test is on."""
    return secrets.token_bytes(32)


def assert_agreed(peers: list[LoopbackPeer]) -> None:
    for peer in peers[1:]:
        assert all(map(torch.equal, peer.outputs, peers[0].outputs))


def relative_error(found: torch.Tensor, exact: torch.Tensor) -> float:
    return float((found.double() - exact).norm() / exact.norm())


def test_an_average_equals_the_exact_one_within_its_encoding(peers: list[LoopbackPeer], head: bytes) -> None:
    three = peers[:3]
    found = outcomes([peer.begin(0, head, expected=3) for peer in three])
    assert {item.standing for item in found} == {RoundStatus.AVERAGED}
    assert all(item.included for item in found)
    assert {item.samples for item in found} == {sum(peer.weight for peer in three)}
    assert_agreed(three)
    for average, exact, encoding in zip(three[0].outputs, exact_mean(three), ERRORS, strict=False):
        assert relative_error(average, exact) < ERRORS[encoding]


def test_members_that_began_from_different_states_are_seen(swarm: LoopbackSwarm, log: Path) -> None:
    """They commit the same aggregate: on unlike processors states differ in the last bits."""
    peers = [(swarm.add(), digest_of(word)) for word in ("one", "another")]
    found = outcomes([peer.begin(expected=2, state=state) for peer, state in peers])
    assert found[0].head == found[1].head
    seen = re.findall(r"commit record \w+ was written by (\w+) from (\w+); the state of", log.read_text())
    assert seen
    assert set(seen) <= {(str(peer.averager.peer_id), state.hex()[:8]) for peer, state in peers}


def test_rounds_follow_one_another_along_the_chain(peers: list[LoopbackPeer], head: bytes) -> None:
    for epoch in range(3):
        found = outcomes([peer.begin(epoch, head, expected=2) for peer in peers[:2]])
        assert len({item.head for item in found} | {head}) == 2
        head = found[0].head


def test_peers_of_another_epoch_or_branch_are_never_grouped(peers: list[LoopbackPeer], head: bytes) -> None:
    steps = [
        peers[0].begin(0, head, expected=2, group_seconds=4.0),
        peers[1].begin(1, head, expected=2, group_seconds=4.0),
        peers[2].begin(0, secrets.token_bytes(32), expected=2, group_seconds=4.0),
    ]
    for step in steps:
        with pytest.raises(RoundFailed, match="No group"):
            step.result(timeout=20)


def test_client_mode_and_auxiliary_peers_take_their_parts(swarm: LoopbackSwarm) -> None:
    full, client = swarm.add(), swarm.add(client_mode=True)
    helper = swarm.add(auxiliary=True)
    steps = [peer.begin(expected=3) for peer in (full, client)]
    help_step = helper.begin(expected=3)
    found = outcomes(steps)
    with pytest.raises(RoundFailed, match="auxiliary"):
        help_step.result(timeout=20)
    assert [item.members for item in found] == [2, 2]  # those that contribute
    assert_agreed([full, client])
    assert helper.averager.line.sent > 0
    for index, exact in enumerate(exact_mean([full, client])):
        assert relative_error(full.outputs[index], exact) < 3e-2


def test_no_announced_bandwidth_makes_a_peer_the_only_reducer(swarm: LoopbackSwarm) -> None:
    modest, boastful, quiet = swarm.add(bandwidth=1e6), swarm.add(bandwidth=1e30), swarm.add()
    peers = [modest, boastful, quiet]
    outcomes([peer.begin(expected=3) for peer in peers])
    whole = sum(part.wire_bytes for part in parts())
    sent_by_modest = modest.averager.line.sent
    assert sent_by_modest > whole * 1.2  # its own values to two others, and the share that it reduced to both


def test_a_killed_sender_drops_out_of_what_it_had_not_delivered(swarm: LoopbackSwarm) -> None:
    survivors = [swarm.add(), swarm.add()]
    victim = swarm.add(client_mode=True, observe=die_at(RoundEvent.PART_SENT, 5))
    steps = [peer.begin(expected=3) for peer in [*survivors, victim]]
    found = outcomes(steps[:2], seconds=LIMITS.allreduce_seconds + LIMITS.sender_seconds)
    assert found[0].head == found[1].head
    assert_agreed(survivors)
    with_it, without = exact_mean([*survivors, victim]), exact_mean(survivors)
    included = 0
    for part in parts():
        piece = part.gather(survivors[0].outputs)
        errors = [relative_error(piece, part.gather(exact)) for exact in (with_it, without)]
        assert min(errors) < 4e-2  # one or the other, never something between
        included += errors[0] < errors[1]
    assert included < len(parts())


def test_a_killed_reducer_costs_the_round_and_the_next_one_goes_on_without_it(
    swarm: LoopbackSwarm, log: Path
) -> None:
    survivors = [swarm.add(), swarm.add()]
    victim = swarm.add(observe=die_at(RoundEvent.PART_REDUCED, 2))
    limits = replace(LIMITS, reducer_seconds=4.0)
    steps = [peer.begin(expected=3, limits=limits) for peer in [*survivors, victim]]
    for step in steps[:2]:
        with pytest.raises(RoundFailed, match="reducer was lost"):
            step.result(timeout=limits.allreduce_seconds + limits.reducer_seconds + 2)
    found = outcomes([peer.begin(expected=2) for peer in survivors])
    assert f"Reducer {victim.averager.peer_id} did not return" in log.read_text()
    assert found[0].head == found[1].head
    assert_agreed(survivors)
    for index, exact in enumerate(exact_mean(survivors)):
        assert relative_error(survivors[0].outputs[index], exact) < 3e-2


def test_a_lost_last_part_is_fetched_once_the_others_committed(swarm: LoopbackSwarm) -> None:
    lucky = swarm.add()
    # it reduces nothing itself, so that all parts come from the other, the last one included
    unlucky = swarm.add(client_mode=True, observe=lose_at(RoundEvent.PART_RECEIVED, len(parts())))
    found = outcomes([lucky.begin(expected=2), unlucky.begin(expected=2)])
    assert found[0].head == found[1].head
    assert found[0].standing == RoundStatus.AVERAGED
    assert found[1].standing == RoundStatus.COMPLETED
    assert found[1].included
    assert_agreed([lucky, unlucky])


def test_of_two_groups_in_one_epoch_exactly_one_commits(peers: list[LoopbackPeer], head: bytes) -> None:
    # Peers that knew of no others would count the votes of their own group alone, if that is the first to vote.
    present = Electorate(len(peers), frozenset(peer.voice for peer in peers))
    steps = [peer.begin(0, head, expected=2, electorate=replace(present, own=peer.voice)) for peer in peers]
    found = outcomes(steps)
    assert len({item.head for item in found}) == 1
    assert_agreed(peers)
    standings = sorted(item.standing for item in found)
    assert standings == [RoundStatus.AVERAGED] * 2 + [RoundStatus.SUPERSEDED] * 2
    assert [item.included for item in found] == [item.standing == RoundStatus.AVERAGED for item in found]


def test_a_frozen_peer_is_left_out_and_finds_what_was_committed_when_it_thaws(swarm: LoopbackSwarm) -> None:
    awake = [swarm.add(), swarm.add()]
    sleeper = swarm.add(client_mode=True)
    process = psutil.Process(sleeper.averager.pid)
    frozen_step = sleeper.averager.begin(_request(3), weight=5.0)  # in the group, but never told to go on
    steps = [peer.begin(expected=3) for peer in awake]
    while frozen_step.stage == AveragingStage.LOOKING_FOR_GROUP or frozen_step.stage == AveragingStage.IDLE:
        assert not frozen_step.done()
    with locks_held():  # which the others share
        process.send_signal(signal.SIGSTOP)
    found = outcomes(steps)
    process.send_signal(signal.SIGCONT)
    frozen_step.allow_allreduce()
    late = frozen_step.result(timeout=30)
    assert late.head == found[0].head == found[1].head
    assert not late.included
    assert_agreed([*awake, sleeper])


def test_a_peer_that_took_no_part_catches_up_by_the_committed_bytes(
    peers: list[LoopbackPeer], head: bytes
) -> None:
    late = peers[2]
    found = outcomes([peer.begin(0, head, expected=2) for peer in peers[:2]])
    caught_up = late.averager.catch_up(_request(1, head), []).result(timeout=20)
    assert (caught_up.head, caught_up.standing) == (found[0].head, RoundStatus.CAUGHT_UP)
    assert_agreed(peers[:3])


def test_a_repeated_round_finds_that_its_first_attempt_was_committed(
    peers: list[LoopbackPeer], head: bytes
) -> None:
    """Samples that return from a round whose commit its members missed must not count a second time."""
    found = outcomes([peer.begin(0, head, expected=2) for peer in peers[:2]])
    again = outcomes([peer.begin(0, head, expected=3) for peer in peers[:3]])
    late = RoundStatus.LEARNT_LATE
    assert [item.standing for item in again] == [late, late, RoundStatus.SUPERSEDED]
    assert {item.head for item in again} == {item.head for item in found}
    assert not any(item.included for item in again)


def test_what_all_who_knew_it_took_with_them_does_not_stop_the_others(swarm: LoopbackSwarm) -> None:
    survivor = swarm.add()
    gone = [swarm.add(), swarm.add()]
    lost = outcomes([peer.begin(expected=2) for peer in gone])[0]
    with locks_held():
        for peer in gone:
            for process in peer.processes():
                process.kill()
    for _ in range(3):
        with pytest.raises(RoundFailed, match="committed"):
            survivor.begin(expected=1).result(timeout=30)
    assert survivor.begin(expected=1).result(timeout=30).head != lost.head


def test_a_state_is_downloaded_bit_for_bit_from_the_next_donor(peers: list[LoopbackPeer]) -> None:
    liar, donor, late, _ = peers
    moments = torch.tensor([0, 7, 255, 3, 128], dtype=torch.uint8)
    state = SwarmState(4, b"\5" * 32, {"weights": donor.inputs[0], "moments": moments})
    liar.averager.serve_state(lambda: SwarmState(4, b"\5" * 32, {"weights": donor.inputs[0]}))
    donor.averager.serve_state(lambda: state)
    donors = [liar.averager.peer_id, donor.averager.peer_id]
    found = late.averager.received_state(
        late.averager.download_state(donors, chunk_seconds=5.0).result(timeout=30)
    )
    assert (found.epoch, found.head) == (4, b"\5" * 32)
    assert torch.equal(found.tensors["weights"], donor.inputs[0])
    assert torch.equal(found.tensors["moments"], moments)


def _request(expected: int, head: bytes = GENESIS) -> RoundRequest:
    return RoundRequest(0, head, expected, LIMITS, GROUP_SECONDS, get_dht_time() + 1.0)


def test_a_withdrawn_round_ends_whenever_garbage_is_collected(swarm: LoopbackSwarm) -> None:
    one, other = swarm.add(observe=collect_garbage), swarm.add()
    for _ in range(5):  # what a withdrawn round still does waits for the DHT alone
        withdrawn = one.begin(expected=2)
        time.sleep(0.5)
        withdrawn.cancel()
    steps = [peer.begin(expected=2) for peer in (one, other)]
    assert [outcome.members for outcome in outcomes(steps, seconds=90.0)] == [2, 2]


def test_a_member_that_withdraws_refuses_those_that_send_to_it_already(
    swarm: LoopbackSwarm, log: Path
) -> None:
    """Else they wait for it until their limit, and their streams stay with it for ever."""
    sender, leaving = swarm.add(), swarm.add()
    step, withdrawn = (peer.averager.begin(_request(2), weight=1.0) for peer in (sender, leaving))
    waiting = AveragingStage.AWAITING_TRIGGER
    wait_until(lambda: step.stage is waiting and withdrawn.stage is waiting, "no group forms")
    formed = time.monotonic()
    step.allow_allreduce()
    wait_until(
        lambda: leaving.averager.seconds_since_call < time.monotonic() - formed, "the other does not send"
    )
    withdrawn.cancel()
    lost = f"Reducer {leaving.averager.peer_id} did not return"
    wait_until(lambda: lost in log.read_text(), "the other's answer is awaited for ever")
    step.cancel()
    [why] = re.findall(rf"{lost} \d+ of its \d+ parts: (.*)", log.read_text())
    assert why.startswith("A reducer stopped before its last part")
