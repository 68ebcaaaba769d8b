"""The process that averages gradients with other peers, commits epochs, and hands out what was committed.

It builds on hivemind's averager for its process, matchmaking and RPC, and replaces what runs inside a round. A
round's inputs are never overwritten, and its outputs mean something only once it has returned a RoundOutcome.
"""

import asyncio
import dataclasses
import hashlib
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path

# hivemind tells streams from single messages by typing's own AsyncIterator in the annotations of rpc_ methods
from typing import Any, AsyncIterator, cast  # noqa: UP035

import hivemind
import torch
from hivemind.averaging.control import AveragingStage, StepControl
from hivemind.averaging.group_info import GroupInfo
from hivemind.averaging.matchmaking import MatchmakingException
from hivemind.dht import DHTID
from hivemind.p2p import P2PContext, P2PDaemonError, P2PHandlerError, PeerID
from hivemind.proto import averaging_pb2
from hivemind.utils import MPFuture, get_dht_time
from hivemind.utils.asyncio import achain, as_aiter

from core.errors import SwarmError
from core.rules import SwarmRules
from core.swarm.admission.admission import Admission
from core.swarm.admission.averager import AdmittingAverager
from core.swarm.allreduce import AllReduce, Group, Observer, RoundEvent
from core.swarm.bandwidth import Line
from core.swarm.beginning import Beginning
from core.swarm.commit import record_of, winner
from core.swarm.commit_log import DHTCommitLog
from core.swarm.committed import CommittedRounds, FetchFailed, complete
from core.swarm.donors import StateDonor, StateUnavailable, download
from core.swarm.frames import bound_frames, meter_frames
from core.swarm.identity import PeerIdentity
from core.swarm.limits import allow_for
from core.swarm.matchmaking import aim, group_of
from core.swarm.offered_frames import OfferedFrames
from core.swarm.partition import Part
from core.swarm.reduction import AggregationRule, weighted_mean
from core.swarm.round import (
    RoundFailed,
    RoundOutcome,
    RoundRequest,
    exchange,
    outcome_of,
    settle,
    write_outputs,
)
from core.swarm.state import StateSchema, SwarmState, unflatten
from core.swarm.summary import RoundSummary

_log = logging.getLogger(__name__)

_BROKEN_OFF = (
    MatchmakingException,
    P2PDaemonError,
    P2PHandlerError,
    ConnectionError,
    TimeoutError,
    AssertionError,  # hivemind's checks of what a leader says
    StopAsyncIteration,
    asyncio.InvalidStateError,
    asyncio.CancelledError,
)
"""How rounds end when peers come and go."""

_ANSWER_SECONDS = 30.0
_MAX_BATCHES = 16
"""A peer's weight may be this many target batches: more is a claim, not a contribution."""


def _ignore(event: RoundEvent, count: int) -> None:
    """The observer of a peer that nobody watches."""


