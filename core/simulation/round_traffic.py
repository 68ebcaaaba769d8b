"""Counts what the peers of a simulated round pass beside its parts, by the sizes of real records and messages."""

from collections.abc import Sequence
from functools import cache

import msgpack
from hivemind.proto import averaging_pb2

from core.run.control_traffic import BEAT_BYTES, CALL_BYTES, OVERHEAD, SIGNED_BYTES
from core.simulation.board import SimulatedBoard
from core.simulation.group import SimulatedGroup, SimulatedStep
from core.simulation.line import SimulatedLine
from core.swarm.averaging.matchmaking import LOOK_SECONDS
from core.swarm.combining.orders import pack_order
from core.swarm.combining.plan import PassagePlan, neighbours
from core.swarm.rounds.combination import GroupTrees, ReducedGroup
from core.swarm.wire.group_records import GROUP_BYTES, GROUP_ID_BYTES, GroupRecord, GroupStage
from core.swarm.wire.records import CommitRecord, Record
from core.swarm.wire.streams import seconds_between_beats

_PEER_BYTES, _DIGEST_BYTES = 34, 32
_DECLARATION_BYTES = len(msgpack.packb((bytes(_PEER_BYTES), True, 0.0)))
"""Bytes of the declaration that a peer looks for a group, which is not signed."""
_STORES_OF_DECLARATION = 2
"""Stores of a peer that may lead a group: it declares so, and takes that back."""


class RoundTraffic:
    """Counts on the lines of peers, and on those of the nodes that keep records."""

    def __init__(self, board: SimulatedBoard) -> None:
        """Count for the nodes of ``board``."""
        self._board = board

    def count_search(self, members: Sequence[SimulatedStep]) -> None:
        """Count how the ``members`` of a group found each other, the first of whom leads it.

        Each looks until there is another one: a leader until the first follower calls it, and the others until there
        is a leader. Then they call it.
        """
        leader, others = members[0], members[1:]
        first = min((step.arrived_at for step in others), default=leader.arrived_at)
        size = OVERHEAD * _group_message_bytes(len(members))
        self._count_looks(leader, first - leader.arrived_at)
        for step in others:
            self._count_looks(step, leader.arrived_at - step.arrived_at)
            step.line.count(sent=CALL_BYTES, received=CALL_BYTES + size)
            leader.line.count(sent=CALL_BYTES + size, received=CALL_BYTES)

    def _count_looks(self, step: SimulatedStep, seconds: float) -> None:
        looks = 1 + int(max(0.0, seconds) / LOOK_SECONDS)
        self._board.count_read(step.line, _DECLARATION_BYTES, looks)
        if step.request.accepts_connections:
            self._board.count_store(step.line, _DECLARATION_BYTES, _STORES_OF_DECLARATION)

    def count_streams(self, group: SimulatedGroup) -> None:
        """Count the calls by which each sender of ``group`` begins to exchange with each of its reducers."""
        for sender, reducer in _streams(group):
            _count_call(sender.line, reducer.line, CALL_BYTES)

    def count_beats(self, group: SimulatedGroup, seconds: float) -> None:
        """Count the signs of life of the reducers of ``group`` in the ``seconds`` in which they hold parts back.

        The head and the other reducers give them to each other as well.
        """
        beats = int(seconds / seconds_between_beats(group.limits.sender_seconds))
        for sender, reducer in _streams(group):
            _count_call(sender.line, reducer.line, beats * BEAT_BYTES)
        head = group.head
        for reducer in group.reducers:
            if reducer is not head:
                _count_call(head.line, reducer.line, CALL_BYTES + 2 * beats * BEAT_BYTES)

    def count_stages(self, group: SimulatedGroup) -> None:
        """Count that the head of ``group`` has announced that it formed, and that it reduced."""
        self._board.count_store(group.head.line, group_record_bytes(0), times=2)

    def count_agreement(self, groups: Sequence[SimulatedGroup], looks: Sequence[int]) -> None:
        """Count the proposal of the first of ``groups``, and the ``looks`` of each head.

        They bring the records of the others, which announce two stages, and the proposal.
        """
        proposal = group_record_bytes(len(groups))
        self._board.count_store(groups[0].head.line, proposal)
        others = 2 * (len(groups) - 1) * group_record_bytes(0)
        for place, (group, times) in enumerate(zip(groups, looks, strict=True)):
            self._board.count_read(group.head.line, others + (proposal if place else 0), times)

    def count_passage(self, groups: Sequence[SimulatedGroup], parts: int) -> None:
        """Count what ``groups`` pass for a number of ``parts`` beside means: questions, orders and calls."""
        trees = GroupTrees(len(groups))
        for position, group in enumerate(groups):
            head = group.head.line
            near = neighbours(len(groups), position)
            for other in near:
                described = OVERHEAD * (_PEER_BYTES * len(groups[other].reducers) + 2 * parts)
                head.count(sent=CALL_BYTES, received=CALL_BYTES + described)
                groups[other].head.line.count(sent=CALL_BYTES + described, received=CALL_BYTES)
            order = OVERHEAD * _order_bytes(len(groups), len(near), len(group.reducers), parts)
            for reducer in group.reducers:
                if reducer is not group.head:
                    head.count(sent=order)
                    reducer.line.count(received=order)
            for below, above in _links(groups, trees, position, parts):
                _count_call(below.line, above.line, CALL_BYTES)

    def count_commit_read(self, line: SimulatedLine, new_records: int) -> None:
        """Count a look for commits on the ``line`` of a peer, which brings a number of ``new_records``."""
        self._board.count_whole_read(line, new_records * commit_record_bytes())

    def count_commit(self, line: SimulatedLine) -> None:
        """Count on the ``line`` of a peer that it has stored a commit."""
        self._board.count_store(line, commit_record_bytes())


