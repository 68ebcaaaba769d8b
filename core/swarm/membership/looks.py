"""Publishes a peer's record, and learns of the others: by their records, or in a large swarm by summaries."""

import logging
import math
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import hivemind
from hivemind.utils import get_dht_time

from core.run.look_schedule import SHARD_RENEWAL_SECONDS, STORED_SECONDS
from core.swarm.averaging.ending import answer
from core.swarm.lookup.gossip import pull
from core.swarm.lookup.reader import KeyLook
from core.swarm.lookup.reading import exchange
from core.swarm.membership.cohorts import cohorts_in, others_in, scaled
from core.swarm.membership.deputies import DEPUTY_RULES, DeputyRules, can_sign
from core.swarm.membership.level_search import UnshardedSwarm
from core.swarm.membership.majority import leading_place
from core.swarm.membership.summary_choice import FollowedCommits, SummaryAsker, SummaryChoice
from core.swarm.membership.swarm_view import present_in, timely
from core.swarm.neighbours import entrances
from core.swarm.wire.identity import peer_id_of
from core.swarm.wire.own_certificate import OPEN_RUN, OwnCertificate
from core.swarm.wire.records import ProgressRecord, bounded, parse_all
from core.swarm.wire.summaries import shard_keys, shard_of

_log = logging.getLogger(__name__)

_SAMPLE_SECONDS = 120.0
"""Seconds between two readings of a shard without a summary: 32 records in that time are 0.4 kB/s."""
_CHECK_SECONDS = 600.0
"""Seconds, on average, between two readings of a shard by which a peer checks the summaries."""
_FIRST_CHECK_SECONDS = 120.0
"""Seconds to the first check of deputies, and between two until one is believed: a shard in that time is 0.4 kB/s."""
_SURPRISE_SECONDS = 120.0
"""Seconds, at least, between two checks of a deputy by which the others are where this peer never was."""
_SHARDS_REMEMBERED = 8
_RECORDS_REMEMBERED = 4


@dataclass(frozen=True)
class SwarmLook:
    """The others as one look has found them."""

    others: Sequence[ProgressRecord]
    """Their records, whatever their own time, or the cohorts of a summary."""
    is_answered: bool
    """False if no node answered, although others are known."""
    is_summary: bool
    """True if the records are cohorts, each of which stands for many peers."""


