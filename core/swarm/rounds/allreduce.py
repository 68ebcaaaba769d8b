"""Butterfly all-reduce within one group: each member reduces some parts, and sends its values for the others.

Unlike hivemind's own runner it never fills a gap with local values: what was not received stays missing, and
the caller decides. The aggregate of a part is encoded once, and all members, its reducer included, use those
bytes.
"""

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import torch
from hivemind.p2p import P2PContext, PeerID
from hivemind.proto import averaging_pb2

from core.errors import SwarmError
from core.run.rules import MOST_GROUPS
from core.swarm.aggregation.contributions import PartValues
from core.swarm.aggregation.rule import AggregationRule
from core.swarm.aggregation.weight_caps import are_capped, counts_fairly
from core.swarm.rounds.combination import ReducedGroup, combined_id
from core.swarm.rounds.events import Observer, RoundEvent
from core.swarm.rounds.given_part import GivenPart, given_part
from core.swarm.rounds.group import Group
from core.swarm.rounds.group_list import Contributor, digest_of_contributors
from core.swarm.rounds.losses import ReducerLosses, unpack_culprits
from core.swarm.rounds.own_parts import OwnParts
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import ReducedPart, share_at
from core.swarm.rounds.witness import NoWitness, PartWitness, stated_contribution
from core.swarm.wire.encoding import MalformedPart, encode
from core.swarm.wire.frames import PACE
from core.swarm.wire.limits import TimeLimits
from core.swarm.wire.streams import PeerLost, is_beat, messages
from core.tasks import end_tasks

_log = logging.getLogger(__name__)


class ExchangeFailed(SwarmError):
    """A reducer was lost or broke the protocol before it had sent all of its parts."""


class PartsCombiner(Protocol):
    """A reducer's part in the combination of its group with others (`core.swarm.combining`)."""

    async def run(self) -> None:
        """Combine what was reduced, and have the members given the outcome; returns once they can be."""

    def answer_reducer(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], caller: PeerID
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take the reports in the ``stream`` of the ``caller``, a reducer of the own group; answer with orders."""

    def answer_group(
        self,
        first: averaging_pb2.AveragingData,
        stream: AsyncIterator[averaging_pb2.AveragingData],
        caller: PeerID,
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take part in the passage that ``first`` names with the ``caller``, whose ``stream`` holds means."""

    def note_failed(self, reducer: bytes) -> None:
        """Note that the ``reducer`` with that id gives this peer, as a sender, nothing more."""

    @property
    def reducers(self) -> averaging_pb2.AveragingData:
        """The message that tells another head who reduces each part of the own group."""