def _streams(group: SimulatedGroup) -> list[tuple[SimulatedStep, SimulatedStep]]:
    """Return each pair of a sender of ``group`` that is there and a reducer of another peer."""
    present = [step for index, step in enumerate(group.members) if step.sends and index not in group.gone]
    return [(sender, reducer) for sender in present for reducer in group.reducers if reducer is not sender]


def _links(
    groups: Sequence[SimulatedGroup], trees: GroupTrees, position: int, parts: int
) -> set[tuple[SimulatedStep, SimulatedStep]]:
    """Return the reducers of the group at ``position``, each with one above it to which it sends means."""
    own, found = groups[position], set[tuple[SimulatedStep, SimulatedStep]]()
    for part in range(parts):
        above = trees.above(position, part)
        if above is not None:
            other = groups[above]
            found.add(
                (own.members[own.assignment.owners[part]], other.members[other.assignment.owners[part]])
            )
    return found


def _count_call(one: SimulatedLine, other: SimulatedLine, size: float) -> None:
    """Count ``size`` bytes each way between two lines."""
    one.count(sent=size, received=size)
    other.count(sent=size, received=size)


def _stored_bytes(record: Record) -> int:
    return SIGNED_BYTES + len(msgpack.packb(record.pack()))


@cache
def commit_record_bytes() -> int:
    """Return the bytes of a commit's record with its owner's key and signature."""
    digest = bytes(_DIGEST_BYTES)
    group = bytes(GROUP_ID_BYTES)
    return _stored_bytes(
        CommitRecord(
            epoch=1,
            parent=digest,
            root=digest,
            group=group,
            members=1,
            samples=1.0,
            state=digest,
            attempt=1 << 31,
            signature=bytes(256),
        )
    )


@cache
def group_record_bytes(proposed: int) -> int:
    """Return the bytes of a group's record with a number of ``proposed`` groups, its owner's key and signature."""
    return _stored_bytes(
        GroupRecord(
            peer_id=bytes(_PEER_BYTES),
            epoch=1,
            parent=bytes(_DIGEST_BYTES),
            group=bytes(GROUP_ID_BYTES),
            members=1,
            peers=1,
            stage=GroupStage.REDUCED,
            attempt=1 if proposed else 0,
            proposal=bytes(proposed * GROUP_BYTES),
        )
    )


@cache
def _group_message_bytes(members: int) -> int:
    """Return the bytes of the message by which a leader tells a member of its group, with all ``members``."""
    gathered = msgpack.packb((None, 0, None))
    return int(
        averaging_pb2.MessageFromLeader(
            code=averaging_pb2.BEGIN_ALLREDUCE,
            group_id=bytes(GROUP_ID_BYTES),
            ordered_peer_ids=[bytes(_PEER_BYTES)] * members,
            gathered=[gathered] * members,
        ).ByteSize()
    )


@cache
def _order_bytes(groups: int, near: int, reducers: int, parts: int) -> int:
    """Return the bytes of an order to pass ``parts`` of ``groups``; those ``near`` have a number of ``reducers``."""
    named = [bytes([at]) * _PEER_BYTES for at in range(min(255, reducers))]
    passed = ReducedGroup(bytes(GROUP_ID_BYTES), 1.0, 1, (bytes(_PEER_BYTES),))
    owners = tuple(named[part % len(named)] for part in range(parts))
    plan = PassagePlan(1, (passed,) * groups, 0, dict.fromkeys(range(near), owners))
    return int(pack_order(plan).ByteSize())