class GradientAverager(AdmittingAverager):
    """Averages ``inputs`` over a group into ``outputs``; both are float32 CPU tensors in shared memory.

    The last of the parts must be the one whose weight counts the epoch's samples. All its messages pass ``line``,
    and its group is told the lower of the line's caps and ``bandwidth`` (bytes a second). Processes are forked: make
    it before CUDA is initialised, and call ``shutdown`` at the end.
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
        rule: AggregationRule = weighted_mean,
        observe: Observer = _ignore,
    ) -> None:
        bound_frames()
        self._parts, self._rules, self._rule, self._observe = tuple(parts), rules, rule, observe
        self._state_schema, self._owner, self._beginning = state_schema, identity.owner, beginning
        self.outputs = () if auxiliary else tuple(torch.zeros_like(item).share_memory_() for item in inputs)
        self.line = line if line is not None else Line()
        self._donor, self.admission = StateDonor(), admission
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
            allow_state_sharing=False,
        )
        self.run_in_background(await_ready=True)

    # --- called by the trainer ----------------------------------------------------------------------------------

    def begin(self, request: RoundRequest, *, weight: float = 1.0) -> StepControl:
        """Start to look for a group; the exchange begins when ``allow_allreduce`` is called on what is returned.

        Its result is a RoundOutcome, its exception a RoundFailed. ``weight`` (samples) may be set until then.
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
            step.attach(*attached.result(timeout=_ANSWER_SECONDS))
        except TimeoutError as error:
            raise SwarmError("The averaging process does not answer.", "Start the trainer again.") from error
        return step

    def catch_up(self, request: RoundRequest, donors: Sequence[PeerID]) -> "MPFuture[RoundOutcome]":
        """Fetch the committed aggregate that leads from the request's epoch, without having taken part."""
        return self._call("_catch_up", request=request, donors=[donor.to_bytes() for donor in donors])

    def download_state(self, donors: Sequence[PeerID], *, chunk_seconds: float) -> "MPFuture[Any]":
        """Download a whole state from the first donor that gives one; see ``received_state``."""
        peers = [donor.to_bytes() for donor in donors]
        return self._call("_download_state", donors=peers, chunk_seconds=chunk_seconds)

    def received_state(self, download_result: tuple[dict[str, Any], torch.Tensor]) -> SwarmState:
        """The state that ``download_state`` brought; raises DonorFailed if it does not hold together."""
        metadata, flat = download_result
        return unflatten(flat, self._state_schema, metadata)

    def serve_state(self, provider: Callable[[], SwarmState]) -> None:
        """Give this peer's state to those who ask; ``provider`` is called on a thread of this process."""
        self._donor.provider = provider
        self.allow_state_sharing = not self.client_mode

    def offer_frame(self, sha256: str, file: Path) -> None:
        """Give a frame of the time-lapse to those who ask for it by its digest (hex)."""
        self._outer_pipe.send(("_offer_frame", [], {"digest": bytes.fromhex(sha256), "file": file}))

    def get_current_state(self) -> tuple[Any, Sequence[torch.Tensor], None]:
        """hivemind's hook: called on a thread of the trainer's process for each download."""
        return self._donor.current()

    @property
    def _announced(self) -> float | None:
        return min((rate for rate in (self.bandwidth, self.line.announced) if rate is not None), default=None)

    def _call(self, method: str, **arguments: Any) -> "MPFuture[Any]":
        future = MPFuture()
        self._outer_pipe.send((method, [], {**arguments, "future": future}))
        return future

    # --- inside the averager's process --------------------------------------------------------------------------

    def run(self) -> None:
        """What the forked process runs."""
        meter_frames(self.line)
        super().run()

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
        if not step.done():
            _finish(step, outcomes[0])

    async def _catch_up(self, *, request: RoundRequest, donors: list[bytes], future: MPFuture) -> None:
        async def work() -> RoundOutcome:
            log = self._commit_log
            record = winner(await log.read(), request.epoch, request.head)
            if record is None:
                raise RoundFailed(f"No commit of epoch {request.epoch} is to be found.")
            return await self._complete(request, None, (record, [None] * len(self._parts)), donors)

        await _fulfil(future, work())

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

        await _fulfil(future, work())

    async def _offer_frame(self, *, digest: bytes, file: Path) -> None:
        self._offered_frames.offer(digest, file)

    async def _round(self, request: RoundRequest, step: StepControl) -> RoundOutcome:
        began = time.monotonic()
        info = await self._find_group(request, step)
        matched = time.monotonic() - began
        group = group_of(info, self._parts, self._rules)
        limits = allow_for(request.limits, group.seconds, self._rules)
        request = dataclasses.replace(request, limits=limits)
        with self._register_allreduce_group(info):
            step.stage = AveragingStage.AWAITING_TRIGGER
            await step.wait_for_trigger()
            step.stage = AveragingStage.RUNNING_ALLREDUCE
            reduction = self._all_reduce(group, request, step.weight)
            self._running_groups[group.id].set_result(reduction)
            exchanged = await exchange(reduction, request.limits)
            if self.mode == hivemind.averaging.averager.AveragingMode.AUX:
                self._keep_summary(request, reduction)
                raise RoundFailed("An auxiliary peer has nothing to commit.")
            standing = await settle(request, reduction, self._commit_log, self._kept_rounds)
            donors = [peer.to_bytes() for peer in group.members if peer != self.peer_id]
            outcome = await self._complete(request, reduction, standing, donors)
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
        self._pending_groups_registered.clear()  # a groupmate may be told before us, and come before we know
        aim(self._matchmaking, request, prefix=self.prefix, schema=self._schema, rules=self._rules)
        self._expect_company()
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

    def _all_reduce(self, group: Group, request: RoundRequest, weight: float) -> AllReduce:
        return AllReduce(
            group,
            self.peer_id,
            self._parts,
            inputs=self._averaged_tensors,
            outputs=self.outputs,
            weight=weight,
            max_weight=float(_MAX_BATCHES * self._rules.target_batch_size),
            rule=self._rule,
            stub_of=self._stub,
            limits=request.limits,
            observe=self._observe,
        )

    async def _complete(
        self,
        request: RoundRequest,
        reduction: AllReduce | None,
        standing: tuple[Any, Sequence[Any]],
        donors: list[bytes],
    ) -> RoundOutcome:
        """Fetch what we lack of the committed round, keep it for others, and leave its values in the outputs."""
        record, held = standing
        ranked = [*self._commit_log.writers.get(record.root, []), *(PeerID(donor) for donor in donors)]
        try:
            committed = await complete(
                record,
                held,
                [peer for peer in dict.fromkeys(ranked) if peer != self.peer_id],
                parts=self._parts,
                stub_of=self._stub,
                chunk_seconds=request.limits.reducer_seconds,
            )
        except FetchFailed as error:
            self._commit_log.doubt(record)
            raise RoundFailed(error.what) from error
        self._kept_rounds.keep(committed)
        if self.outputs and not (reduction and all(held)):
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(None, write_outputs, committed, self._parts, self.outputs)
        return outcome_of(reduction, committed, held)

    def _keep_summary(self, request: RoundRequest, reduction: AllReduce) -> None:
        """Of a round all of whose parts we reduced: where nobody else accepts connections, only we can be asked."""
        parts = [part for part in reduction.results if part is not None]
        if len(parts) == len(self._parts):
            record = record_of(request.epoch, request.head, reduction.group, parts)
            self._kept_rounds.keep_summary(RoundSummary.of(record, parts))

    def _stub(self, peer: PeerID) -> Any:
        return self.get_stub(self._p2p, peer, namespace=self.prefix)

    @property
    def _commit_log(self) -> DHTCommitLog:
        if not hasattr(self, "_log"):
            self._log = DHTCommitLog(self.dht, self.prefix, self._owner)
        return self._log

    @property
    def _kept_rounds(self) -> CommittedRounds:
        if not hasattr(self, "_rounds"):
            self._rounds = CommittedRounds()
        return self._rounds

    @property
    def _offered_frames(self) -> OfferedFrames:
        if not hasattr(self, "_frames"):
            self._frames = OfferedFrames()
        return self._frames

    @property
    def _schema(self) -> bytes:
        return hashlib.sha256(repr(self._parts).encode()).digest()

    async def _declare_for_download_periodically(self) -> None:
        """hivemind would announce donors under a key of its own; ours are found by their progress records."""

    async def _shutdown(self, timeout: float | None) -> None:
        if not self.client_mode:
            await self.remove_p2p_handlers(self._p2p, namespace=self.prefix)
        await self._p2p.shutdown()  # removes its socket

    # --- called by other peers ----------------------------------------------------------------------------------

    async def rpc_aggregate_part(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """A groupmate contributes to our parts; strangers and unknown groups are refused."""
        request = await asyncio.wait_for(anext(stream), self._rules.allreduce_seconds)
        if request.group_id not in self._running_groups:
            # the leader may have told others of the group before its message reached us
            await asyncio.wait_for(self._pending_groups_registered.wait(), self._rules.allreduce_seconds)
        running = self._running_groups.get(request.group_id)
        if running is None:
            yield averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)
            return
        reduction = await asyncio.shield(running)
        async for message in reduction.rpc_aggregate_part(achain(as_aiter(request), stream), context):
            yield message

    async def rpc_fetch_committed(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """A peer lacks parts of a round that was committed."""
        for message in self._kept_rounds.serve(request):
            yield message

    async def rpc_fetch_summary(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Somebody follows the run: who contributed to a committed round, and its loss."""
        for message in self._kept_rounds.summarise(request.group_id):
            yield message

    async def rpc_fetch_frame(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.DownloadData]:
        """Somebody collects the frames of the time-lapse that this peer has told of."""
        async for message in self._offered_frames.serve(request.group_id):
            yield message

    async def rpc_download_state(
        self, request: averaging_pb2.DownloadRequest, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.DownloadData]:
        """A late or stale peer takes our whole state."""
        if not self.allow_state_sharing:
            return
        async for message in self._donor.serve(self._get_current_state_from_host_process):
            yield message


async def _fulfil(future: MPFuture, work: Coroutine[Any, Any, Any]) -> None:
    outcomes: Sequence[Any] = await asyncio.gather(work, return_exceptions=True)
    if not future.done():
        _finish(future, outcomes[0])


def _finish(future: MPFuture, outcome: Any) -> None:
    """Pass an outcome to the trainer's process.

    Whatever else goes wrong in a round, other peers may have caused it: it is logged, and the round has failed.
    """
    if not isinstance(outcome, BaseException):
        future.set_result(outcome)
    elif isinstance(outcome, RoundFailed | StateUnavailable):
        future.set_exception(outcome)
    else:
        if not isinstance(outcome, _BROKEN_OFF):
            _log.warning("A round failed unexpectedly", exc_info=outcome)
        future.set_exception(RoundFailed(f"The round broke off ({outcome!r})."))
