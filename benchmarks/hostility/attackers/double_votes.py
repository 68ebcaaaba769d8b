"""Attackers of the vote: two roots under one number, each shown to one half of the peers."""

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

from hivemind.dht import DHTID
from hivemind.p2p import PeerID

from benchmarks.hostility.attackers.attacker import Attacker, replace
from benchmarks.hostility.attackers.record_forger import StoredValue, signed_until
from core.swarm.quorum.votes import Vote, sign_vote
from core.swarm.rounds.commit_log import DHTCommitLog
from core.swarm.wire.records import COMMIT_SECONDS, CommitRecord, commit_key


class DoubleVotes(Attacker):
    """Signs votes for two roots in each attempt, and shows each half of the peers another one (double-votes).

    Both end at one moment, so that neither takes the place of the other where a peer meets it. Peers that compare
    what others keep should have a proof of it, and leave out all computers of its user.
    """

    def prepare(self) -> None:
        """Write two votes in place of one."""
        replace(DHTCommitLog, "_store", lambda store: store_two)


def contrary(record: CommitRecord) -> CommitRecord:
    """Return the vote for another root under the number of ``record``, at the same place; nobody has its bytes."""
    return record.model_copy(update={"root": os.urandom(32), "withdrawn": False, "signature": b""})


async def store_two(log: Any, record: CommitRecord) -> Vote:
    """Sign ``record`` and its contrary, and show each half of the peers of the ``log`` one; return the first."""
    now = log._dht_clock()
    certified, until = log._certificate.on(record, now=now, until=now + COMMIT_SECONDS)
    votes = [sign_vote(item, log._prefix, log._signer) for item in (certified, contrary(certified))]
    key = commit_key(log._prefix, record.epoch)
    values = [signed_until(key, vote, log._signer, until) for vote in votes]
    work = partial(_show_halves, values=values, first=record.attempt % 2)
    await log._dht.run_coroutine(work, return_future=True)
    return Vote(log._signer.peer_id.to_bytes(), votes[0], log._signer.owner)


async def _show_halves(dht: Any, node: Any, *, values: Sequence[StoredValue], first: int) -> None:
    peers = set(node.protocol.routing_table.uid_to_peer_id.values())
    for number, peer in enumerate(halved(peers, first)):
        key, subkey, value, until = values[number % 2]
        await node.protocol.call_store(peer, [DHTID.generate(source=key)], [value], [until], [subkey])


def halved(peers: "set[PeerID]", first: int) -> list[PeerID]:
    """Return ``peers`` so that those at even places are one half and the others the second; ``first`` begins."""
    ordered = sorted(peers, key=PeerID.to_bytes)
    return ordered[first:] + ordered[:first]
