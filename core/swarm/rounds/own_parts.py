"""The parts of a round that this peer reduces: it takes in what senders deliver, and answers with the aggregates."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from functools import partial

import torch
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from core.failure_series import in_words
from core.swarm.aggregation.contributions import PartValues
from core.swarm.aggregation.rule import AggregationRule
from core.swarm.rounds.given_part import GivenPart
from core.swarm.rounds.group import Group
from core.swarm.rounds.losses import pack_culprits
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import NothingToReduce, PartReducer, ReducedPart
from core.swarm.rounds.sender_pace import RUN_AHEAD, SenderPace
from core.swarm.rounds.witness import NoWitness, PartWitness, stated_contribution
from core.swarm.wire.encoding import MalformedPart, decode_received, encode
from core.swarm.wire.frames import PACE
from core.swarm.wire.limits import TimeLimits
from core.swarm.wire.streams import beats_until
from core.tasks import each_within, end_tasks, within

_log = logging.getLogger(__name__)

_LOOKS = 30
"""Looks at slow senders in the second half of an exchange: at one moment, a sender that waits may not seem to."""


class OwnParts:
    """The parts of one exchange that this peer reduces, whatever becomes of their senders.

    A sender that is lost, or that holds the others up, drops out of the parts that it has not delivered.
    """

    def __init__(
        self,
        group: Group,
        member: int,
        parts: Sequence[Part],
        *,
        rule: AggregationRule,
        max_weight: float,
        limits: TimeLimits,
        on_reduced: Callable[[], None],
        combining_seconds: float = 0.0,
        weight_cap: float | None = None,
        centre_of: Callable[[int], torch.Tensor | None] = lambda index: None,
        witness: PartWitness | None = None,
    ) -> None:
        """Wait for the senders, in a running event loop.

        Args:
            group: the members, and the reducer of each part.
            member: index of this peer in the group.
            parts: the parts of the round, in order; only the last one names its contributors.
            rule: combines the contributions to each part.
            max_weight: most samples that another sender may claim; one that claims more drops out.
            limits: seconds of silence after which a sender counts as lost, and those of the exchange.
            on_reduced: called after each reduction of a part, before any member is sent its result.
            combining_seconds: seconds in which the group combines with others before the members are given parts;
                0 if it does not, and gives each part at once.
            weight_cap: most samples of a user that count, as a multiple of the lower median; None without a cap.
            centre_of: gives the last committed aggregate of the part with an index, of shape (values,), on a thread;
                None if it is not at hand.
            witness: checks and keeps what senders state of their contributions; None if they need not.
        """
        self._weight_cap, self._centre_of = weight_cap, centre_of
        self.indices = group.parts_of(member)
        """Indices of the parts that this peer reduces, in order."""
        self._group, self._parts, self._max_weight, self._limits = group, parts, max_weight, limits
        self._own_position = group.position_of(group.members[member])
        self._combining_seconds, self._rule = combining_seconds, rule
        self._witness = witness or NoWitness()
        self._reducers = {index: self._reducer(index, rule) for index in self.indices}
        for reducer in self._reducers.values():
            reducer.reduced.add_done_callback(partial(_call_if_reduced, on_reduced))
        self._pace = SenderPace(len(group.senders), len(self.indices), limits)
        self._all_started = asyncio.Event()
        self._absent = set[int]()
        self._has_failed = False
        self.culprits = frozenset[bytes]()
        """Ids of the reducers by which the group failed, as its head says; empty until it has."""
        loop = asyncio.get_running_loop()
        self._given: dict[int, asyncio.Future[GivenPart]] = (
            {index: loop.create_future() for index in self.indices} if combining_seconds else {}
        )
        """Parts as the members are given them, where they are held back until groups have combined."""
        self.number: bytes | None = None
        """Id under which the parts that were given are committed; None until they were, and where none is held."""

    def _reducer(self, index: int, rule: AggregationRule) -> PartReducer:
        senders = len(self._group.senders)
        named = range(senders) if index == len(self._parts) - 1 else ()
        names = [self._group.sender(position).to_bytes() for position in named]
        return PartReducer(
            self._parts[index],
            senders,
            rule,
            names=names,
            combines=self._combining_seconds > 0,
            users=[self._group.user_of(position) for position in range(senders)],
            weight_cap=self._weight_cap,
            centre=partial(self._centre_of, index),
        )

    async def reduced(self, index: int) -> ReducedPart | None:
        """Return the own part with that ``index`` once it is reduced; None if there was nothing to reduce."""
        try:
            return await asyncio.shield(self._reducers[index].reduced)
        except NothingToReduce:
            return None
        except (RuntimeError, ValueError) as error:
            self._note_failure(index, error)
            return None

    def _note_failure(self, index: int, error: Exception) -> None:
        """Log why the part of that index was not reduced, once an exchange: the others' cause is mostly the same."""
        if not self._has_failed:
            self._has_failed = True
            _log.warning(
                "Part %d of the round cannot be reduced here, so all members miss it (%s).",
                index,
                in_words(error),
            )

    def included(self, index: int) -> frozenset[int] | None:
        """Return the positions of the senders in the own part with that ``index``, given or not.

        None if it is not reduced, or is none of this peer's parts.
        """
        reducer = self._reducers.get(index)
        if reducer is None or not reducer.reduced.done() or reducer.reduced.exception() is not None:
            return None
        return reducer.reduced.result().included

    def partial(self, index: int) -> runtime_pb2.Tensor | None:
        """Return the own group's mean of a part by its ``index``: shape (values,), as other groups get it."""
        return self._reducers[index].partial

    async def given(self, index: int) -> GivenPart | None:
        """Return the own part with that ``index`` as the members are given it; None if there is nothing to give."""
        if not self._given:
            reduced = await self.reduced(index)
            return GivenPart.of_group(reduced) if reduced is not None else None
        try:
            return await asyncio.shield(self._given[index])
        except NothingToReduce:
            return None

    def give(self, parts: Mapping[int, ReducedPart], number: bytes, delays: int) -> None:
        """Give the members what was held back.

        Args:
            parts: the aggregates of several groups by their indices; empty to give what the own group reduced.
            number: id under which these parts are committed.
            delays: times to settle for which the members wait before they write the commit.
        """
        self.number = number
        for index, held in self._given.items():
            own = self._reducers[index].reduced.result()
            part = parts.get(index, own)
            if not held.done():
                held.set_result(GivenPart(part, own.included, own.contributors, delays, own.shares))

    def give_up(self, culprits: Collection[bytes] = ()) -> None:
        """Give nothing of what is still held back; those that wait for it are notified.

        The first call counts. They are told of the ``culprits``, ids of the reducers by which the group failed, as
        the head says.
        """
        self.culprits = self.culprits or frozenset(culprits)
        for held in self._given.values():
            if not held.done():
                held.set_exception(NothingToReduce("the groups did not combine"))
                held.exception()  # marks it as seen: nobody may wait for it

    def abandon(self) -> None:
        """Reduce nothing more; those that wait here for parts are notified."""
        for reducer in self._reducers.values():
            reducer.abandon()
        self.give_up()

    async def contribute_own(self, inputs: Sequence[torch.Tensor], weight: float, *, as_sent: bool) -> None:
        """Contribute this peer's own values, as a sender that has them at hand.

        Args:
            inputs: this peer's tensors of the round, each in its own shape.
            weight: number of samples behind them.
            as_sent: true to contribute what the others would decode of the values, and not the values themselves.
        """
        assert self._own_position is not None, "an auxiliary peer has no values"
        self._note_started(self._own_position)
        for index in self.indices:
            part = self._parts[index]
            own = part.gather(inputs)
            if not bool(own.isfinite().all()):  # what others send is refused for that when it is decoded
                _log.warning("Part %d of this peer has a value that is not finite; it is left out.", index)
                await self._reducers[index].fail(self._own_position)
                continue
            values: PartValues = own
            if as_sent:
                sent = partial(self._as_sent, index, own, weight)
                values = await asyncio.get_running_loop().run_in_executor(None, sent)
            await self._reducers[index].contribute(self._own_position, values, weight)

    def _as_sent(self, index: int, own: torch.Tensor, weight: float) -> PartValues:
        assert self._own_position is not None, "an auxiliary peer has no values"
        part = self._parts[index]
        tensor = encode(own, part.encoding)
        message = stated_contribution(self._group, index, tensor, weight, self._witness, first=True)
        self._witness.take(index, self._own_position, message)
        return decode_received(tensor, part.encoding, part.values)

    async def reduce_again(
        self, index: int, contributions: Mapping[int, tuple[PartValues, float]]
    ) -> ReducedPart:
        """Return what the part with that ``index``, of this peer or another, has to be of ``contributions``.

        These are values and samples by the positions of their senders. Raises as the reduction of a part does.
        """
        reducer = self._reducer(index, self._rule)
        for position in range(len(self._group.senders)):
            if position in contributions:
                await reducer.contribute(position, *contributions[position])
            else:
                await reducer.fail(position)
        return await reducer.reduced

    async def drop_absent_senders(self) -> None:
        """Drop the senders that have not begun within the limit out of all parts."""
        if not self.indices:
            return
        try:
            await within(self._limits.sender_seconds, self._all_started.wait())
        except TimeoutError:
            self._absent = set(self._pace.absent)
            for position in self._pace.absent:
                _log.warning(
                    "Peer %s sent nothing within %.1f s: it drops out of the %d parts reduced here.",
                    self._group.sender(position),
                    self._limits.sender_seconds,
                    len(self.indices),
                )
                await self._drop(position)

    async def drop_slow_senders(self) -> None:
        """Drop the senders for which others wait, and which would not be done in time at the pace that they have had.

        A sender on a poor line is never silent, and others can't run ahead of it far. Without this the exchange ended
        at its limit with parts missing, for all members. Where all are equally slow, none waits and none drops out.
        """
        reduced = [self._reducers[index].reduced for index in self.indices]
        clock, slow = asyncio.get_running_loop().time, {self._own_position}
        began, pause = clock(), self._limits.half_way_seconds
        while reduced and (await asyncio.wait(reduced, timeout=pause))[1]:
            pause = self._limits.half_way_seconds / _LOOKS
            late = set(self._pace.late(clock(), elapsed=clock() - began)) - slow
            for position in late:
                slow.add(position)
                _log.warning(
                    "%d of %d parts of peer %s have come, and others wait for it: it drops out of the rest.",
                    self._pace.arrived[position],
                    len(self.indices),
                    self._group.sender(position),
                )
                await self._drop(position)
            if late:
                self._pace.note_dropped(clock())

    @property
    def silent_senders(self) -> frozenset[PeerID]:
        """Senders that had not begun when they dropped out."""
        return frozenset(self._group.sender(position) for position in self._absent)

    def _note_started(self, position: int) -> None:
        self._pace.started[position] = asyncio.get_running_loop().time()
        if not self._pace.absent:
            self._all_started.set()

    async def _drop(self, position: int) -> None:
        for reducer in self._reducers.values():
            await reducer.fail(position)

    async def answer(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], caller: PeerID
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take a member's contributions to the parts reduced here, and answer each part with its aggregate, in order.

        ``stream`` holds the contributions, in the order of the parts. A ``caller`` that is no sender of the group, or
        calls twice, is refused. It is notified of a failure when this peer no longer waits for the group's commit
        either: what is missing then will not come.
        """
        position = self._group.position_of(caller)
        if position is None or position in self._pace.started:
            yield averaging_pb2.AveragingData(code=averaging_pb2.PROTOCOL_VIOLATION)
            return
        self._note_started(position)
        aggregates = sum(self._parts[index].aggregate_bytes for index in self.indices)
        PACE.set(self._group.pace_towards(self._group.senders[position], aggregates))  # for the caller's task
        intake = asyncio.create_task(self._take_in(stream, position))
        clock = asyncio.get_running_loop().time
        patience = self._limits.allreduce_seconds + self._limits.reducer_seconds + self._combining_seconds
        deadline = clock() + patience
        try:
            for index in self.indices:
                async for message in self._answers(index, lambda: deadline - clock()):
                    yield message
            # closing before the sender's last word is read would reset the stream, and lose it what is on its way
            await asyncio.wait({intake}, timeout=self._limits.sender_seconds)
        except (NothingToReduce, RuntimeError, ValueError, TimeoutError):
            named = pack_culprits(self.culprits)
            yield averaging_pb2.AveragingData(code=averaging_pb2.INTERNAL_ERROR, peer_id=named)
        finally:
            await end_tasks([intake])

    async def _answers(
        self, index: int, seconds: Callable[[], float]
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Yield a part once there is something to give, with signs of life before that where it is held back."""
        if not self._given:
            reduced = asyncio.shield(self._reducers[index].reduced)
            yield (await within(seconds(), reduced)).as_message()
            return
        held = self._given[index]
        async for beat in beats_until(held, self._limits.sender_seconds):
            if seconds() < 0:
                raise TimeoutError
            yield beat
        yield held.result().note()
        yield held.result().part.as_message()

    async def _take_in(self, stream: AsyncIterator[averaging_pb2.AveragingData], position: int) -> None:
        delivered, stated = 0, None
        try:
            async for message in each_within(self._limits.sender_seconds, stream):
                if delivered == len(self.indices):
                    return
                index = self.indices[delivered]
                self._pace.arrived[position] = delivered + 1
                if stated not in (None, message.weight):
                    raise MalformedPart(f"The weight of its parts changed from {stated} to {message.weight}.")
                stated = message.weight
                values = await self._decode(index, position, message)
                if delivered >= RUN_AHEAD:
                    earlier = self._reducers[self.indices[delivered - RUN_AHEAD]].reduced
                    await asyncio.wait({asyncio.shield(earlier)})
                await self._reducers[index].contribute(position, values, message.weight)
                delivered += 1
        except (TimeoutError, MalformedPart) as error:
            _log.warning("Peer %s: %s", self._group.sender(position), str(error) or "it fell silent.")
        finally:
            if delivered < len(self.indices):  # whatever ended the stream
                _log.warning(
                    "Peer %s delivered %d of %d parts; it drops out of the others.",
                    self._group.sender(position),
                    delivered,
                    len(self.indices),
                )
            await asyncio.shield(self._drop(position))

    async def _decode(self, index: int, position: int, message: averaging_pb2.AveragingData) -> PartValues:
        if not 0 < message.weight <= self._max_weight:
            raise MalformedPart(f"A weight of {message.weight} samples came with a part.")
        part = self._parts[index]

        def decoded() -> PartValues:
            values = decode_received(message.tensor_part, part.encoding, part.values)
            self._witness.take(
                index, position, message
            )  # after it was decoded: what is kept has the agreed size
            return values

        return await asyncio.get_running_loop().run_in_executor(None, decoded)


def _call_if_reduced(call: Callable[[], None], reduction: asyncio.Future[ReducedPart]) -> None:
    if not reduction.cancelled() and reduction.exception() is None:
        call()
