"""A simulated round's bytes beside its parts are those of real records and messages, on the lines that pass them."""

import msgpack
import pytest
from hivemind.p2p import PeerID

from core.run.control_traffic import BEAT_BYTES, CALL_BYTES, SIGNED_BYTES
from core.simulation.board import SimulatedBoard, call_seconds
from core.simulation.engine import EventQueue
from core.simulation.group import SimulatedGroup, SimulatedStep
from core.simulation.line import SimulatedLine
from core.simulation.round_traffic import RoundTraffic, commit_record_bytes, group_record_bytes
from core.swarm.rounds.assignment import MemberAnnouncement, assignment_of
from core.swarm.rounds.combination import ReducedGroup
from core.swarm.rounds.group_list import pack_groups
from core.swarm.rounds.round import RoundRequest
from core.swarm.state.run_schema import parts_of_run
from core.swarm.wire.group_records import GroupRecord, GroupStage
from core.swarm.wire.limits import Observations, derive
from core.swarm.wire.streams import seconds_between_beats
from tests.core.simulation.worlds import training
from tests.core.swarm.builders import peer_bytes

RULES = training().swarm
LIMITS = derive(RULES, Observations())
PARTS = parts_of_run(training())


def line() -> SimulatedLine:
    return SimulatedLine(1e6, 1e6, 0.05)


def step(*, reduces: bool = True, arrived_at: float = 0.0) -> SimulatedStep:
    request = RoundRequest(0, bytes(32), 3, LIMITS, 60.0, 0.0, accepts_connections=reduces)
    made = SimulatedStep(
        request,
        line(),
        PeerID(peer_bytes(1)),
        sends=True,
        notify=lambda: None,
        trigger=lambda own: None,
        cancel=lambda own: None,
    )
    made.arrived_at = arrived_at
    return made


def group(*members: SimulatedStep) -> SimulatedGroup:
    announced = [MemberAnnouncement(sends=True, reduces=item.request.accepts_connections) for item in members]
    return SimulatedGroup(bytes(20), list(members), assignment_of(announced, PARTS, RULES), LIMITS)


def board(keepers: int) -> SimulatedBoard:
    found = SimulatedBoard(EventQueue())
    found.keepers += [line() for _ in range(keepers)]
    return found


def test_a_group_s_record_grows_by_the_groups_that_it_proposes() -> None:
    groups = tuple(ReducedGroup(bytes([at]) * 20, 1.0, 1, (bytes(34),)) for at in range(2))
    proposal = pack_groups(groups)
    record = GroupRecord(
        peer_id=bytes(34),
        epoch=1,
        parent=bytes(32),
        group=bytes(20),
        members=1,
        peers=1,
        stage=GroupStage.REDUCED,
        attempt=1,
        proposal=proposal,
    )
    assert group_record_bytes(2) == SIGNED_BYTES + len(msgpack.packb(record.pack()))
    assert group_record_bytes(2) - group_record_bytes(0) == pytest.approx(len(proposal), abs=2)


@pytest.mark.parametrize(("keepers", "stored", "asked"), [(1, 1, 1), (2, 2, 2), (5, 5, 3), (40, 5, 3)])
def test_a_store_calls_all_nodes_that_keep_a_key_and_a_look_a_majority(
    keepers: int, stored: int, asked: int
) -> None:
    one, other, found = line(), line(), board(keepers)
    found.count_store(one, 1000.0)
    assert (one.sent, one.received) == (stored * (CALL_BYTES + 1000), stored * CALL_BYTES)
    found.count_read(other, 300.0)
    assert (other.sent, other.received) == (asked * CALL_BYTES, asked * CALL_BYTES + 300)
    assert found.look_seconds(0.05) == pytest.approx(asked * call_seconds(0.05))
    assert sum(keeper.received for keeper in found.keepers) == pytest.approx(one.sent + other.sent)


def test_all_nodes_give_the_commits_that_a_peer_lacks() -> None:
    one = line()
    RoundTraffic(board(2)).count_commit_read(one, 3)
    assert (one.sent, one.received) == (2 * CALL_BYTES, 2 * (CALL_BYTES + 3 * commit_record_bytes()))


def test_a_peer_that_cannot_lead_looks_until_there_is_a_leader_and_declares_nothing() -> None:
    leader, client = step(arrived_at=2.1), step(reduces=False, arrived_at=0.0)
    found = board(1)
    RoundTraffic(found).count_search([leader, client])
    looks = 1 + 4  # at once, and twice a second for 2.1 s
    assert client.line.sent == (looks + 1) * CALL_BYTES  # and one call to the leader
    assert leader.line.sent > (1 + 2) * CALL_BYTES  # a look, a declaration, and its end


def test_reducers_that_hold_parts_back_give_signs_of_life_to_the_senders() -> None:
    one, other, client = step(), step(), step(reduces=False)
    formed = group(one, other, client)
    RoundTraffic(board(1)).count_beats(formed, 5.0)
    beats = int(5.0 / seconds_between_beats(LIMITS.sender_seconds))
    assert beats > 5
    assert client.line.sent == 2 * beats * BEAT_BYTES  # it hears both reducers
    of_head = CALL_BYTES + 2 * beats * BEAT_BYTES
    assert one.line.sent == other.line.sent == 3 * beats * BEAT_BYTES + of_head


def test_a_passage_costs_heads_orders_and_reducers_calls() -> None:
    groups = [group(step(), step()) for _ in range(3)]
    RoundTraffic(board(1)).count_passage(groups, len(PARTS))
    assert all(item.line.sent >= CALL_BYTES for formed in groups for item in formed.members)
