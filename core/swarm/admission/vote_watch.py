"""Compares all votes that a node is given, so that two of one peer under one number become evidence against its user.

A node keeps one vote of a peer, and of two that end at one moment the first. Who signs two and shows each half of the
peers another one would be seen by no reader, although each look at the swarm meets both: they are compared before.
"""

from collections import OrderedDict, deque
from collections.abc import Mapping
from typing import NamedTuple

import msgpack
from hivemind.dht import DHTID
from hivemind.dht.validation import DHTRecord
from pydantic import ValidationError

from core.swarm.admission.admission import Admission
from core.swarm.evidence.evidence import evidence_of
from core.swarm.quorum.votes import DoubleVote, Vote, contradict, is_signed
from core.swarm.wire.identity import peer_id_of
from core.swarm.wire.record_rules import KeyValidator
from core.swarm.wire.records import CommitRecord, commit_keys

_WRITERS = 2048
_VOTES_OF_WRITER = 8
"""Newest votes of a peer that are remembered, of 0.6 kB each."""


class _GivenVote(NamedTuple):
    """A vote as it was given: its record is read again only where it contradicts another one."""

    epoch: int
    parent: bytes
    attempt: int
    root: bytes
    value: bytes


class VoteWatch(KeyValidator):
    """Refuses nothing, and comes after all rules of records: what it is shown is its writer's, and certified."""

    def __init__(self, prefix: str, admission: Admission) -> None:
        """Watch the votes of the run whose DHT prefix is ``prefix``; ``admission`` takes evidence in."""
        self._prefix, self._admission = prefix, admission
        self._keys = {DHTID.generate(source=key).to_bytes() for key in commit_keys(prefix)}
        self._given: OrderedDict[bytes, deque[_GivenVote]] = OrderedDict()
        """Votes by the owner keys of their writers."""

    @property
    def priority(self) -> int:
        """A number below that of the rules of records, which are asked first."""
        return -1

    def validate(self, record: DHTRecord) -> bool:
        """Return true; note the vote in ``record`` if it is one."""
        if record.key in self._keys:
            self._note(record)
        return True

    @property
    def lasting(self) -> Mapping[bytes, float]:
        """Nothing: the rules of records say when votes end."""
        return {}

    def _note(self, record: DHTRecord) -> None:
        vote = _vote_in(record.subkey, record.value)
        if vote is None or not is_signed(vote.record, self._prefix, vote.owner):
            return
        before = self._given.setdefault(vote.owner, deque(maxlen=_VOTES_OF_WRITER))
        self._given.move_to_end(vote.owner)
        while len(self._given) > _WRITERS:
            self._given.popitem(last=False)
        found = vote.record
        value = msgpack.packb(found.pack())  # without what its writer may have added
        given = _GivenVote(found.epoch, found.parent, found.attempt, found.root, value)
        alike = [other for other in before if other[:3] == given[:3]]
        if given.root not in {other.root for other in alike}:
            before.append(given)
        for other in alike:
            self._compare(_vote_in(record.subkey, other.value), vote)

    def _compare(self, before: Vote | None, vote: Vote) -> None:
        if before is not None and contradict(before, vote):
            evidence = evidence_of(DoubleVote(before, vote), self._prefix)
            if evidence is not None:
                self._admission.convicted.take(evidence.packed)


def _vote_in(subkey: bytes, value: bytes) -> Vote | None:
    """Return the vote in the packed ``value`` under a packed ``subkey``; None if there is none."""
    try:
        owner = msgpack.unpackb(subkey)
        record = CommitRecord.model_validate(msgpack.unpackb(value))
    except (ValueError, TypeError, ValidationError, msgpack.UnpackException):
        return None
    writer = peer_id_of(owner) if isinstance(owner, bytes) else None
    return Vote(writer.to_bytes(), record, owner) if writer is not None else None
