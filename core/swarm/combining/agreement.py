"""Lets the heads of an epoch's groups agree which of them combine: they announce, wait, propose, and believe one.

They agree on a proposal as peers agree on a commit (`core.swarm.rounds.commit`): look, write if there is none, wait
longer than a write takes, look again. Heads that still believe different proposals make commits that are rivals, of
which the one with more samples counts.
"""

import asyncio
import contextlib
import hashlib
import logging
import math
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Collection, Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import count

from core.swarm.combining.group_log import GroupLog
from core.swarm.quorum.votes import voice_of
from core.swarm.rounds.combination import (
    CombinationLimits,
    ReducedGroup,
    chosen_groups,
    groups_of_next_attempt,
    may_others_form,
)
from core.swarm.rounds.group_list import pack_groups, unpack_groups
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.group_records import GroupRecord, GroupStage
from core.swarm.wire.records import MOST_MEMBERS

_log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
"""Seconds between two looks of a head for what the others have written."""
_STORES = 2
"""Times that a record is written if nobody stores it: without it, the others go on without the group."""
_MOST_LATE, _LATE_EPOCHS = 1024, 8
_GROUPS_OF_USER, _SHARE_OF_USER = 2, 4
"""Groups of an epoch that peers of one user may head, and the part of all that they may, as a divisor, if it is more.

More are rare by chance, and easily made up.
"""
_TURN = 3
"""Times to settle after which the next head proposes: in that time the one before has written and been seen."""


@dataclass(frozen=True)
class EpochGroups:
    """The groups of one epoch, as their heads' records tell."""

    peers: tuple[int, ...]
    """Number of peers of each group that has formed, reduced or not."""
    are_reducing: bool
    """True if a group that is waited for has formed, and not reduced yet."""
    reduced: tuple[ReducedGroup, ...]


class LateHeads:
    """Users whose groups formed and had not reduced when this peer ended its wait for them, in the last epochs.

    Their groups are not waited for in some epochs, or until one has reduced in time: a head that only says that a
    group has formed would hold up each epoch of the swarm else.
    """

    def __init__(self) -> None:
        """Wait for everybody."""
        self._late: OrderedDict[str, int] = OrderedDict()
        """Epochs in which a user's groups are still not waited for."""

    def __contains__(self, record: object) -> bool:
        return isinstance(record, GroupRecord) and _head_of(record) in self._late

    def note(self, records: Iterable[GroupRecord]) -> None:
        """Note the ``records`` of an epoch as they are when the wait ends."""
        self._late = OrderedDict((head, left - 1) for head, left in self._late.items() if left > 1)
        for record in records:
            if record.stage is GroupStage.REDUCED:
                self._late.pop(_head_of(record), None)
            elif record.stage is GroupStage.FORMED:
                self._late.setdefault(_head_of(record), _LATE_EPOCHS)
        while len(self._late) > _MOST_LATE:
            self._late.popitem(last=False)


def _head_of(record: GroupRecord) -> str:
    return voice_of(record.user, record.peer_id)


