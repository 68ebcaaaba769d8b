"""The commits of a simulated swarm: the votes for them, and what has the quorum as real peers count it."""

from collections import defaultdict
from collections.abc import Callable, Container

from hivemind.p2p import PeerID

from core.run.control_traffic import OVERHEAD
from core.run.rules import SwarmRules
from core.simulation.board import SimulatedVote, SimulatedVotes
from core.simulation.engine import EventQueue
from core.simulation.group import PlaceInChain, SimulatedGroup, SimulatedStep
from core.simulation.line import SimulatedLine
from core.simulation.round_traffic import RoundTraffic
from core.simulation.work import WHOLE
from core.swarm.quorum.electorate import RECENT, UNKNOWN, Electorate
from core.swarm.rounds.combination import seconds_to_commit, seconds_to_commit_of_others
from core.swarm.rounds.round import RoundFailed, RoundOutcome, RoundStatus
from core.swarm.wire.records import COMMIT_SECONDS, CommitRecord


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
        self._believed = set[bytes]()

    def after(
        self,
        place: PlaceInChain,
        electorate: Electorate = UNKNOWN,
        growth: int | None = None,
        *,
        without: Container[bytes] = (),
    ) -> CommitRecord | None:
        """Return the commit that has the quorum now; None if there is none.

        Args:
            place: the place in the chain that it leads from.
            electorate: the users that were present when the round began.
            growth: steps by which the committee of a large swarm may have grown; None for any number of them.
            without: roots whose votes do not count.
        """
        counted = self._counted(place, electorate)
        return self._places[place].decided(counted, growth, self._queue.now(), without=without)

    def may_be_after(
        self, place: PlaceInChain, record: CommitRecord, electorate: Electorate, growth: int
    ) -> bool:
        """Return true if any peer may have seen the quorum for ``record`` (`core.swarm.quorum.decision`).

        Args:
            place: the place in the chain that it leads from.
            record: what a peer has voted for, and has withdrawn.
            electorate: the users that were present when the round began.
            growth: steps by which the committee of a large swarm has grown.
        """
        counted = self._counted(place, electorate)
        found = self._places[place].decided(counted, growth, self._queue.now(), withdrawn=True)
        return found is not None and found.root == record.root

    def applied_by_most(self, place: PlaceInChain, electorate: Electorate) -> CommitRecord | None:
        """Return the record at ``place`` that led to where most of ``electorate`` have gone; None without one."""
        found = self.leading(place)
        return found if found is not None and electorate.gone_to == (place[0] + 1, found.root) else None

    def _counted(self, place: PlaceInChain, electorate: Electorate) -> Electorate:
        return electorate.active(self._last_votes, place[0]) if place[0] >= RECENT else electorate

    def writers_of(self, record: CommitRecord) -> list[PeerID]:
        """Return the peers that voted for ``record``."""
        return self._places[record.epoch, record.parent].writers_of(record.root)

    def believe(self, record: CommitRecord) -> None:
        """Note that a peer goes on from ``record``, which others may do as well."""
        if record.root not in self._believed:
            self._believed.add(record.root)
            self._note("committed", record)

    def is_believed(self, record: CommitRecord) -> bool:
        """Return true if any peer has gone on from ``record``, long ago or not."""
        return record.root in self._believed

    def conclude(self, group: SimulatedGroup, step: SimulatedStep, chosen: CommitRecord) -> None:
        """Let ``step`` of ``group`` end with the commit ``chosen`` once it has what it lacks of it, or fail."""
        if not step.can_have(chosen):
            step.held.doubt(chosen.root)
            step.end(RoundFailed(f"No peer gave the commit of epoch {chosen.epoch}."))
            return
        self.believe(chosen)
        is_ours = group.record is not None and chosen.group == group.record.group
        lacking = 0 if chosen.root in step.held else self._aggregates
        step.line.count(received=OVERHEAD * lacking)
        step.held.keep(chosen.root)
        outcome = _outcome(group, group.members.index(step), chosen, is_ours=is_ours)
        self._queue.after(step.line.seconds_of(0, lacking), lambda: step.end(outcome))

    def look(self, step: SimulatedStep, growth: int) -> CommitRecord | None:
        """Return what `after` returns for ``step``, which looks now; each vote comes to it once.

        Votes for what no peer gave do not count. The committee of a large swarm has grown by ``growth`` steps.
        """
        votes = self._places[step.place]
        self._traffic.count_commit_read(step.line, votes.written - step.commits_known)
        step.commits_known = votes.written
        return self.after(step.place, step.request.electorate, growth, without=step.held.unfounded)

    def leading(self, place: PlaceInChain, without: Container[bytes] = ()) -> CommitRecord | None:
        """Return the record at ``place`` for which most users vote, but none of those ``without`` bytes, by roots."""
        return self._places[place].leading(self._queue.now(), without=without)

    def lags(self, place: PlaceInChain, record: CommitRecord, leading: CommitRecord) -> bool:
        """Return true if fewer users vote at ``place`` for ``record`` than for the ``leading`` one."""
        backed = self._places[place].backing(self._queue.now())
        return backed[record.root] < backed[leading.root]

    def own_vote(self, step: SimulatedStep) -> CommitRecord | None:
        """Return what the peer of ``step`` has last voted for at its place; None if it has not."""
        return self._places[step.place].of(_voice_of(step), step.peer)

    def write(self, record: CommitRecord, step: SimulatedStep) -> None:
        """Store the vote of ``step`` for ``record``."""
        self.add_vote(step.place, _voice_of(step), step.peer, record)

    def add_vote(self, place: PlaceInChain, voice: str, peer: PeerID, record: CommitRecord) -> None:
        """Store the vote of the ``peer`` with a ``voice`` for ``record``, which leads from ``place``."""
        self._places[place].add(voice, SimulatedVote(record, peer, self._queue.now() + COMMIT_SECONDS))
        self._last_votes[voice] = max(record.epoch, self._last_votes.get(voice, 0))

    def withdraw(self, step: SimulatedStep) -> None:
        """Withdraw the vote of ``step``, which it has written."""
        self._places[step.place].withdraw(_voice_of(step))

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


def _voice_of(step: SimulatedStep) -> str:
    return step.request.electorate.own or f"step {id(step)}"


def _outcome(group: SimulatedGroup, index: int, chosen: CommitRecord, *, is_ours: bool) -> RoundOutcome:
    step = group.members[index]
    is_included = is_ours and index in group.contributing
    is_alone = len(group.members) == 1
    is_late = any(earlier.gave_to(chosen.root) for earlier in step.earlier)
    missed = RoundStatus.LEARNT_LATE if is_late else RoundStatus.SUPERSEDED
    return RoundOutcome(
        chosen.epoch,
        chosen.root,
        RoundStatus.AVERAGED if is_ours else missed,
        WHOLE if is_included else frozenset(),
        chosen.samples,
        chosen.members,
        matchmaking_seconds=None if is_alone else step.matched_seconds,
        exchange_seconds=None if is_alone else group.exchange_seconds,
        store_seconds=tuple(step.stores),
        counted=is_included,
    )
