"""The groups of a simulated swarm: how they form and exchange, by the assignments and limits of real ones."""

import hashlib
from collections.abc import Callable, Sequence

from core.run.control_traffic import OVERHEAD
from core.run.rules import SwarmRules
from core.simulation.ballot import SimulatedBallot, begin_ballots
from core.simulation.board import SimulatedBoard
from core.simulation.combination import SimulatedCombination
from core.simulation.commits import SimulatedCommits
from core.simulation.engine import EventQueue, randomness
from core.simulation.group import PlaceInChain, SimulatedGroup, SimulatedStep, nothing_to_commit
from core.simulation.line import longest_round_trip
from core.simulation.round_traffic import RoundTraffic
from core.swarm.averaging.matchmaking import LOOK_SECONDS
from core.swarm.rounds.assignment import MemberAnnouncement, assignment_of
from core.swarm.rounds.combination import (
    may_form_again,
    members_of_group,
)
from core.swarm.rounds.partition import Part, RoundLoad, round_loads
from core.swarm.rounds.round import RoundFailed
from core.swarm.wire.limits import allow_for, delivers_in_time
from core.swarm.wire.records import CommitRecord

_FINDING_SECONDS = LOOK_SECONDS / 2
"""Seconds until a peer that looks for a group finds a leader, on average."""
_EPOCHS_KEPT = 16
"""Epochs for which the groups of a place are known: a group that forms later finds the commit."""
_ROUND_TRIPS_OF_JOINING, _ROUND_TRIPS_OF_EXCHANGE = 3.0, 2.0


