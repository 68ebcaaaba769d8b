"""The process that averages gradients with other peers and commits epochs, and the trainer's calls to it.

It builds on hivemind's averager for its process, matchmaking and RPC, and replaces the work inside a round
(`core.swarm.rounds.round_runner`).
"""

import asyncio
import dataclasses
import functools
import hashlib
import logging
import math
import multiprocessing
import time
from collections.abc import Callable, Coroutine, Sequence

# hivemind tells streams from single messages by typing's own AsyncIterator in the annotations of rpc_ methods
from typing import Any, AsyncIterator, cast  # noqa: UP035

import hivemind
import torch
from hivemind.averaging.control import AveragingStage, StepControl
from hivemind.averaging.group_info import GroupInfo
from hivemind.dht import DHTID
from hivemind.p2p import P2PContext, PeerID
from hivemind.proto import averaging_pb2
from hivemind.utils import MPFuture, get_dht_time, tensor_descr
from hivemind.utils.asyncio import achain, as_aiter

from core.errors import SwarmError
from core.run.rules import SwarmRules
from core.swarm.admission.admission import Admission
from core.swarm.bandwidth import Line, Way
from core.swarm.ending import answer, fulfil, tell
from core.swarm.matchmaking import aim, group_of
from core.swarm.rounds.allreduce import Group, Observer, RoundEvent
from core.swarm.rounds.commit_log import DHTCommitLog
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import RULES, AggregationRule
from core.swarm.rounds.round import RoundFailed, RoundOutcome, RoundRequest
from core.swarm.rounds.round_runner import RoundRunner
from core.swarm.serving import ServingAverager
from core.swarm.state.beginning import Beginning
from core.swarm.state.donors import download
from core.swarm.state.state import StateSchema, SwarmState, unflatten
from core.swarm.wire.frames import bound_frames, meter_frames
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.limits import allow_for

_log = logging.getLogger(__name__)

_START_SECONDS = 60.0
_ANSWER_SECONDS = 30.0


def unobserved(event: RoundEvent, count: int) -> None:
    """Ignore each ``event`` and its ``count``: the observer for a peer without one."""


def _keep_off_gpus() -> None:
    """Make hivemind take every tensor for one that is not pinned, as those of a round are.

    hivemind asks CUDA about each tensor that it describes. That initialises CUDA in the trainer before the
    averager is forked, or in the averager, which then holds some hundred MB of a GPU.
    """
    tensor_descr._safe_check_pinned = lambda tensor: False


_Order = Callable[..., Coroutine[Any, Any, None]]
_tasks: "set[asyncio.Task[Any] | None]" = set()
"""Tasks of the orders that this process carries out."""


def _kept(order: _Order) -> _Order:
    """Keep the task of ``order`` until it is done.

    Neither asyncio keeps a task nor hivemind a future of another process for those who wait for it. So a garbage
    collection could destroy a withdrawn round while it waited for the DHT. Its locks then stayed locked, and this
    peer found no group any more.
    """

    @functools.wraps(order)
    async def keep(*given: Any, **arguments: Any) -> None:
        task = asyncio.current_task()
        _tasks.add(task)
        try:
            await order(*given, **arguments)
        finally:
            _tasks.discard(task)

    return keep


