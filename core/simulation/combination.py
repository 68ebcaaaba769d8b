"""The groups of a simulated place: they wait for each other, combine by the trees of real rounds, and commit once."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.run.control_traffic import OVERHEAD
from core.run.rules import SwarmRules
from core.simulation.board import call_seconds
from core.simulation.engine import EventQueue, ScheduledEvent
from core.simulation.group import SimulatedGroup, record_of
from core.simulation.line import SimulatedLine, longest_round_trip
from core.simulation.round_traffic import RoundTraffic
from core.swarm.combining.agreement import LOOK_SECONDS
from core.swarm.rounds.combination import (
    CombinationLimits,
    ReducedGroup,
    chosen_groups,
    combination_limits,
    combination_loads,
    combination_seconds,
    groups_of_next_attempt,
    late_groups,
    may_others_form,
)
from core.swarm.rounds.partition import Part, RoundLoad

_ROUND_TRIPS_OF_PASSAGE = 3.5
"""Round trips between peers around a passage, beside those of the trees.

Heads ask each other for their reducers (one); they order the passage and are told of its end (one); reducers open
calls to those above (a half); heads order to give (a half), and what is given reaches the members (a half).
"""


@dataclass(frozen=True)
class HeadPace:
    """The times, in seconds, at which the head of a group writes and reads records of groups."""

    reduced_at: float
    """Time at which its group had reduced; it announces that, and looks again and again from then on."""
    store_seconds: float
    look_seconds: float
    settle_seconds: float
    """Seconds for which a proposal stands before this head believes it."""

    @property
    def announced_at(self) -> float:
        """Time from which the others see that its group has reduced."""
        return self.reduced_at + self.store_seconds

    def looks_until(self, time: float) -> int:
        """Return the number of looks up to the first one that begins at ``time`` or later."""
        period = LOOK_SECONDS + self.look_seconds
        return 1 + max(0, math.ceil((time - self.announced_at) / period))

    def sees_at(self, time: float) -> float:
        """Return the time at which this head has seen what was written at ``time``."""
        period = LOOK_SECONDS + self.look_seconds
        return self.announced_at + (self.looks_until(time) - 1) * period + self.look_seconds


@dataclass(frozen=True)
class HeadAgreement:
    """An agreement of heads on one proposal."""

    ends_at: float
    """Time in seconds at which the last of them believes it."""
    looks: tuple[int, ...]
    """Number of the looks of each."""


def agreement_of(heads: Sequence[HeadPace], complete_at: float) -> HeadAgreement:
    """Return the agreement of ``heads``, the first of which proposes.

    ``complete_at`` is the time in seconds from which no other group is waited for.
    """
    proposer = heads[0]
    visible = max(complete_at, *(head.announced_at for head in heads))
    written = proposer.sees_at(visible) + proposer.store_seconds
    others = heads[1:]
    is_late = proposer.store_seconds > proposer.settle_seconds
    settles = proposer.settle_seconds * (2 if is_late else 1)
    believed = [written + settles + proposer.look_seconds]
    believed += [head.sees_at(written) + head.settle_seconds + head.look_seconds for head in others]
    looks = (proposer.looks_until(visible) + 1, *(head.looks_until(written) + 1 for head in others))
    return HeadAgreement(max(believed), looks)


class SimulatedCombination:
    """The groups that have formed at one place, until one commit covers those that have reduced in time.

    The first group to reduce starts the wait for the others. Then the groups agree on who combines, as peers agree on
    a commit, and pass means through the trees. A group of which a reducer is lost or late falls out, and the others
    repeat the passage.
    """

    def __init__(
        self,
        queue: EventQueue,
        parts: Sequence[Part],
        rules: SwarmRules,
        most_groups: int,
        traffic: RoundTraffic,
        look_seconds: Callable[[float], float],
        conclude: Callable[[SimulatedGroup], None],
    ) -> None:
        """Begin without a group.

        Args:
            queue: the events and the clock.
            parts: the parts of the run's rounds, in order.
            rules: the run's rules.
            most_groups: most groups that one commit covers.
            traffic: counts what is passed beside means.
            look_seconds: gives the seconds of a look at a key on a line with that delay in seconds.
            conclude: called with each group that is to commit its record.
        """
        self._queue, self._parts, self._rules = queue, tuple(parts), rules
        self._most_groups, self._conclude = most_groups, conclude
        self._traffic, self._look_seconds = traffic, look_seconds
        self._expected: set[SimulatedGroup] = set()
        self._expected_peers, self._has_ended = 0, False
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Forget the groups that have reduced: none is left of them, and their peers form others."""
        self._formed = {group.id: len(group.members) for group in self._expected}
        self._reduced: dict[bytes, SimulatedGroup] = {}
        self._chosen: tuple[ReducedGroup, ...] = ()
        self._lost: set[bytes] = set()
        self._limits: CombinationLimits | None = None
        self._event: ScheduledEvent | None = None
        self._forming: ScheduledEvent | None = None
        self._attempts, self._repeats = 0, False

    def expect(self, group: SimulatedGroup) -> None:
        """Wait for ``group``, which has formed."""
        self._expected.add(group)
        self._formed[group.id] = len(group.members)
        known = max(step.request.expected_peers for step in group.members)
        self._expected_peers = max(self._expected_peers, known)

    def take(self, group: SimulatedGroup) -> None:
        """Take ``group``, which has reduced inside; one that comes too late commits after the others."""
        self._expected.discard(group)
        self._reduced[group.id] = group
        group.is_combining = True
        if self._may_be_joined(group):
            self._traffic.count_stages(group)
            group.head.stores.append(call_seconds(group.head.line.delay))
        if self._has_ended:
            self._conclude_alone(group)
        elif not self._chosen:
            if self._limits is None:
                self._limits = combination_limits(group.limits, self._rules)
                self._event = self._queue.after(self._limits.wait_seconds, self._decide)
                self._forming = self._queue.after(self._limits.forming_seconds, self._end_forming)
            self._decide_if_complete()

    def needs(self, group: SimulatedGroup, index: int) -> bool:
        """Return true if ``group``, which has reduced, falls out without its member with that ``index``, a reducer.

        It needs its head; and two groups that pass means are the roots of the trees, whose others need all reducers.
        """
        roots = (self._chosen[0].id, self._chosen[-1].id) if len(self._chosen) > 1 else ()
        return group.members[index] is group.head or (group.id in roots and not self._has_ended)

    def _may_be_joined(self, group: SimulatedGroup) -> bool:
        """Return true if the head of ``group`` expects others, and announces it."""
        known = max(step.request.expected_peers for step in group.members)
        return may_others_form(known, [len(group.members)], self._most_groups)

    def lose(self, group: SimulatedGroup) -> None:
        """Continue without ``group``, of which a reducer was lost."""
        self._expected.discard(group)
        self._reduced.pop(group.id, None)
        self._formed.pop(group.id, None)  # its peers may form another one
        group.is_combining = False
        if self._has_ended:
            return
        if any(item.id == group.id for item in self._chosen):
            assert self._limits is not None
            self._lost.add(group.id)
            self._repeat_after(self._limits.silence_seconds)
        elif not self._chosen:
            self._decide_if_complete()

    def _end_forming(self) -> None:
        self._forming = None
        self._decide_if_complete()

    def _decide_if_complete(self) -> None:
        lacks = may_others_form(self._expected_peers, tuple(self._formed.values()), self._most_groups)
        if self._reduced and not self._expected and not (lacks and self._forming is not None):
            self._decide()

    def _decide(self) -> None:
        """Choose the groups that combine of those that have reduced by now."""
        self._cancel()
        if self._forming is not None:
            self._forming.cancel()
        if not self._reduced:
            self._begin_anew()
            return
        self._begin(chosen_groups((group.reduced for group in self._reduced.values()), self._most_groups))

    def _begin(self, groups: tuple[ReducedGroup, ...]) -> None:
        """Pass the means of ``groups`` through the trees; one group alone has nothing to pass."""
        self._chosen = groups
        if len(groups) < 2:
            self._end()
            return
        assert self._limits is not None
        self._attempts += 1
        together, now = [self._reduced[item.id] for item in groups], self._queue.now()
        agreement = agreement_of([self._pace(group) for group in together], now)
        self._traffic.count_agreement(together, agreement.looks)
        self._traffic.count_passage(together, len(self._parts))
        agreed = agreement.ends_at - now + _ROUND_TRIPS_OF_PASSAGE * _round_trip(together)
        lines = self._lines()
        for reducer, load in combination_loads(groups, self._parts).items():
            lines[reducer].count(sent=OVERHEAD * load.sent, received=OVERHEAD * load.received)
        seconds = combination_seconds(groups, self._parts, lambda name, load: _seconds(lines[name], load))
        late = late_groups(groups, seconds, self._limits.attempt_seconds)
        self._lost |= late
        if late:
            self._repeat_after(agreed + self._limits.attempt_seconds)
        else:
            self._event = self._queue.after(agreed + max(seconds.values()), self._end)

    def _pace(self, group: SimulatedGroup) -> HeadPace:
        """Return how the head of ``group`` looks and writes; after a passage that broke, it begins anew now."""
        delay = group.head.line.delay
        began = group.reduced_at if self._attempts == 1 else self._queue.now()
        return HeadPace(
            began,
            call_seconds(delay),
            self._look_seconds(delay),
            group.limits_of(group.head, self._rules).settle_seconds,
        )

    def _lines(self) -> dict[bytes, SimulatedLine]:
        groups = [self._reduced[item.id] for item in self._chosen]
        return {
            group.name_of(owner): group.members[owner].line
            for group in groups
            for owner in set(group.assignment.owners)
        }

    def _repeat_after(self, seconds: float) -> None:
        """Let the passage fail after ``seconds``, unless it is to fail anyway."""
        if not self._repeats:
            self._cancel()
            self._repeats = True
            self._event = self._queue.after(seconds, self._repeat)

    def _repeat(self) -> None:
        self._repeats = False
        self._begin(groups_of_next_attempt(self._chosen, self._lost, self._attempts))

    def _end(self) -> None:
        """Let the chosen groups commit together, and the others find their commit."""
        if not self._reduced:
            self._begin_anew()
            return
        self._has_ended = True
        if not self._chosen:  # all were late: the first of them commits its own aggregate
            self._chosen = chosen_groups((group.reduced for group in self._reduced.values()), 1)
        together = [self._reduced[item.id] for item in self._chosen]
        for group in together:
            group.record = record_of(together)
        for group in together:
            group.is_combining = False
            if self._may_be_joined(group):
                self._traffic.count_beats(group, self._queue.now() - group.reduced_at)
            self._conclude(group)
        for group in self._reduced.values():
            if group not in together:
                self._conclude_alone(group)

    def _conclude_alone(self, group: SimulatedGroup) -> None:
        group.is_combining, group.record = False, record_of([group])
        self._conclude(group)

    def _cancel(self) -> None:
        if self._event is not None:
            self._event.cancel()
            self._event = None


def _seconds(line: SimulatedLine, load: RoundLoad) -> float:
    return line.seconds_of(load.sent, load.received) + line.delay if load.sent else 0.0


def _round_trip(groups: Sequence[SimulatedGroup]) -> float:
    """Return the longest seconds from the head of the first of ``groups`` to that of another one and back."""
    first, *others = (group.head.line for group in groups)
    return longest_round_trip(first, others)