def groups_in(
    records: Iterable[GroupRecord],
    most_samples: float = math.inf,
    most_peers: int = MOST_MEMBERS,
    late: Container[GroupRecord] = (),
) -> EpochGroups:
    """Return the groups of ``records``, which are of one epoch; those that have ended are left out.

    A group with more samples than ``most_samples`` a member has not reduced, and one of more than ``most_peers`` has
    not formed: its head claims what cannot be. Of the groups that one user's peers head some count. Those that are
    ``late`` are not waited for.
    """
    live = [
        record for record in records if record.stage is not GroupStage.FAILED and record.peers <= most_peers
    ]
    found, headed = [], Counter[str]()
    for record in sorted(live, key=lambda item: item.peer_id):
        headed[record.user] += 1
        if not record.user or headed[record.user] <= max(_GROUPS_OF_USER, len(live) // _SHARE_OF_USER):
            found.append(record)
    return EpochGroups(
        tuple(item.peers for item in found),
        any(item.stage is GroupStage.FORMED and item not in late for item in found),
        tuple(
            ReducedGroup(item.group, item.samples, item.members, (item.peer_id,), item.contributors)
            for item in found
            if item.stage is GroupStage.REDUCED and 0 < item.samples <= most_samples * item.members
        ),
    )


def believed(records: Iterable[GroupRecord], attempt: int) -> tuple[ReducedGroup, ...]:
    """Return the groups of the proposal for an ``attempt`` that counts among ``records``; none if there is none.

    That with most samples counts, among equals that with the smaller digest. All heads that see the same records
    believe the same one.
    """
    found = dict[bytes, tuple[ReducedGroup, ...]]()
    for record in records:
        if record.attempt == attempt and record.proposal:
            try:
                found[record.proposal] = unpack_groups(record.proposal)
            except MalformedPart as error:
                _log.debug("The proposal of a head makes no sense: %s", error)
    return min(
        found.values(),
        key=lambda groups: (
            -sum(group.samples for group in groups),
            hashlib.sha256(pack_groups(groups)).digest(),
        ),
        default=(),
    )


class GroupAgreement:
    """One head's part in the agreement of one epoch."""

    def __init__(
        self,
        own: GroupRecord,
        log: GroupLog,
        *,
        expected_peers: int,
        most_groups: int,
        most_samples: float = math.inf,
        most_peers: int = MOST_MEMBERS,
        late: LateHeads | None = None,
        limits: CombinationLimits,
        settle_seconds: float,
        is_committed: Callable[[], Awaitable[bool]],
        is_outvoted: Callable[[], bool],
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Prepare to agree.

        Args:
            own: the record of the own group, which has formed.
            log: the records of all groups of the run.
            expected_peers: peers known to be at the epoch.
            most_groups: most groups that one commit covers.
            most_samples: most samples that a member of a group may count for.
            most_peers: most members of a group.
            late: heads that are not waited for, which learns of others; None if all are.
            limits: the patience of groups with each other.
            settle_seconds: seconds that a proposal stands before it is believed.
            is_committed: tells if the epoch has been committed by others.
            is_outvoted: tells, as of the last look for a commit, if others have more votes than the own group, and
                need these.
            clock: gives the present time in seconds; None takes the time of the running event loop.
            sleep: waits for some seconds.
        """
        self._own, self._log, self._expected_peers, self._most_groups = own, log, expected_peers, most_groups
        self._most_samples, self._most_peers, self._late = most_samples, most_peers, late or LateHeads()
        self._limits, self._settle, self._is_committed = limits, settle_seconds, is_committed
        self._is_outvoted, self._sleep = is_outvoted, sleep
        self._clock = clock or asyncio.get_running_loop().time

    async def others_commit(self, seconds: float) -> bool:
        """Return true once the own parts are in vain, and false if ``seconds`` pass without that.

        So they are once others have committed the epoch, or voted for an aggregate that the own group cannot outvote.
        Those others may lack the very votes of this group for the quorum: it must not wait for that.
        """
        began = self._clock()
        while not (await self._is_committed() or self._is_outvoted()):
            if self._clock() - began >= seconds:
                return False
            await self._sleep(LOOK_SECONDS)
        return True

    def may_be_joined(self, members: int) -> bool:
        """Return true if peers are left for another group beside one with a number of ``members``.

        In a small swarm there are none, and nothing is announced: one that forms all the same makes a rival commit.
        """
        return may_others_form(self._expected_peers, [members], self._most_groups)

    async def announce_failure(self) -> None:
        """Tell the other heads that the own group combines with none, for as long as a store mostly takes.

        Nothing depends on it, and the end of the round does not wait for it any longer.
        """
        with contextlib.suppress(Exception):
            async with asyncio.timeout(self._settle):
                await self.announce(GroupStage.FAILED)

    async def announce(
        self, stage: GroupStage, samples: float = 0.0, contributors: bytes = bytes(32)
    ) -> None:
        """Tell the other heads that the own group is at ``stage``, with its samples and contributors once reduced."""
        await self._write(
            self._own.model_copy(update={"stage": stage, "samples": samples, "contributors": contributors})
        )

    async def _write(self, record: GroupRecord) -> float:
        """Write the own ``record``, again if no peer stored it; return the seconds that took."""
        self._own, began = record, self._clock()
        for _ in range(_STORES):
            if await self._log.write(record):
                break
            _log.warning("No peer stored the record of group %s.", record.group.hex()[:8])
            await self._sleep(LOOK_SECONDS)
        return self._clock() - began

    async def _read(self) -> list[GroupRecord]:
        """Return the records of the epoch's groups, with the own one as it is here."""
        here = self._own
        found = {
            item.group: item
            for item in await self._log.read()
            if (item.epoch, item.parent) == (here.epoch, here.parent)
        }
        return list({**found, here.group: here}.values())

    async def first(self) -> tuple[ReducedGroup, ...]:
        """Return the groups of the first passage, once all that formed have reduced or the wait is over.

        The own group may be none of them. It is the only one where there are no others.
        """
        began, ready = self._clock(), None
        while True:
            records, waited = await self._read(), self._clock() - began
            if believed(records, 1):
                return await self._settled(1)
            groups_there = groups_in(records, self._most_samples, self._most_peers, self._late)
            if ready is None and self._is_time(groups_there, waited):
                ready = waited
                self._late.note(records)
            if ready is not None:
                groups = chosen_groups(groups_there.reduced, self._most_groups)
                if len(groups) == 1 and groups[0].id == self._own.group:
                    return groups
                if waited - ready >= self._turn(groups) or waited >= self._limits.wait_seconds:
                    return await self._propose(1, groups)
            await self._sleep(LOOK_SECONDS)

    def _is_time(self, groups: EpochGroups, waited: float) -> bool:
        """Return true if no group is waited for any more, ``waited`` seconds after the own one reduced."""
        lacks = may_others_form(self._expected_peers, groups.peers, self._most_groups)
        waits = groups.are_reducing or (lacks and waited < self._limits.forming_seconds)
        return not waits or waited >= self._limits.wait_seconds

    def _turn(self, groups: Sequence[ReducedGroup]) -> float:
        """Return the seconds after which this head proposes ``groups``, unless one before it has."""
        place = next((at for at, item in enumerate(groups) if item.id == self._own.group), len(groups))
        return _TURN * self._settle * place

    async def again(
        self, groups: Sequence[ReducedGroup], lost: Collection[bytes], attempts: int
    ) -> tuple[ReducedGroup, ...]:
        """Return the groups of the next passage after ``attempts`` that failed; none if others have committed.

        ``groups`` are those of the last passage, of which those whose ids are ``lost`` fall out.
        """
        left = groups_of_next_attempt(groups, lost, attempts)
        if self._own.group not in {item.id for item in left} or await self._is_committed():
            return ()
        if len(left) == 1:
            return left
        began = self._clock()
        for _ in count():
            waited = self._clock() - began
            if believed(await self._read(), attempts + 1):
                return await self._settled(attempts + 1)
            if await self._is_committed() or waited >= self._limits.attempt_seconds:
                return ()
            if waited >= self._turn(left):
                return await self._propose(attempts + 1, left)
            await self._sleep(LOOK_SECONDS)
        raise AssertionError("unreachable")

    async def _propose(self, attempt: int, groups: Sequence[ReducedGroup]) -> tuple[ReducedGroup, ...]:
        seconds = await self._write(
            self._own.model_copy(update={"attempt": attempt, "proposal": pack_groups(groups)})
        )
        if seconds > self._settle:  # others may have looked before our record arrived
            await self._sleep(self._settle)
        return await self._settled(attempt)

    async def _settled(self, attempt: int) -> tuple[ReducedGroup, ...]:
        await self._sleep(self._settle)
        return believed(await self._read(), attempt)