class GradientAverager(ServingAverager):
    """Averages ``inputs`` over a group into ``outputs``; both are float32 CPU tensors in shared memory.

    The tensors of ``outputs`` have the shapes of those of ``inputs``. The last of the parts must be the one
    whose weight counts the epoch's samples. All messages pass ``line``, and the group is told the lower of
    the line's caps and ``bandwidth`` (bytes a second). Processes are forked: make it before CUDA is
    initialised, and call ``shutdown`` at the end.
    """

    def __init__(
        self,
        inputs: Sequence[torch.Tensor],
        parts: Sequence[Part],
        *,
        dht: "hivemind.DHT",
        identity: PeerIdentity,
        prefix: str,
        rules: SwarmRules,
        state_schema: StateSchema,
        client_mode: bool = False,
        auxiliary: bool = False,
        line: Line | None = None,
        bandwidth: float | None = None,
        beginning: Beginning | None = None,
        admission: Admission | None = None,
        rule: AggregationRule | None = None,
        observe: Observer = unobserved,
        outputs: Sequence[torch.Tensor] | None = None,
    ) -> None:
        """Fork the averager's process, and return once it is ready.

        Args:
            inputs: tensors that the trainer fills for each round (`get_tensors`); they are moved into shared
                memory. A trainer gives one of each parameter's shape, then one of shape (1,) for the mean loss; an
                auxiliary peer gives any one tensor, which is not read.
            parts: the parts into which all peers of the run cut these tensors, in order.
            dht: a running DHT node of this peer.
            identity: this peer's identity, under whose owner mark its commit records are stored.
            prefix: the run's DHT prefix.
            rules: the run's rules, which bound the seconds of matchmaking and exchange, the size of a group, and
                the samples that a member may claim.
            state_schema: names, shapes and types of the tensors in a state; empty for a peer that downloads none.
            client_mode: true if the peer accepts no incoming connections: it neither reduces nor gives its state.
            auxiliary: true if the peer only reduces: its ``outputs`` are empty. Not possible in client mode.
            line: the connection with its caps and counts; None for one without caps.
            bandwidth: bytes a second that the group is told at most; None leaves that to the caps of ``line``.
            beginning: the beginning of this peer's generation, by which donors' states are refused; None refuses
                none.
            admission: this peer's admission; None in an open run.
            rule: combines the contributions to each part that is reduced here; None for the run's own.
            observe: called with each event of a round and its count there, in the averager's process.
            outputs: tensors in the shapes that trainers average, float32 on the CPU and moved into shared memory, for
                an auxiliary peer that fetches the aggregates of committed rounds; None for all others.

        Raises:
            SwarmError: the process did not start within a minute.
        """
        bound_frames()
        _keep_off_gpus()
        self._parts, self._rules, self._state_schema = tuple(parts), rules, state_schema
        self._observe = observe
        self._is_auxiliary = auxiliary
        self._called_at = multiprocessing.RawValue("d", -math.inf)
        """Monotonic time of the last call for a round, in the memory that both processes share."""
        self._called: dict[bytes, asyncio.Event] = {}
        """Groups that wait for their first sender, in the averager's process of an auxiliary peer."""
        self._beginning, self.line = beginning, line if line is not None else Line()
        if outputs is None:
            outputs = () if auxiliary else [torch.zeros_like(item) for item in inputs]
        self.outputs = tuple(item.share_memory_() for item in outputs)
        super().__init__(
            averaged_tensors=inputs,
            dht=dht,
            start=False,
            prefix=prefix,
            min_matchmaking_time=rules.matchmaking_seconds,
            request_timeout=rules.matchmaking_seconds / 3,
            client_mode=client_mode,
            auxiliary=auxiliary,
            bandwidth=bandwidth,
            admission=admission,
        )
        self._commit_log = DHTCommitLog(dht, prefix, identity.owner)
        self._runner = RoundRunner(
            dht.peer_id,
            self._parts,
            inputs=self._averaged_tensors,
            outputs=self.outputs,
            rules=rules,
            rule=rule or RULES[rules.aggregation],
            observe=observe,
            log=self._commit_log,
            kept=self._kept_rounds,
            stub_of=self._stub,
        )
        self._start()

    def _start(self) -> None:
        try:
            self.run_in_background(await_ready=True, timeout=_START_SECONDS)
        except TimeoutError as error:  # of which it would wait for ever, were the DHT to die just then
            self.terminate()
            raise SwarmError(
                "The process that exchanges gradients did not start.", "See the log for what it printed."
            ) from error

    @property
    def seconds_since_call(self) -> float:
        """Seconds since another peer called this one for a round; infinite if none did."""
        return time.monotonic() - float(self._called_at.value)

    # --- called by the trainer ----------------------------------------------------------------------------------

    def begin(self, request: RoundRequest, *, weight: float = 1.0) -> StepControl:
        """Start to look for a group; the exchange begins when ``allow_allreduce`` is called on the returned step.

        The step's result is a RoundOutcome, its exception a RoundFailed. ``request`` describes the round;
        ``weight`` (samples) may be set on the step until the exchange begins. Raises SwarmError if the
        averaging process does not answer.
        """
        step = StepControl(
            scheduled_time=request.started_at,
            deadline=get_dht_time() + request.timeout_seconds,
            allow_retries=False,
            weight=weight,
            data_for_gather=self.serializer.dumps([self._announced, self.mode.value, b""]),
        )
        attached = MPFuture()
        self._outer_pipe.send(("_average", [], {"request": request, "step": step, "attached": attached}))
        try:
            step.attach(*answer(attached, _ANSWER_SECONDS))
        except TimeoutError as error:
            raise SwarmError("The averaging process does not answer.", "Start the trainer again.") from error
        return step

    def catch_up(self, request: RoundRequest, donors: Sequence[PeerID]) -> "MPFuture[RoundOutcome]":
        """Fetch the committed aggregate that leads from the epoch of ``request``, without having taken part.

        The writers of the commit are asked first, then ``donors`` in their order. The future's exception is a
        RoundFailed if no peer gave the aggregate.
        """
        return self._call("_catch_up", request=request, donors=[donor.to_bytes() for donor in donors])

    def download_state(self, donors: Sequence[PeerID], *, chunk_seconds: float) -> "MPFuture[Any]":
        """Download a whole state from the first of ``donors`` that gives one; see ``received_state``.

        Each donor may be silent for at most ``chunk_seconds``. The future's exception is a StateUnavailable
        if none gave it.
        """
        peers = [donor.to_bytes() for donor in donors]
        return self._call("_download_state", donors=peers, chunk_seconds=chunk_seconds)

    def received_state(self, download_result: tuple[dict[str, Any], torch.Tensor]) -> SwarmState:
        """Return the state in ``download_result``, the result of ``download_state``.

        That is its metadata and its bytes, of shape (bytes,). Raises DonorFailed if the bytes do not match
        their digest.
        """
        metadata, flat = download_result
        return unflatten(flat, self._state_schema, metadata)

    @property
    def _announced(self) -> float | None:
        return min((rate for rate in (self.bandwidth, self.line.announced) if rate is not None), default=None)

    def _call(self, method: str, **arguments: Any) -> "MPFuture[Any]":
        future = MPFuture()
        self._outer_pipe.send((method, [], {**arguments, "future": future}))
        return future

    # --- inside the averager's process --------------------------------------------------------------------------

    def run(self) -> None:
        """Run the forked process."""
        meter_frames(self.line)
        super().run()

    @_kept
    async def _average(self, *, request: RoundRequest, step: StepControl, attached: MPFuture) -> None:
        trigger, cancel = MPFuture(), MPFuture()
        step.attach(trigger, cancel)
        attached.set_result((trigger, cancel))
        work = asyncio.create_task(self._round(request, step))
        cancelled = asyncio.create_task(step.wait_for_cancel())
        await asyncio.wait({work, cancelled}, return_when=asyncio.FIRST_COMPLETED)
        for task in (work, cancelled):
            if not task.done():
                task.cancel()
        outcomes: Sequence[Any] = await asyncio.gather(work, cancelled, return_exceptions=True)
        step.stage = AveragingStage.FINISHED
        tell(step, outcomes[0])

    @_kept
    async def _catch_up(self, *, request: RoundRequest, donors: list[bytes], future: MPFuture) -> None:
        await fulfil(future, self._runner.catch_up(request, [PeerID(donor) for donor in donors]))

    @_kept
    async def _download_state(self, *, donors: list[bytes], chunk_seconds: float, future: MPFuture) -> None:
        async def work() -> tuple[dict[str, Any], torch.Tensor]:
            peers = [PeerID(donor) for donor in donors]
            strangers = await self._strangers(peers)
            return await download(
                [peer for peer in peers if peer not in strangers],
                self._state_schema,
                stub_of=self._stub,
                chunk_seconds=chunk_seconds,
                beginning=self._beginning,
            )

        await fulfil(future, work())

    async def _round(self, request: RoundRequest, step: StepControl) -> RoundOutcome:
        began = time.monotonic()
        info = await self._find_group(request, step)
        matched = time.monotonic() - began
        group = group_of(info, self._parts, self._rules)
        _log.info(
            "Epoch %d: group %s of %d peers (%d expected) after %.1f s: %s; reducers: %s.",
            request.epoch,
            group.id.hex()[:8],
            len(group.members),
            request.expected_peers,
            matched,
            ", ".join(map(str, group.members)),
            ", ".join(str(group.members[owner]) for owner in sorted(set(group.owners))),
        )
        self._observe(RoundEvent.GROUPED, 1)
        limits = allow_for(request.limits, group.seconds, self._rules)
        request = dataclasses.replace(request, limits=limits)
        with self._register_allreduce_group(info):
            step.stage = AveragingStage.AWAITING_TRIGGER
            await (self._await_sender(group, step) if self._is_auxiliary else step.wait_for_trigger())
            step.stage = AveragingStage.RUNNING_ALLREDUCE
            reduction = self._runner.all_reduce(group, request, step.weight)
            self._running_groups[group.id].set_result(reduction)
            before = [self.line.averager.passed(way) for way in Way]
            outcome, exchanged = await self._runner.run(request, reduction)
        _log.info(
            "Epoch %d: %s; %g samples of %d peers, our own %s; %d parts, %d bytes sent, %d received, in %.2f s.",
            request.epoch,
            outcome.standing,
            outcome.samples,
            outcome.members,
            "included" if outcome.included else "not included",
            len(self._parts),
            *(self.line.averager.passed(way) - passed for way, passed in zip(Way, before, strict=True)),
            exchanged,
        )
        alone = len(group.members) == 1
        return dataclasses.replace(
            outcome,
            matchmaking_seconds=None if alone else matched,
            exchange_seconds=None if alone else exchanged,
            store_seconds=tuple(self._commit_log.store_seconds),
        )

    async def _find_group(self, request: RoundRequest, step: StepControl) -> GroupInfo:
        if request.expected_peers <= 1:
            await self._require_admitted(())
            return GroupInfo(DHTID.generate().to_bytes(), (self.peer_id,), (step.data_for_gather,))
        step.stage = AveragingStage.LOOKING_FOR_GROUP
        self._observe(RoundEvent.LOOKING, 1)
        self._pending_groups_registered.clear()  # a groupmate may be told before us, and come before we know
        aim(
            self._matchmaking,
            request,
            dht=self.dht,
            prefix=self.prefix,
            schema=self._schema,
            rules=self._rules,
        )
        self._expect_membership()
        info = None
        try:
            found = await self._matchmaking.look_for_group(step)
            if found is not None:
                await self._require_admitted(found.peer_ids)
            info = found
        finally:
            if info is None:
                self._pending_groups_registered.set()
        if info is None:
            raise RoundFailed("No group formed in time.")
        return cast(GroupInfo, info)

    async def _await_sender(self, group: Group, step: StepControl) -> None:
        """Wait until a sender of ``group`` calls: only trainers know when their batch is complete.

        The time in which the others must begin runs from then on. Raises RoundFailed if none calls in time.
        """
        called = self._called.setdefault(group.id, asyncio.Event())
        try:
            # longer than trainers compute on after they began to look: a group that withdrew must not hold this peer
            await asyncio.wait_for(
                called.wait(), 2 * self._rules.matchmaking_seconds + self._rules.allreduce_seconds
            )
            step.allow_allreduce()
        except TimeoutError as error:
            raise RoundFailed("No member of the group began to exchange.") from error
        finally:
            del self._called[group.id]

    def _stub(self, peer: PeerID) -> Any:
        return self.get_stub(self._p2p, peer, namespace=self.prefix)

    @property
    def _schema(self) -> bytes:
        return hashlib.sha256(repr(self._parts).encode()).digest()

    async def _shutdown(self, timeout: float | None) -> None:
        if not self.client_mode:
            await self.remove_p2p_handlers(self._p2p, namespace=self.prefix)
        await self._p2p.shutdown()  # removes its socket

    # --- called by other peers ----------------------------------------------------------------------------------

    async def rpc_join_group(
        self, request: averaging_pb2.JoinRequest, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.MessageFromLeader]:
        """Let the caller join this peer's group, as hivemind does.

        ``request`` and ``context`` are hivemind's. Callers that are not admitted are refused.
        """
        self._called_at.value = time.monotonic()
        async for message in super().rpc_join_group(request, context):
            yield message

    async def rpc_aggregate_part(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take a group member's contributions to the parts reduced here, and answer with their aggregates.

        ``stream`` holds the caller's parts, the first of which names the group; ``context`` names the caller.
        Unknown groups and peers outside the group are refused.
        """
        self._called_at.value = time.monotonic()
        request = await asyncio.wait_for(anext(stream), self._rules.allreduce_seconds)
        if request.group_id not in self._running_groups:
            # the leader may have told others of the group before its message reached us
            await asyncio.wait_for(self._pending_groups_registered.wait(), self._rules.allreduce_seconds)
        running = self._running_groups.get(request.group_id)
        if running is None:
            yield averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)
            return
        if request.group_id in self._called:
            self._called[request.group_id].set()
        reduction = await asyncio.shield(running)
        async for message in reduction.rpc_aggregate_part(achain(as_aiter(request), stream), context):
            yield message
