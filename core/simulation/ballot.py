"""The course of a simulated peer through a ballot: it votes, looks, and votes again, as real ones do."""

from core.simulation.board import call_seconds
from core.simulation.commits import SimulatedCommits
from core.simulation.group import SimulatedGroup, SimulatedStep, nothing_to_commit
from core.swarm.rounds.commit import (
    GROWTH_SETTLES,
    POLL_GROWTH,
    POLL_SECONDS,
    POLL_SECONDS_AT_LAST,
    TIE_SETTLES,
)
from core.swarm.rounds.round import QuorumMissed, RoundFailed
from core.swarm.wire.records import CommitRecord


def begin_ballots(commits: SimulatedCommits, group: SimulatedGroup) -> None:
    """Let the members of ``group`` vote for its record among all ``commits``; those without samples end."""
    for index, step in enumerate(group.members):
        if index in group.gone:
            continue
        if step.sends and step.triggered:
            SimulatedBallot(commits, group, step, group.record).begin()
        elif not step.sends:
            step.end(nothing_to_commit(group, step))


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
        self._earlier = commits.own_vote(step)
        """The peer's last vote at the place, which it withdraws before it votes for something else."""
        self._since = 0.0
        """Time in seconds of the vote, or at which a peer that lacks parts first saw one."""

    def begin(self) -> None:
        """Vote for the own aggregate, and look until there is a quorum or the time is over."""
        if self._own is not None:
            self._step.held.keep(self._own.root)  # others may ask for it as soon as the vote is out
        if self._own is not None and self._may_vote and self._earlier is None:
            self._store(self._own)
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
        """Vote for ``record``, whose bytes are there; another vote is withdrawn before, or stands."""
        if self._is_gone:
            return
        self._step.held.keep(record.root)
        if self._earlier is None or self._earlier.root == record.root:
            self._store(record)
        else:
            self._commits.count_store(self._step.line)
            self._commits.after_seconds(self._call, lambda: self._withdraw_for(record))

    def _withdraw_for(self, record: CommitRecord) -> None:
        if not self._is_gone:
            self._commits.withdraw(self._step)
            self._commits.after_seconds(self._settle + self._call, lambda: self._vote_again(record))

    def _vote_again(self, record: CommitRecord) -> None:
        """Vote for ``record``, or for what this peer has withdrawn if that may have made a quorum."""
        electorate, earlier = self._step.request.electorate, self._earlier
        if self._is_gone or earlier is None:
            return
        stands = self._commits.may_be_after(self._step.place, earlier, electorate, self._growth)
        self._store(earlier if stands else record)

    def _store(self, record: CommitRecord) -> None:
        self._step.stores.append(self._call)
        self._commits.count_store(self._step.line)

        def written() -> None:
            if not self._is_gone:
                self._commits.write(record, self._step)
                self._step.commits_known += 1
                self._voted = self._earlier = record
                self._since = self._commits.now()
                self._commits.after_seconds(self._call, self._look)

        self._commits.after_seconds(self._call, written)

    def _look(self, pause: float = POLL_SECONDS) -> None:
        if self._is_gone:
            return
        chosen = self._commits.look(self._step, self._growth)
        if chosen is not None:
            self._commits.conclude(self._group, self._step, chosen)
            return
        leading = self._commits.leading(self._step.place, self._step.held.doubted)
        waited = self._commits.now() - self._began
        if waited >= self._commits.longest_seconds(self._group, self._step, is_voted=leading is not None):
            self._step.end(_failure(leading))
            return
        choice = self._choice(leading) if self._may_vote else None
        if choice is None:
            longer = min(POLL_GROWTH * pause, POLL_SECONDS_AT_LAST)
            self._commits.after_seconds(pause + self._call, lambda: self._look(longer))
        else:
            wait = 0.0 if choice.root in self._step.held else self._commits.fetch_seconds(self._step)
            self._commits.after_seconds(wait, lambda: self._vote_if_fetched(choice))

    def _vote_if_fetched(self, record: CommitRecord) -> None:
        if self._step.can_have(record):
            self._vote(record)
        else:
            self._step.held.doubt(record.root)
            self._look()

    def _choice(self, leading: CommitRecord | None) -> CommitRecord | None:
        """Return the record that the peer is to vote for now, as a real one chooses it; None to wait."""
        if self._voted is None and self._own is not None:
            return leading if leading is not None and self._earlier is None else self._own
        if leading is None or (self._voted is not None and self._voted.root == leading.root):
            return None
        self._since = self._since or self._commits.now()
        waits = 1
        if self._voted is not None and not self._commits.lags(self._step.place, self._voted, leading):
            waits = TIE_SETTLES
        return leading if self._commits.now() - self._since >= waits * self._settle else None


def _failure(leading: CommitRecord | None) -> RoundFailed:
    if leading is not None:
        return QuorumMissed("The users that voted for the epoch are not more than half of those present.")
    return RoundFailed("A reducer was lost, and no member of the group had all parts.")
