"""The process that averages gradients with other peers and commits epochs, and what a trainer asks of it.

It builds on hivemind's averager for its process, matchmaking and RPC, and replaces what runs inside a round
(`core.swarm.round_runner`).
"""

import asyncio
import dataclasses
import hashlib
import time
from collections.abc import Sequence

# hivemind tells streams from single messages by typing's own AsyncIterator in the annotations of rpc_ methods
from typing import Any, AsyncIterator, cast  # noqa: UP035

import hivemind
import torch
from hivemind.averaging.control import AveragingStage, StepControl
from hivemind.averaging.group_info import GroupInfo
from hivemind.dht import DHTID
from hivemind.p2p import P2PContext, PeerID
from hivemind.proto import averaging_pb2
from hivemind.utils import MPFuture, get_dht_time
from hivemind.utils.asyncio import achain, as_aiter

from core.errors import SwarmError
from core.rules import SwarmRules
from core.swarm.admission.admission import Admission
from core.swarm.allreduce import Observer, RoundEvent
from core.swarm.bandwidth import Line
from core.swarm.beginning import Beginning
from core.swarm.commit_log import DHTCommitLog
from core.swarm.donors import download
from core.swarm.ending import fulfil, tell
from core.swarm.frames import bound_frames, meter_frames
from core.swarm.identity import PeerIdentity
from core.swarm.limits import allow_for
from core.swarm.matchmaking import aim, group_of
from core.swarm.partition import Part
from core.swarm.reduction import AggregationRule, weighted_mean
from core.swarm.round import RoundFailed, RoundOutcome, RoundRequest
from core.swarm.round_runner import RoundRunner
from core.swarm.serving import ServingAverager
from core.swarm.state import StateSchema, SwarmState, unflatten

_START_SECONDS = 60.0
_ANSWER_SECONDS = 30.0


def _ignore(event: RoundEvent, count: int) -> None:
    """The observer of a peer that nobody watches."""


class GradientAverager(ServingAverager):
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
        self._parts, self._rules, self._state_schema = tuple(parts), rules, state_schema
        self._beginning, self.line = beginning, line if line is not None else Line()
        self.outputs = () if auxiliary else tuple(torch.zeros_like(item).share_memory_() for item in inputs)
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
            rule=rule,
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
        tell(step, outcomes[0])

    async def _catch_up(self, *, request: RoundRequest, donors: list[bytes], future: MPFuture) -> None:
        await fulfil(future, self._runner.catch_up(request, [PeerID(donor) for donor in donors]))

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
        limits = allow_for(request.limits, group.seconds, self._rules)
        request = dataclasses.replace(request, limits=limits)
        with self._register_allreduce_group(info):
            step.stage = AveragingStage.AWAITING_TRIGGER
            await step.wait_for_trigger()
            step.stage = AveragingStage.RUNNING_ALLREDUCE
            reduction = self._runner.all_reduce(group, request, step.weight)
            self._running_groups[group.id].set_result(reduction)
            outcome, exchanged = await self._runner.run(request, reduction)
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