class SimulatedRounds:
    """All rounds of a swarm: peers that look for a group, groups that exchange, and the commits."""

    def __init__(
        self,
        queue: EventQueue,
        parts: Sequence[Part],
        rules: SwarmRules,
        board: SimulatedBoard,
        seed: int,
        note: Callable[[str, CommitRecord], None],
        most_groups: int = 1,
    ) -> None:
        """Prepare for the rounds of a run.

        Args:
            queue: the events and the clock.
            parts: the parts of the run's rounds, in order.
            rules: the run's rules.
            board: what counts the bytes of looks and stores.
            seed: decides the order of the members in each group, as leaders draw it.
            note: called with "committed" and the record of each commit when a peer first goes on from it.
            most_groups: most groups that one commit covers; groups do not wait for each other if it is 1.
        """
        self._queue, self._parts, self._rules, self._seed = queue, tuple(parts), rules, seed
        self._most_groups = most_groups
        self._seeking: dict[PlaceInChain, list[SimulatedStep]] = {}
        self._combinations: dict[tuple[int, bytes, bytes], SimulatedCombination] = {}
        self._groups, self._traffic = 0, RoundTraffic(board)
        self._look_seconds = board.look_seconds
        aggregates = sum(part.aggregate_bytes for part in self._parts)
        self.commits = SimulatedCommits(queue, rules, aggregates, self._traffic, note)

    # --- looking for a group ------------------------------------------------------------------------------------

    def seek(self, step: SimulatedStep) -> None:
        """Look for a group for ``step``; a peer that expects no other is a group of its own at once."""
        step.began_at = self._queue.now()
        if step.request.expected_peers <= 1:
            self._form([step])
            return
        joining = _ROUND_TRIPS_OF_JOINING * step.line.delay + _FINDING_SECONDS
        self._queue.after(joining, lambda: self._arrive(step))
        self._queue.after(step.request.timeout_seconds, lambda: self._time_out(step))

    def _arrive(self, step: SimulatedStep) -> None:
        if step.done() or step.is_lost:
            return
        step.arrived_at = self._queue.now()
        self._seeking.setdefault(step.place, []).append(step)
        if step.request.accepts_connections:  # it has declared the end of its window before it looked itself
            ends = step.began_at + step.request.limits.matchmaking_seconds
            self._queue.after(ends - step.arrived_at, lambda: self._close(step))
        self._fill(step.place)

    def _fill(self, place: PlaceInChain) -> None:
        """Form a group at ``place`` if as many are there as its leader waits for."""
        seeking = self._seeking.get(place, [])
        leader = next((step for step in seeking if step.request.accepts_connections), None)
        if leader is not None and len(seeking) >= self._size(leader):
            self._gather(leader)

    def _size(self, leader: SimulatedStep) -> int:
        return members_of_group(leader.request.expected_peers, self._rules, self._most_groups)

    def _close(self, leader: SimulatedStep) -> None:
        """Form a group of those that came, at the end of the leader's window."""
        seeking = self._seeking.get(leader.place, [])
        if leader not in seeking:
            return
        first = next(step for step in seeking if step.request.accepts_connections)
        if first is leader and len(seeking) > 1:
            self._gather(leader)
        elif not leader.done():
            self._queue.after(leader.request.limits.matchmaking_seconds, lambda: self._close(leader))

    def _gather(self, leader: SimulatedStep) -> None:
        seeking = self._seeking[leader.place]
        others = [step for step in seeking if step is not leader][: self._size(leader) - 1]
        chosen = [leader, *others]
        taken = set(chosen)
        left = [step for step in seeking if step not in taken]
        self._seeking[leader.place] = left
        self._form(chosen)
        if left:
            self._fill(leader.place)
        else:
            del self._seeking[leader.place]

    def _time_out(self, step: SimulatedStep) -> None:
        if step.group is None and not step.done():
            self._forget(step)
            step.end(RoundFailed("No group formed in time."))

    def _forget(self, step: SimulatedStep) -> None:
        seeking = self._seeking.get(step.place, [])
        if step in seeking:
            seeking.remove(step)
        if not seeking:
            self._seeking.pop(step.place, None)

    def _form(self, members: list[SimulatedStep]) -> None:
        leader = members[0]
        self._groups += 1
        if len(members) > 1:
            self._traffic.count_search(members)
        randomness(self._seed, "group", self._groups).shuffle(members)
        announced = [
            MemberAnnouncement(sends=step.sends, reduces=step.request.accepts_connections) for step in members
        ]
        try:
            assignment = assignment_of(announced, self._parts, self._rules)
        except RoundFailed as failure:
            for step in members:
                step.end(failure)
            return
        number = hashlib.sha1(f"group {self._groups}".encode()).digest()
        limits = allow_for(leader.request.limits, assignment.seconds, self._rules)  # the leader reduces
        group = SimulatedGroup(number, members, assignment, limits)
        for step in members:
            step.group, step.matched_seconds = group, self._queue.now() - step.began_at
        self._combination(group).expect(group)
        for step in members:
            if step.triggered:
                self.trigger(step)

    # --- exchanging ---------------------------------------------------------------------------------------------

    def trigger(self, step: SimulatedStep) -> None:
        """Let the exchange of the group of ``step`` begin for it; nothing happens before it has a group."""
        group = step.group
        if group is None or step.done():
            return
        step.began_allreduce = True
        if group.has_failed:
            self._give_up(group, [step])
            return
        if group.began_at is None:
            group.began_at = self._queue.now()
            self._queue.after(group.limits.sender_seconds, lambda: self._begin_without(group))
            self._queue.after(group.limits.reducer_seconds, lambda: self._require_reducers(group))
        self._begin_if_complete(group)

    def cancel(self, step: SimulatedStep) -> None:
        """Let ``step`` leave its group, or look for none any more."""
        if step.group is None:
            self._forget(step)
        else:
            self.lose(step)

    def lose(self, step: SimulatedStep) -> None:
        """Note that the peer of ``step`` has left its group or died."""
        group, step.is_lost = step.group, True
        if group is None:
            self._forget(step)
            return
        index = group.members.index(step)
        if index in group.gone or group.has_failed:
            return
        group.gone.add(index)
        if group.is_combining:
            if group.reduces(index) and self._combination(group).needs(group, index):
                self._fail(group)
        elif group.reduces(index) and (not group.runs or group.ending is not None):
            self._fail(group)
        elif group.runs and group.ending is not None and index in group.contributing:
            group.contributing = tuple(item for item in group.contributing if item != index)
            left = max(group.ending.time - self._queue.now(), group.limits.sender_seconds)
            group.ending.cancel()
            group.ending = self._queue.after(left, lambda: self._end_exchange(group))
        elif group.began_at is not None:
            self._begin_if_complete(group)

    def _waited_for(self, group: SimulatedGroup) -> list[int]:
        return [
            index
            for index, step in enumerate(group.members)
            if step.sends and not step.triggered and index not in group.gone
        ]

    def _begin_if_complete(self, group: SimulatedGroup) -> None:
        if not group.runs and not group.has_failed and not self._waited_for(group):
            self._run(group)

    def _begin_without(self, group: SimulatedGroup) -> None:
        """Exchange without the senders that have not begun, unless one of them reduces."""
        if group.runs or group.has_failed or any(map(group.reduces, self._waited_for(group))):
            return
        self._run(group)

    def _require_reducers(self, group: SimulatedGroup) -> None:
        if not group.runs and not group.has_failed:
            self._fail(group)

    def _run(self, group: SimulatedGroup) -> None:
        group.runs = True
        present = [
            index
            for index, step in enumerate(group.members)
            if step.sends and step.triggered and index not in group.gone
        ]
        if not present:
            self._fail(group)
            return
        loads = self._loads(group, present)
        in_time = tuple(index for index in present if self._is_in_time(group, index, loads[index]))
        if len(in_time) < len(present):
            loads = self._loads(group, in_time)
        group.contributing = in_time
        longest = max(self._seconds(group, *each) for each in zip(group.members, loads, strict=True))
        if longest > group.limits.allreduce_seconds or not group.contributing:
            group.ending = None
            self._queue.after(group.limits.allreduce_seconds, lambda: self._fail(group))
            return
        group.ending = self._queue.after(longest, lambda: self._end_exchange(group))

    def _loads(self, group: SimulatedGroup, senders: Sequence[int]) -> Sequence[RoundLoad]:
        return round_loads(self._parts, group.assignment.owners, senders, len(group.members))

    def _seconds(self, group: SimulatedGroup, step: SimulatedStep, load: RoundLoad) -> float:
        if not load.sent and not load.received:
            return 0.0
        trip = longest_round_trip(step.line, [item.line for item in group.reducers])
        return step.line.seconds_of(load.sent, load.received) + _ROUND_TRIPS_OF_EXCHANGE * trip

    def _is_in_time(self, group: SimulatedGroup, index: int, load: RoundLoad) -> bool:
        """Return true if a sender is not left out half-way, as one that others would wait for too long."""
        if group.reduces(index):
            return True
        half, parts = group.limits.half_way_seconds, len(self._parts)
        seconds = self._seconds(group, group.members[index], load)
        delivered = parts if seconds <= half else int(parts * half / seconds)
        return delivers_in_time(delivered, parts - delivered, half, half, group.limits)

    def _fail(self, group: SimulatedGroup) -> None:
        group.has_failed, had_reduced = True, group.is_combining
        self._combination(group).lose(group)
        if group.ending is not None:
            group.ending.cancel()
        steps = [step for step in group.members if step.triggered or not step.sends]
        self._give_up(group, steps, had_reduced=had_reduced)

    def _give_up(
        self, group: SimulatedGroup, steps: Sequence[SimulatedStep], *, had_reduced: bool = False
    ) -> None:
        """Let members of a group that failed form another one, or wait for the commit of others."""
        now = self._queue.now()
        if group.began_at is not None:
            group.exchange_seconds = now - group.began_at
        again = not had_reduced and may_form_again(group.exchange_seconds, group.limits, self._most_groups)
        for step in steps:
            if not step.sends:
                step.end(nothing_to_commit(group, step))
            elif again and self.commits.after(step.place, step.request.electorate) is None:
                step.end(RoundFailed("A reducer was lost, and there is time for another group."))
            else:
                SimulatedBallot(self.commits, group, step, None).begin()  # it votes for what others have

    def _end_exchange(self, group: SimulatedGroup) -> None:
        group.ending = None
        assert group.began_at is not None
        if not group.contributing:
            self._fail(group)
            return
        group.reduced_at = self._queue.now()
        group.exchange_seconds = group.reduced_at - group.began_at
        self._traffic.count_streams(group)
        loads = self._loads(group, group.contributing)
        for index, (step, load) in enumerate(zip(group.members, loads, strict=True)):
            if index not in group.gone:
                step.line.count(sent=OVERHEAD * load.sent, received=OVERHEAD * load.received)
        self._combination(group).take(group)

    def _combination(self, group: SimulatedGroup) -> SimulatedCombination:
        """Return the combination of ``group``: with all groups of its place, or with none if a commit covers one."""
        epoch, head = group.members[0].place
        key = epoch, head, b"" if self._most_groups > 1 else group.id
        if key not in self._combinations:
            old = [item for item in self._combinations if item[0] < epoch - _EPOCHS_KEPT]
            for item in old:
                del self._combinations[item]
            self._combinations[key] = SimulatedCombination(
                self._queue,
                self._parts,
                self._rules,
                self._most_groups,
                self._traffic,
                self._look_seconds,
                self._conclude,
            )
        return self._combinations[key]

    def _conclude(self, group: SimulatedGroup) -> None:
        assert group.began_at is not None
        group.exchange_seconds = (
            self._queue.now() - group.began_at
        )  # a real peer counts the combination as well
        begin_ballots(self.commits, group)
