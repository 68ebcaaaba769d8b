"""Attackers of the commit: epochs of their own, and records of epochs that nobody has made."""

import os
import time
from itertools import count
from typing import Any

from benchmarks.hostility.attackers.attacker import Attacker, again_and_again, replace
from benchmarks.hostility.attackers.record_forger import RecordForger
from core.swarm import collaborative
from core.swarm.own_round import OwnRound
from core.swarm.quorum.votes import sign_vote
from core.swarm.wire.records import COMMIT_SECONDS, CommitRecord, ProgressRecord, commit_key

_CLAIMED_SAMPLES = 90_000_000
_ROOT_SECONDS = 0.4
_attempts = count(int(time.time()))
"""Numbers of attempts, each used once: two roots under one number would be proof against their writer."""


class CommitsAlone(Attacker):
    """Commits each epoch alone after one micro-step, and claims 90 million samples for it (row 1).

    It waits at each place until others have followed it there. A quorum of users should be needed for a commit, and
    no claim of samples should rank one.
    """

    def prepare(self) -> None:
        """Begin a round with no other peer as soon as there is a sample, and count it as very many."""
        replace(collaborative, "seconds_to_round", lambda due: _seconds_while_others_follow)
        replace(OwnRound, "_may_be_alone", lambda may: lambda own, others: True)
        replace(OwnRound, "_counted", lambda counted: lambda own, batch: _CLAIMED_SAMPLES)


def _seconds_while_others_follow(membership: Any, own: ProgressRecord, *given: Any, **named: Any) -> float:
    """Return 0 while others are at the place of ``own``, and infinity until they have followed."""
    return 0.0 if membership.view.at(own) else float("inf")


class RandomRoots(Attacker):
    """Writes a new commit record with a random root every 0.4 s, whose bytes no peer has (row 2).

    A record without the votes of a quorum should count for nothing, and doubts should be by writer.
    """

    trains = False

    def run(self) -> None:
        """Write records for the epoch at which the swarm is."""
        self._forger, self._identity = RecordForger(self.seat), self.seat.identity_of()
        again_and_again(self._write, _ROOT_SECONDS)

    def _write(self) -> None:
        leading = self._forger.leading()
        if leading is not None:
            prefix = self._forger.prefix
            record = unfounded_commit(leading.epoch, leading.head, self._forger.certificate())
            vote = sign_vote(record, prefix, self._identity)
            self._forger.write(commit_key(prefix, leading.epoch), vote, self._identity, COMMIT_SECONDS)


def unfounded_commit(epoch: int, parent: bytes, certificate: bytes) -> CommitRecord:
    """Return a record that commits nothing after ``parent`` at ``epoch``, by the writer with that ``certificate``."""
    fields: dict[str, Any] = {"root": os.urandom(32), "group": os.urandom(20)}
    return CommitRecord(
        epoch=epoch,
        parent=parent,
        attempt=next(_attempts),
        members=16,
        samples=float(_CLAIMED_SAMPLES),
        certificate=certificate,
        **fields,
    )
