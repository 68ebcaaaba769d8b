"""A group of a simulated round, and the parts that its members take in it."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from hivemind.p2p import PeerID

from core.memory.missed_rounds import LEAST_ROUNDS_KEPT
from core.run.rules import SwarmRules
from core.simulation.engine import ScheduledEvent
from core.simulation.line import SimulatedLine
from core.swarm.quorum.vote_book import DOUBTS
from core.swarm.rounds.assignment import RoundAssignment
from core.swarm.rounds.combination import ReducedGroup, combined_id
from core.swarm.rounds.commit import root_of
from core.swarm.rounds.round import NothingToCommit, RoundFailed, RoundOutcome, RoundRequest
from core.swarm.wire.limits import TimeLimits, allow_for
from core.swarm.wire.records import CommitRecord

PlaceInChain = tuple[int, bytes]
"""Epoch and head at which peers look for a group."""


class HeldRounds:
    """The newest rounds whose bytes a simulated peer holds, and gives to others, by their roots."""

    def __init__(self, most: int = LEAST_ROUNDS_KEPT) -> None:
        """Begin without a round; ``most`` of them are kept."""
        self._roots = deque[bytes](maxlen=most)
        self._doubts = Counter[bytes]()

    def __contains__(self, root: bytes) -> bool:
        return root in self._roots

    def keep(self, root: bytes) -> None:
        """Keep the round ``root`` for others, for a while."""
        if root not in self._roots:
            self._roots.append(root)

    def doubt(self, root: bytes) -> None:
        """Note that no peer gave the bytes of ``root``."""
        self._doubts[root] += 1

    @property
    def doubted(self) -> frozenset[bytes]:
        """The roots that were doubted, for which this peer does not vote."""
        return frozenset(self._doubts)

    @property
    def unfounded(self) -> frozenset[bytes]:
        """The roots that were doubted so often that the votes for them do not count any more."""
        return frozenset(root for root, doubts in self._doubts.items() if doubts >= DOUBTS)


class SimulatedStep:
    """A peer's part in a round, from the look for a group to the outcome, as its trainer sees it."""

    def __init__(
        self,
        request: RoundRequest,
        line: SimulatedLine,
        peer: PeerID,
        *,
        sends: bool,
        notify: Callable[[], object],
        trigger: Callable[["SimulatedStep"], None],
        cancel: Callable[["SimulatedStep"], None],
        held: HeldRounds | None = None,
        earlier: Iterable["SimulatedStep"] = (),
        is_given: Callable[[bytes], bool] = lambda root: True,
    ) -> None:
        """Begin the part of a peer.

        Args:
            request: the round, as the peer asked for it.
            line: the peer's line.
            peer: id of the peer.
            sends: false for an auxiliary peer.
            notify: called once the outcome is there.
            trigger: called with this step when the exchange may begin.
            cancel: called with this step when the peer withdraws.
            held: the rounds that the peer holds; None: none yet.
            earlier: the peer's parts in earlier rounds.
            is_given: returns true if any peer gives the bytes of the round with that root now.
        """
        self.is_given = is_given
        self.held = HeldRounds() if held is None else held
        self.earlier = earlier
        self.request, self.line, self.peer, self.sends = request, line, peer, sends
        self.weight, self.triggered, self.began_allreduce = 0.0, False, False
        self.is_lost = False
        """True once the peer has died, so that it joins no group any more."""
        self.group: SimulatedGroup | None = None
        self.began_at = self.arrived_at = self.matched_seconds = 0.0
        self.stores: list[float] = []
        """Seconds that stores of commit records took."""
        self.commits_known = 0
        """Number of commit records of its place that it has read or written."""
        self._notify, self._trigger, self._cancel = notify, trigger, cancel
        self._outcome: RoundOutcome | RoundFailed | None = None

    @property
    def place(self) -> PlaceInChain:
        """Epoch and head at which the group is looked for."""
        return self.request.epoch, self.request.head

    def gave_to(self, root: bytes) -> bool:
        """Return true if the aggregate that ``root`` names has what the peer gave in this part."""
        group = self.group
        if group is None or group.record is None or group.record.root != root:
            return False
        return group.members.index(self) in group.contributing

    def can_have(self, record: CommitRecord) -> bool:
        """Return true if the peer holds the bytes of ``record``, or another peer gives them now."""
        return record.root in self.held or self.is_given(record.root)

    def done(self) -> bool:
        """Return true once there is an outcome."""
        return self._outcome is not None

    @property
    def succeeded(self) -> bool:
        """True if the outcome is a committed epoch."""
        return isinstance(self._outcome, RoundOutcome)

    def result(self) -> RoundOutcome:
        """Return the outcome; raises RoundFailed if there is none."""
        if isinstance(self._outcome, RoundOutcome):
            return self._outcome
        raise self._outcome or RoundFailed("The round is under way.")

    def allow_allreduce(self) -> None:
        """Let the exchange begin, with the samples in ``weight``."""
        if not self.triggered:
            self.triggered = True
            self._trigger(self)

    def cancel(self) -> bool:
        """Leave the group, or stop looking for one; return true."""
        if self._outcome is None:
            self._cancel(self)
            self._outcome = RoundFailed("The round was withdrawn.")
        return True

    def end(self, outcome: RoundOutcome | RoundFailed) -> None:
        """End with the ``outcome``; a step that has ended keeps its first one."""
        if self._outcome is None:
            self._outcome = outcome
            self._notify()