class SwarmLooks:
    """The looks of one peer at its swarm; `look` is called by one thread, and waits for the DHT's process."""

    def __init__(
        self,
        dht: "hivemind.DHT",
        prefix: str,
        owner: bytes,
        *,
        answer_seconds: float,
        clock: Callable[[], float] = time.monotonic,
        dht_clock: Callable[[], float] = get_dht_time,
        follows_commits: bool = True,
        chance: random.Random | None = None,
        can_deputise: bool = False,
        rules: DeputyRules = DEPUTY_RULES,
        certificate: OwnCertificate = OPEN_RUN,
    ) -> None:
        """Prepare to look.

        Args:
            dht: a running DHT node of this peer.
            prefix: the run's DHT prefix.
            owner: this peer's owner key, under which its record is stored.
            answer_seconds: seconds after which a call to the DHT's process counts as unanswered.
            clock: gives monotonic seconds.
            dht_clock: gives the DHT time in seconds.
            follows_commits: false for a peer that judges states by what others report: it takes no peer to have
                followed a commit before a summary counts it there.
            chance: draws the shards that are checked.
            can_deputise: true if this peer signs summaries as a deputy; one that does not may be an entrance itself.
            rules: the rules by which deputies are drawn and believed.
            certificate: the certificate of this peer's records.
        """
        self._certificate = certificate
        self._can_deputise, self._follows_commits = can_deputise, follows_commits
        self._dht, self._prefix, self._owner, self._answer_seconds = dht, prefix, owner, answer_seconds
        self._clock, self._dht_clock, self._chance = clock, dht_clock, chance or random.Random()
        self._summaries = SummaryChoice(
            _trusted(dht, owner, can_deputise), prefix, dht_clock=dht_clock, rules=rules
        )
        self._commits, self._asker = FollowedCommits(), SummaryAsker(dht, clock)
        self._unsharded = UnshardedSwarm(
            prefix, self._summaries, rules=rules, clock=clock, dht_clock=dht_clock, chance=self._chance
        )
        self._stored_at = self._sampled_at = -math.inf
        self._check_at, self._had_deputies = self._next_check(_CHECK_SECONDS), False
        self._surprised_at, self._is_surprised = -math.inf, False
        self.is_deputy = False
        """True if this peer is to summarise the swarm, as far as the last look could tell."""
        self._sample: tuple[ProgressRecord, ...] = ()
        self._drawn = deque[Sequence[ProgressRecord]](maxlen=_SHARDS_REMEMBERED)
        self._level = 0
        self._stored = deque[ProgressRecord](maxlen=_RECORDS_REMEMBERED)
        """Records that this peer has published last."""

    @property
    def level(self) -> int:
        """Level at which the record is stored; 0 in a swarm whose records are all read."""
        return self._level

    def look(self, own: ProgressRecord, *, publishes: bool) -> SwarmLook:
        """Publish this peer's record if it is due, and look at the others.

        Raises TimeoutError if the DHT's process does not answer.

        Args:
            own: this peer's record.
            publishes: true to publish now in any case; a look at all records always does.
        """
        self._commits.note(own)
        if self._level == 0:
            self._take(self._asker.answered(self._summaries.admitted))
            look = self._look_at_all(own)
            if look.is_answered:
                self._follow_records(look, own)
            self._note_turn(own, look.is_answered)
            return look if self._level == 0 else self.look(own, publishes=True)
        self._publish_if_due(own, publishes)
        is_answered = self._pull()
        self._note_turn(own, is_answered)
        self._hurry_if_surprised(own)
        self._check_if_due()
        return self._by_summary(own, is_answered)

    def leave(self, own: ProgressRecord, seconds: float) -> None:
        """Publish the last record ``own``, and look at nothing; raise TimeoutError after ``seconds``."""
        answer(self._exchange(self._own_key(own), own, reads=False), seconds)

    def _look_at_all(self, own: ProgressRecord) -> SwarmLook:
        key = shard_keys(self._prefix, 0)[0]
        look: KeyLook = answer(self._exchange(key, own), self._answer_seconds)
        self._stored.append(own)
        return SwarmLook(_records(look, own), look.is_answered, is_summary=False)

    def _follow_records(self, look: SwarmLook, own: ProgressRecord) -> None:
        """Leave level 0 if records show a large swarm that no summary tells of, or draw deputies from its peers."""
        records = [item for item in timely(look.others, self._dht_clock()) if not item.leaving]
        if (key := self._unsharded.search.shard_due()) is not None:
            self._unsharded.search.note_shard(self._read_shard(key))
        self._unsharded.follow([*records, own])
        self._change_level()

    def _note_turn(self, own: ProgressRecord, is_answered: bool) -> None:
        """Note whether this peer is to summarise: not if no other answers, since it would see an empty swarm."""
        self.is_deputy = (
            self._can_deputise and is_answered and can_sign(own) and self._summaries.is_deputy(own.peer_id)
        )

    def _pull(self) -> bool:
        """Ask for a newer summary; return true if a peer answered."""
        values, is_answered = answer(pull(self._dht, self._summaries.admitted), self._answer_seconds)
        self._take(values)
        return bool(is_answered)

    def _take(self, values: Sequence[Any]) -> None:
        if values:
            self._summaries.take(values)
            self._change_level()

    def _change_level(self) -> None:
        if self._summaries.level != self._level:
            self._level = self._summaries.level
            self._stored_at, self._sample = -math.inf, ()
            self._drawn.clear()
            self._unsharded.search.begin()
            _log.info("Records of the swarm lie in %d shards from now on.", 1 << self._level)

    def _publish_if_due(self, own: ProgressRecord, publishes: bool) -> None:
        now = self._clock()
        if not publishes and now - self._stored_at < SHARD_RENEWAL_SECONDS:
            return
        left: KeyLook = answer(self._exchange(self._own_key(own), own, reads=False), self._answer_seconds)
        if left.is_answered:
            self._stored_at = now
        self._stored.append(own)

    def _by_summary(self, own: ProgressRecord, is_answered: bool) -> SwarmLook:
        summary, now = self._summaries.fresh, self._dht_clock()
        if summary is None:
            return self._by_sample(own)
        counted = next((item for item in reversed(self._stored) if item.time <= summary.time), None)
        others = others_in(cohorts_in(summary), own.peer_id, counted)
        if self._follows_commits:
            return SwarmLook(self._commits.applied(others, summary.time, now), is_answered, is_summary=True)
        return SwarmLook(others, is_answered, is_summary=True)

    def _by_sample(self, own: ProgressRecord) -> SwarmLook:
        """SwarmLook at the records of this peer's own shard, as a sample of all."""
        is_answered = True
        if self._clock() - self._sampled_at >= _SAMPLE_SECONDS:
            self._sampled_at = self._clock()
            look: KeyLook = answer(self._exchange(self._own_key(own), own), self._answer_seconds)
            self._sample, is_answered = (
                tuple(timely(_records(look, own), self._dht_clock())),
                look.is_answered,
            )
        return SwarmLook(scaled(self._sample, 1 << self._level), is_answered, is_summary=True)

    def _hurry_if_surprised(self, own: ProgressRecord) -> None:
        """Check a deputy now if by its summary most are at a place at which this peer has never been.

        Such a summary moves all who believe it, and a check before that costs nothing while deputies are honest.
        """
        now, summary = self._clock(), self._summaries.fresh
        if summary is None or not self._summaries.has_deputies or not own.synchronised:
            return
        place = leading_place(cohorts_in(summary))
        is_known = place in {(item.epoch, item.head) for item in (own, *self._stored)}
        if place is not None and not is_known and now - self._surprised_at >= _SURPRISE_SECONDS:
            self._surprised_at, self._is_surprised = now, True

    def _check_if_due(self) -> None:
        """Now and then read a shard that this peer draws, and hold the summaries against what was drawn lately."""
        if self._summaries.has_deputies != self._had_deputies:
            self._had_deputies = not self._had_deputies
            self._drawn.clear()  # by now they may be an hour old
            self._check_at = self._next_check(_FIRST_CHECK_SECONDS if self._had_deputies else _CHECK_SECONDS)
        if self._clock() < self._check_at and not self._is_surprised:
            return
        is_undecided = self._had_deputies and self._summaries.fresh is None
        self._check_at = self._next_check(_FIRST_CHECK_SECONDS if is_undecided else _CHECK_SECONDS)
        drawn = self._chance.sample(shard_keys(self._prefix, self._level), 1 + self._is_surprised)
        self._drawn.extend(map(self._read_shard, drawn))  # two at once have enough records for a judgement
        self._is_surprised = False
        self._summaries.check([record for shard in self._drawn for record in shard], len(self._drawn))
        self._change_level()

    def _read_shard(self, key: str) -> list[ProgressRecord]:
        """Return the records of peers that are there under ``key``, of others and this one."""
        found = answer(self._dht.get(key, latest=True, return_future=True), self._answer_seconds)
        return present_in(found, self._dht_clock())

    def _next_check(self, seconds: float) -> float:
        return self._clock() + self._chance.uniform(0.5, 1.5) * seconds

    def _own_key(self, own: ProgressRecord) -> str:
        return shard_keys(self._prefix, self._level)[shard_of(own.peer_id, self._level)]

    def _exchange(self, key: str, own: ProgressRecord, *, reads: bool = True) -> Any:
        """Begin to publish a record, and to look at the others' under the same key; returns a future of the look."""
        now = self._dht_clock()
        record, expires = self._certificate.on(own, now=now, until=now + STORED_SECONDS)
        return exchange(self._dht, key, self._owner, bounded(record.pack()), expires, reads=reads)


def _trusted(dht: "hivemind.DHT", owner: bytes, can_deputise: bool) -> frozenset[bytes]:
    """Return the ids of the peers whose summaries count; a peer that is no deputy may be one of them."""
    own = None if can_deputise else peer_id_of(owner)
    return frozenset(peer.to_bytes() for peer in (*entrances(dht), own) if peer is not None)


def _records(look: KeyLook, own: ProgressRecord) -> list[ProgressRecord]:
    """Return the others' records in ``look``, whatever their own time, without that of this peer."""
    records = parse_all(ProgressRecord, look.found.value if look.found else None).values()
    return [record for record in records if record.peer_id != own.peer_id]