class AllReduce:
    """One run of all-reduce; ``results`` holds the reduced parts, and None for the parts still missing."""

    def __init__(
        self,
        group: Group,
        peer_id: PeerID,
        parts: Sequence[Part],
        *,
        inputs: Sequence[torch.Tensor],
        outputs: Sequence[torch.Tensor],
        weight: float,
        max_weight: float,
        rule: AggregationRule,
        stub_of: Callable[[PeerID], Any],
        limits: TimeLimits,
        observe: Observer,
        as_sent: bool = False,
        combining_seconds: float = 0.0,
        combiner: Callable[[OwnParts], PartsCombiner] | None = None,
        weight_cap: float | None = None,
        centre_of: Callable[[int], torch.Tensor | None] = lambda index: None,
        witness: PartWitness | None = None,
    ) -> None:
        """Prepare the exchange, in a running event loop; `run` does it.

        Args:
            group: the members, and the reducer of each part.
            peer_id: id of this peer, one of the members.
            parts: the parts of the round, in order; only the last one names its contributors.
            inputs: this peer's tensors of the round, float32 on the CPU and in their own shapes; those of an
                auxiliary peer are not read.
            outputs: tensors of the same shapes, into which the aggregates are written; none for an auxiliary peer.
            weight: number of samples behind ``inputs``.
            max_weight: most samples that another sender may claim; one that claims more drops out.
            rule: combines the contributions to each part that is reduced here.
            stub_of: gives the RPC stub of a peer.
            limits: seconds of silence after which a sender or a reducer counts as lost.
            observe: called with each event and its count in this exchange.
            as_sent: true if this peer contributes to its own parts what the others would decode of its values,
                and not the values themselves: it then knows of each part what an encoding left out.
            combining_seconds: seconds in which the group combines with others, beyond those of the exchange; 0 if
                it does not.
            combiner: makes this peer's part in the combination, if it reduces anything; None if there is none.
            weight_cap: most samples of a user that count, as a multiple of the lower median over the group's users;
                None without a cap.
            centre_of: gives the last committed aggregate of the part with an index, of shape (values,), on a thread;
                None if it is not at hand.
            witness: states what this peer sends, and checks and keeps what others state; None for neither.

        Raises:
            ValueError: ``peer_id`` is no member of the group.
        """
        self.group, self._parts, self._me = group, parts, group.members.index(peer_id)
        self._inputs, self._outputs, self._weight = inputs, outputs, weight
        self._stub_of, self._limits = stub_of, limits
        self._observe, self._counts = observe, dict.fromkeys(RoundEvent, 0)
        self._as_sent, self._weight_cap = as_sent, weight_cap
        self._witness = witness or NoWitness()
        count_reduced = partial(self.count, RoundEvent.PART_REDUCED)
        self.combining_seconds = combining_seconds
        """Seconds in which the group combines with others, beyond those of the exchange; 0 if it does not."""
        self._own = OwnParts(
            group,
            self._me,
            parts,
            rule=rule,
            max_weight=max_weight,
            limits=limits,
            on_reduced=count_reduced,
            combining_seconds=self.combining_seconds,
            weight_cap=weight_cap,
            centre_of=centre_of,
            witness=self._witness,
        )
        self.has_ended = False
        """True once the exchange is over, by itself or at its limit, and not because this peer withdrew."""
        self.results: list[ReducedPart | None] = [None] * len(parts)
        self.delays = 0
        """Times to settle for which this peer waits before it writes a commit: other groups write before."""
        self._broken_off, self._refusing = set[int](), set[int]()
        self._named: dict[int, frozenset[bytes]] = {}
        """Reducers that gave nothing, and the ids of those by which the group failed, as they say."""
        self._own_senders: list[frozenset[int] | None] = [None] * len(parts)
        self._own_shares: list[bytes] = [b""] * len(parts)
        self._delivered = set[int]()
        self.contributors: tuple[Contributor, ...] = ()
        """Names and samples of the own group's contributors, once the last part has come."""
        self.combiner = combiner(self._own) if combiner is not None and self._own.indices else None
        """This peer's part in the combination; None if it reduces nothing, or the group does not combine."""

    @property
    def rank(self) -> int:
        """Index of this peer in the group."""
        return self._me

    @property
    def position(self) -> int | None:
        """Index of this peer among the senders; None for an auxiliary peer."""
        return self.group.position_of(self.group.members[self._me])

    @property
    def lost_reducers(self) -> frozenset[PeerID]:
        """Reducers that are to blame for parts that this peer misses, which had sent its values."""
        return self._losses.lost if self._me in self.group.senders else frozenset()

    @property
    def silent_head(self) -> PeerID | None:
        """The head of a group that gave this peer nothing and does not say why; None for any other."""
        return self._losses.silent_head

    @property
    def has_failed_for_all(self) -> bool:
        """True if no member of the group has all parts, as most of its reducers say."""
        return self._losses.is_whole_group

    @property
    def _losses(self) -> ReducerLosses:
        named = dict(self._named)
        if self._own.culprits:
            named[self._me] = self._own.culprits
        owners = zip(self.group.owners, self.results, strict=True)
        return ReducerLosses(
            self.group,
            self._me,
            lacking=frozenset(owner for owner, part in owners if part is None),
            broken_off=frozenset(self._broken_off),
            refusing=frozenset(self._refusing),
            named=named,
            combines=self.combining_seconds > 0,
        )

    @property
    def refusing_reducers(self) -> frozenset[PeerID]:
        """Reducers that say they have no such group: they left it, or it was announced to them in another way."""
        return frozenset(self.group.members[owner] for owner in self._refusing)

    @property
    def silent_senders(self) -> frozenset[PeerID]:
        """Senders that sent this peer nothing, until it waited for them no longer."""
        return self._own.silent_senders

    @property
    def committed_id(self) -> bytes | None:
        """Id under which the parts at hand are committed; None while that is not known."""
        last = self.results[-1]
        if not self.combining_seconds or (last is not None and not last.groups):
            return self.group.id
        return self._own.number if last is None else combined_id(last.groups)

    def has_own(
        self, index: int, part: ReducedPart, committed: bytes, groups: Sequence[ReducedGroup]
    ) -> bool:
        """Return true if the aggregate ``part`` with that ``index`` has this peer's own values.

        ``committed`` is the id under which the part was committed, of this group or of several ``groups`` with it.
        Where several combined, and the part came from another peer than its reducer, nobody says so: what its reducer
        took is then believed to be in there. Were it sent again, it would count twice.
        """
        if committed == self.group.id:
            return self.position in part.included
        places = [place for place, group in enumerate(groups) if group.id == self.group.id]
        if part.included.isdisjoint(places):  # the group's mean was lost on its way
            return False
        own = self._own_senders[index]
        if own is None:  # it was not given, and other groups may have it all the same
            own = self._own.included(index)
        return index in self._delivered if own is None else self.position in own

    def share_of_own(
        self, index: int, part: ReducedPart, committed: bytes, groups: Sequence[ReducedGroup]
    ) -> float:
        """Return the share of this peer's own values that the aggregate ``part`` has, from 0 to 1.

        Where nothing says that a rule shortened them, it is 1. The ``part`` with that ``index`` has own values, was
        ``committed`` under that id, and names ``groups`` if several combined.
        """
        if self.position is None:
            return 1.0
        if committed == self.group.id:
            return part.share_of(self.position)
        place = next((at for at, group in enumerate(groups) if group.id == self.group.id), None)
        of_group = part.share_of(place) if place is not None else 1.0
        senders, shares = self._own_senders[index], self._own_shares[index]
        if senders is None or self.position not in senders:
            return of_group
        return of_group * share_at(self.position, senders, shares)

    @property
    def own_weight(self) -> float | None:
        """Samples of this peer that count, as the last part names them; None if it does not, or has not come."""
        own = self.group.members[self._me].to_bytes()
        return next((item.weight for item in self.contributors if item.peer_id == own), None)

    def count(self, event: RoundEvent) -> None:
        """Tell the observer that ``event`` happened once more."""
        self._counts[event] += 1
        self._observe(event, self._counts[event])

    async def run(self) -> None:
        """Exchange all parts; return when each has arrived or its reducer is lost, without raising for that."""
        dropping = [
            asyncio.create_task(item)
            for item in (self._own.drop_absent_senders(), self._own.drop_slow_senders())
        ]
        work = [self._keep_own_parts(), self._until_dropped(dropping)]
        if self.combiner is not None:
            work += [self._combine(self.combiner, dropping)]
        if self._me in self.group.senders:
            others = sorted(set(self.group.owners) - {self._me})
            work += [self._own.contribute_own(self._inputs, self._weight, as_sent=self._as_sent)]
            work += [self._exchange_with(owner) for owner in others]
        tasks = [asyncio.create_task(item) for item in work]
        try:
            await asyncio.gather(*tasks)
        finally:
            await end_tasks([*tasks, *dropping])

    async def _combine(self, combiner: PartsCombiner, dropping: Sequence["asyncio.Task[None]"]) -> None:
        """Combine; then nobody is given anything any more, and senders need not be waited for."""
        try:
            await combiner.run()
        finally:
            await end_tasks(dropping)

    async def _until_dropped(self, dropping: Sequence["asyncio.Task[None]"]) -> None:
        await asyncio.wait(dropping)
        for task in dropping:
            if not task.cancelled():
                task.result()

    def abandon(self) -> None:
        """Reduce nothing more; those that wait here for parts are notified."""
        self._own.abandon()

    def rpc_aggregate_part(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take a member's contributions to the parts reduced here, and answer each part with its aggregate, in order.

        ``stream`` holds the contributions; ``context`` names the caller. `OwnParts.answer` says who is refused.
        """
        return self._own.answer(stream, context.remote_id)

    async def _keep_own_parts(self) -> None:
        for index in self._own.indices:
            given = await self._own.given(index)
            if given is not None:
                await self._keep(index, given)

    async def _exchange_with(self, owner: int) -> None:
        """Send a reducer our values for its parts and take the aggregates; those that do not arrive stay missing."""
        why = "it closed the stream"  # as the stream of a peer that was killed seems
        values = sum(self._parts[index].wire_bytes for index in self.group.parts_of(owner))
        PACE.set(self.group.pace_towards(owner, values))  # for this task, and those that the call makes
        try:
            call = self._stub_of(self.group.members[owner]).rpc_aggregate_part(self._outgoing(owner))
            expected, note = iter(self.group.parts_of(owner)), averaging_pb2.AveragingData()
            async for message in messages(call, silence_seconds=self._limits.reducer_seconds):
                if message.code == averaging_pb2.BAD_GROUP_ID:
                    self._refusing.add(owner)
                elif message.code == averaging_pb2.INTERNAL_ERROR:
                    self._named[owner] = unpack_culprits(message.peer_id)
                    if self.combiner is not None:
                        self.combiner.note_failed(self.group.members[owner].to_bytes())
                if not self.combining_seconds or message.code != averaging_pb2.NO_CODE:
                    await self._receive(next(expected, None), message, note)
                elif not is_beat(message):
                    note = message
        except (PeerLost, ExchangeFailed, MalformedPart) as error:
            why = str(error) or type(error).__name__
            if not isinstance(error, ExchangeFailed):
                self._broken_off.add(owner)
        parts = self.group.parts_of(owner)
        if missing := sum(self.results[index] is None for index in parts):
            _log.warning(
                "Reducer %s did not return %d of its %d parts: %s",
                self.group.members[owner],
                missing,
                len(parts),
                why,
            )

    async def _outgoing(self, owner: int) -> AsyncIterator[averaging_pb2.AveragingData]:
        loop = asyncio.get_running_loop()
        for number, index in enumerate(self.group.parts_of(owner)):
            message = await loop.run_in_executor(None, self._contribution, index, number == 0)
            self.count(RoundEvent.PART_SENT)
            yield message
            self._delivered.add(index)

    def _contribution(self, index: int, first: bool) -> averaging_pb2.AveragingData:
        part = self._parts[index]
        return stated_contribution(
            self.group,
            index,
            encode(part.gather(self._inputs), part.encoding),
            self._weight,
            self._witness,
            first=first,
        )

    async def reduce_again(
        self, index: int, contributions: Mapping[int, tuple[PartValues, float]]
    ) -> ReducedPart:
        """Return what the reducer of the part with that ``index`` has to make of ``contributions``.

        These are values and samples by the positions of their senders. Raises NothingToReduce if there are none,
        TooFewUsers if they are of too few users, and ValueError or RuntimeError as the rule does.
        """
        return await self._own.reduce_again(index, contributions)

    async def _receive(
        self, index: int | None, message: averaging_pb2.AveragingData, note: averaging_pb2.AveragingData
    ) -> None:
        if index is None or message.code != averaging_pb2.AVERAGED_PART:
            raise ExchangeFailed("A reducer stopped before its last part.", "The round continues without it.")
        self.count(RoundEvent.PART_RECEIVED)
        members = len(self.group.senders)
        most = max(members, MOST_GROUPS) if self.combining_seconds else members
        reduced = ReducedPart.from_message(message, senders=most)
        combines = self.combining_seconds > 0
        given = given_part(reduced, note, senders=members) if combines else GivenPart.of_group(reduced)
        if not self.group.is_represented_by(given.own_senders):
            raise MalformedPart("A part leaves out most of the group's users.")
        if index == len(self._parts) - 1:
            self._check_contributors(given)
        await self._keep(index, given)

    def _check_contributors(self, given: GivenPart) -> None:
        senders = [self.group.sender(position).to_bytes() for position in sorted(given.own_senders)]
        if [item.peer_id for item in given.contributors] != senders:
            raise MalformedPart("The last part names other contributors than the group has.")
        self._check_weights(given)
        groups = given.part.groups
        share = next((item for item in groups if item.id == self.group.id), None)
        if groups and (share is None or digest_of_contributors(given.contributors) != share.contributors):
            raise MalformedPart("The last part is of groups without the own one.")

    def _check_weights(self, given: GivenPart) -> None:
        """Raise MalformedPart if the last part counts samples of this peer or of others as they cannot be."""
        senders = sorted(given.own_senders)
        weights = [item.weight for item in given.contributors]
        users = [self.group.user_of(position) for position in senders]
        factor = math.inf if self._weight_cap is None else self._weight_cap
        if not are_capped(weights, users, factor):
            raise MalformedPart("The last part counts more samples of a user than the cap allows.")
        if self.position not in given.own_senders:
            return
        committed, user = weights[senders.index(self.position)], self.group.user_of(self.position)
        if not counts_fairly(committed, self._weight, weights, users, user, factor):
            raise MalformedPart("The last part counts other samples of this peer than it sent.")

    async def _keep(self, index: int, given: GivenPart) -> None:
        loop, reduced = asyncio.get_running_loop(), given.part
        self._own_senders[index], self.delays = given.own_senders, max(self.delays, given.delays)
        self._own_shares[index] = given.own_shares
        self.contributors = given.contributors or self.contributors
        values = await loop.run_in_executor(None, reduced.values, self._parts[index])
        if self._outputs:
            self._parts[index].scatter(values, self._outputs)
        self.results[index] = reduced