@dataclass(eq=False)
class SimulatedGroup:
    """A group that has formed, and its exchange."""

    id: bytes
    members: list[SimulatedStep]
    assignment: RoundAssignment
    limits: TimeLimits
    """The limits of its leader, which reduces."""
    began_at: float | None = None
    """Time in seconds at which the first member let the exchange begin."""
    gone: set[int] = field(default_factory=set)
    """Indices of the members that left or died."""
    contributing: tuple[int, ...] = ()
    """Indices of the members whose samples are in the exchange, once it runs."""
    has_failed: bool = False
    runs: bool = False
    ending: ScheduledEvent | None = None
    exchange_seconds: float = 0.0
    """Seconds that the exchange took, once it has ended."""
    reduced_at: float = 0.0
    """Time in seconds at which it had reduced all parts inside."""
    is_combining: bool = False
    """True while the group has reduced and waits for what it combines with other groups."""
    record: CommitRecord | None = None
    """Record that commits what the group holds at the end; it may cover other groups as well."""

    def limits_of(self, step: SimulatedStep, rules: SwarmRules) -> TimeLimits:
        """Return the limits of the member ``step`` in this group, within the run's ``rules``."""
        return allow_for(step.request.limits, self.assignment.seconds, rules)

    def reduces(self, index: int) -> bool:
        """Return true if the member with that index reduces a part."""
        return index in self.assignment.owners

    @property
    def head(self) -> SimulatedStep:
        """The reducer of the last part, which speaks for the group."""
        return self.members[self.assignment.owners[-1]]

    @cached_property
    def reducers(self) -> tuple[SimulatedStep, ...]:
        """The members that reduce a part, in the order of the group."""
        return tuple(self.members[owner] for owner in sorted(set(self.assignment.owners)))

    @property
    def reduced(self) -> ReducedGroup:
        """The group as others learn of it once it has reduced."""
        samples = sum(self.members[index].weight for index in self.contributing)
        reducers = tuple(self.name_of(owner) for owner in self.assignment.owners)
        return ReducedGroup(self.id, max(1e-9, samples), len(self.contributing), reducers)

    def name_of(self, index: int) -> bytes:
        """Return a name for the member with that index: no other member of any group has it."""
        return self.id + index.to_bytes(2, "big")


def nothing_to_commit(group: SimulatedGroup, step: SimulatedStep) -> NothingToCommit:
    """Return the outcome of a round of an auxiliary peer, which ended in order: that of ``step`` in ``group``."""
    return NothingToCommit("An auxiliary peer has nothing to commit.", group.exchange_seconds, step.stores)


def record_of(groups: Sequence[SimulatedGroup]) -> CommitRecord:
    """Return the record that commits what ``groups`` of one place have reduced, in the order that all share."""
    (epoch, head), reduced = groups[0].members[0].place, [group.reduced for group in groups]
    number = combined_id(reduced)
    return CommitRecord(
        epoch=epoch,
        parent=head,
        root=root_of(epoch, head, number, ()),
        group=number,
        members=sum(group.members for group in reduced),
        samples=sum(group.samples for group in reduced),
    )
