"""The commits of a simulated swarm: members vote, look, and believe what has the quorum, as real ones do."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from hivemind.p2p import PeerID

from core.run.control_traffic import OVERHEAD
from core.run.rules import SwarmRules
from core.simulation.board import call_seconds
from core.simulation.engine import EventQueue
from core.simulation.group import PlaceInChain, SimulatedGroup, SimulatedStep, nothing_to_commit
from core.simulation.line import SimulatedLine
from core.simulation.round_traffic import RoundTraffic
from core.simulation.work import WHOLE
from core.swarm.quorum.electorate import RECENT, UNKNOWN, Electorate
from core.swarm.rounds.combination import seconds_to_commit, seconds_to_commit_of_others
from core.swarm.rounds.commit import (
    GROWTH_SETTLES,
    POLL_GROWTH,
    POLL_SECONDS,
    POLL_SECONDS_AT_LAST,
    TIE_SETTLES,
)
from core.swarm.rounds.round import QuorumMissed, RoundFailed, RoundOutcome, RoundStatus
from core.swarm.wire.records import COMMIT_SECONDS, CommitRecord


@dataclass
class SimulatedVotes:
    """The votes at one place of the chain, one of each peer: its newest."""

    records: dict[bytes, CommitRecord] = field(default_factory=dict)
    """Records by the roots that any peer voted for."""
    votes: dict[str, tuple[bytes, float]] = field(default_factory=dict)
    """Root for which each voice votes, and the time in seconds at which its vote ends."""
    names: dict[bytes, list[PeerID]] = field(default_factory=dict)
    """Peers that voted for each root."""
    written: int = 0
    """Number of votes that were written."""

    def add(self, voice: str, peer: PeerID, record: CommitRecord, ends: float) -> None:
        """Count the vote of the ``peer`` with a ``voice`` for ``record``, which is kept until ``ends``."""
        self.votes[voice], self.records[record.root] = (record.root, ends), record
        self.names.setdefault(record.root, []).append(peer)
        self.written += 1

    def leading(self, now: float) -> CommitRecord | None:
        """Return the record with most votes at the time ``now``, among equals the one with the smallest root."""
        backed = Counter(root for root, ends in self.votes.values() if ends > now)
        best = min(backed, key=lambda root: (-backed[root], root), default=None)
        return self.records[best] if best is not None else None

    def decided(self, electorate: Electorate, growth: int | None, now: float) -> CommitRecord | None:
        """Return the record that has the quorum as real peers count it; None if there is none.

        Args:
            electorate: the users that were present when the round began.
            growth: steps by which the committee of a large swarm may have grown; None for any number of them.
            now: the present time in seconds.
        """
        found = self.leading(now)
        if found is None:
            return None
        present = {voice: root for voice, (root, ends) in self.votes.items() if ends > now}
        backed = sum(root == found.root for root in present.values())
        most = electorate.most_growth if growth is None else min(growth, electorate.most_growth)
        steps = range(most + 1)
        return (
            found if any(electorate.has_quorum(Fraction(backed), present, step) for step in steps) else None
        )


class SimulatedCommits:
    """All commits of a swarm."""

    def __init__(
        self,
        queue: EventQueue,
        rules: SwarmRules,
        aggregates: int,
        traffic: RoundTraffic,
        note: Callable[[str, CommitRecord], None],
    ) -> None:
        """Begin without a commit.

        Args:
            queue: the events and the clock.
            rules: the run's rules.
            aggregates: bytes of the aggregates of a round.
            traffic: counts looks and stores.
            note: called with "committed" and the record of each commit when a peer first believes it.
        """
        self._queue, self._rules, self._aggregates, self._note = queue, rules, aggregates, note
        self._traffic = traffic
        self._places = defaultdict[PlaceInChain, SimulatedVotes](SimulatedVotes)
        self._last_votes: dict[str, int] = {}
        self._believed: dict[PlaceInChain, CommitRecord] = {}

    def after(
        self, place: PlaceInChain, electorate: Electorate = UNKNOWN, growth: int | None = None
    ) -> CommitRecord | None:
        """Return the commit that has the quorum now; None if there is none.

        Args:
            place: the place in the chain that it leads from.
            electorate: the users that were present when the round began.
            growth: steps by which the committee of a large swarm may have grown; None for any number of them.
        """
        epoch = place[0]
        counted = electorate.active(self._last_votes, epoch) if epoch >= RECENT else electorate
        found = self._places[place].decided(counted, growth, self._queue.now())
        if found is not None and place not in self._believed:
            self._believed[place] = found
            self._note("committed", found)
        return found

    def writers_of(self, record: CommitRecord) -> list[PeerID]:
        """Return the peers that voted for ``record``."""
        return self._places[record.epoch, record.parent].names.get(record.root, [])

    def has_counted(self, record: CommitRecord) -> bool:
        """Return true if ``record`` is the commit that was first believed at its place, long ago or not."""
        believed = self._believed.get((record.epoch, record.parent))
        return believed is not None and believed.root == record.root

    def settle(self, group: SimulatedGroup) -> None:
        """Let the members of ``group`` vote for its record, and those end that have nothing to commit."""
        for index, step in enumerate(group.members):
            if index in group.gone:
                continue
            if step.sends and step.triggered:
                SimulatedBallot(self, group, step, group.record).begin()
            elif not step.sends:
                step.end(nothing_to_commit(group, step))

    def await_other(self, group: SimulatedGroup, step: SimulatedStep) -> None:
        """Let ``step``, of a ``group`` that failed, wait for what others vote for, and vote for it as well."""
        SimulatedBallot(self, group, step, None).begin()

    def conclude(self, group: SimulatedGroup, step: SimulatedStep, chosen: CommitRecord) -> None:
        """Let ``step`` end with the commit ``chosen``, after it has fetched that of another group."""
        is_ours = group.record is not None and chosen.group == group.record.group
        lacking = 0 if is_ours else self._aggregates
        step.line.count(received=OVERHEAD * lacking)
        outcome = _outcome(group, group.members.index(step), chosen, is_ours=is_ours)
        self._queue.after(step.line.seconds_of(0, lacking), lambda: step.end(outcome))

    def look(self, step: SimulatedStep, growth: int) -> CommitRecord | None:
        """Return what `after` returns for ``step``, which looks now; each vote comes to it once.

        The committee of a large swarm has grown by ``growth`` steps.
        """
        votes = self._places[step.place]
        self._traffic.count_commit_read(step.line, votes.written - step.commits_known)
        step.commits_known = votes.written
        return self.after(step.place, step.request.electorate, growth)

    def leading(self, place: PlaceInChain) -> CommitRecord | None:
        """Return the record at ``place`` for which most users vote."""
        return self._places[place].leading(self._queue.now())

    def write(self, record: CommitRecord, step: SimulatedStep) -> None:
        """Store the vote of ``step`` for ``record``."""
        voice = step.request.electorate.own or f"step {id(step)}"
        self.add_vote(step.place, voice, step.peer, record)

    def add_vote(self, place: PlaceInChain, voice: str, peer: PeerID, record: CommitRecord) -> None:
        """Store the vote of the ``peer`` with a ``voice`` for ``record``, which leads from ``place``."""
        self._places[place].add(voice, peer, record, self._queue.now() + COMMIT_SECONDS)
        self._last_votes[voice] = max(record.epoch, self._last_votes.get(voice, 0))

    def count_store(self, line: SimulatedLine) -> None:
        """Count the bytes of a vote on the ``line`` of its writer."""
        self._traffic.count_commit(line)

    def count_look(self, line: SimulatedLine) -> None:
        """Count a look on the ``line`` of a peer that brings no vote."""
        self._traffic.count_commit_read(line, 0)

    def after_seconds(self, seconds: float, call: Callable[[], None]) -> None:
        """Schedule ``call`` after a delay of ``seconds``."""
        self._queue.after(seconds, call)

    def now(self) -> float:
        """Return the time in seconds."""
        return self._queue.now()

    def longest_seconds(self, group: SimulatedGroup, step: SimulatedStep, *, is_voted: bool) -> float:
        """Return the seconds for which ``step``, a member of ``group``, waits for a quorum.

        They are fewer unless ``is_voted``: no peer has voted yet.
        """
        limits, groups = group.limits_of(step, self._rules), self._rules.most_groups
        left = max(0.0, limits.allreduce_seconds + self._rules.combining_seconds - group.exchange_seconds)
        longest = seconds_to_commit(limits) + left
        of_others = seconds_to_commit_of_others(limits, self._rules, groups)
        return longest if is_voted else min(longest, of_others)

    def settle_seconds(self, group: SimulatedGroup, step: SimulatedStep) -> float:
        """Return the seconds after which a vote of ``step``, a member of ``group``, counts as seen by all."""
        return group.limits_of(step, self._rules).settle_seconds

    def fetch_seconds(self, step: SimulatedStep) -> float:
        """Return the seconds in which ``step`` fetches the aggregates of a round."""
        return step.line.seconds_of(0, self._aggregates)


class SimulatedBallot:
    """The course of one peer through a ballot, as `core.swarm.rounds.commit` takes a real one."""

    def __init__(
        self,
        commits: SimulatedCommits,
        group: SimulatedGroup,
        step: SimulatedStep,
        own: CommitRecord | None,
    ) -> None:
        """Prepare a ballot.

        Args:
            commits: all commits of the swarm.
            group: the group of the peer.
            step: the peer's part in the round.
            own: the record of what the peer holds; None if it lacks parts.
        """
        self._commits, self._group, self._step, self._own = commits, group, step, own
        self._call, self._settle = call_seconds(step.line.delay), commits.settle_seconds(group, step)
        self._began = commits.now()
        self._voted: CommitRecord | None = None
        self._since = 0.0
        """Time in seconds of the vote, or at which a peer that lacks parts first saw one."""

    def begin(self) -> None:
        """Vote for the own aggregate, and look until there is a quorum or the time is over."""
        if self._own is not None and self._may_vote:
            self._vote(self._own)
        else:
            self._commits.after_seconds(self._call, self._look)

    @property
    def _growth(self) -> int:
        steps = (self._commits.now() - self._began) / max(GROWTH_SETTLES * self._settle, POLL_SECONDS)
        return min(int(steps), self._step.request.electorate.size.bit_length())

    @property
    def _may_vote(self) -> bool:
        electorate = self._step.request.electorate
        return electorate.draws(self._step.request.head, electorate.own, self._growth)

    @property
    def _is_gone(self) -> bool:
        step = self._step
        return step.done() or step.is_lost or self._group.members.index(step) in self._group.gone

    def _vote(self, record: CommitRecord) -> None:
        self._step.stores.append(self._call)
        self._commits.count_store(self._step.line)

        def written() -> None:
            if not self._is_gone:
                self._commits.write(record, self._step)
                self._step.commits_known += 1
                self._voted, self._since = record, self._commits.now()
                self._commits.after_seconds(self._call, self._look)

        self._commits.after_seconds(self._call, written)

    def _look(self, pause: float = POLL_SECONDS) -> None:
        if self._is_gone:
            return
        chosen = self._commits.look(self._step, self._growth)
        if chosen is not None:
            self._commits.conclude(self._group, self._step, chosen)
            return
        leading = self._commits.leading(self._step.place)
        waited = self._commits.now() - self._began
        if waited >= self._commits.longest_seconds(self._group, self._step, is_voted=leading is not None):
            self._step.end(_failure(leading))
        elif leading is not None and self._turns_to(leading):
            ours = self._own is not None and leading.root == self._own.root
            wait = 0.0 if ours else self._commits.fetch_seconds(self._step)
            if self._voted is not None:  # which is withdrawn before
                wait += self._settle + 2 * self._call
            self._commits.after_seconds(wait, lambda: self._vote_if_needed(leading))
        else:
            longer = min(POLL_GROWTH * pause, POLL_SECONDS_AT_LAST)
            self._commits.after_seconds(pause + self._call, lambda: self._look(longer))

    def _turns_to(self, leading: CommitRecord) -> bool:
        """Return true if the peer is to vote for ``leading`` now."""
        if not self._may_vote or (self._voted is not None and self._voted.root == leading.root):
            return False
        if self._own is not None and self._voted is None:
            return True
        self._since = self._since or self._commits.now()
        return self._commits.now() - self._since >= self._settle * (1 if self._voted is None else TIE_SETTLES)

    def _vote_if_needed(self, record: CommitRecord) -> None:
        if not self._is_gone:
            self._vote(record)


def _failure(leading: CommitRecord | None) -> RoundFailed:
    if leading is not None:
        return QuorumMissed("The users that voted for the epoch are not more than half of those present.")
    return RoundFailed("A reducer was lost, and no member of the group had all parts.")


def _outcome(group: SimulatedGroup, index: int, chosen: CommitRecord, *, is_ours: bool) -> RoundOutcome:
    step = group.members[index]
    is_included = is_ours and index in group.contributing
    is_alone = len(group.members) == 1
    return RoundOutcome(
        chosen.epoch,
        chosen.root,
        RoundStatus.AVERAGED if is_ours else RoundStatus.SUPERSEDED,
        WHOLE if is_included else frozenset(),
        chosen.samples,
        chosen.members,
        matchmaking_seconds=None if is_alone else step.matched_seconds,
        exchange_seconds=None if is_alone else group.exchange_seconds,
        store_seconds=tuple(step.stores),
        counted=is_included,
    )
