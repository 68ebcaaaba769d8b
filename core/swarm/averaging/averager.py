"""The process that averages gradients with other peers and commits epochs, and the trainer's calls to it."""

import asyncio
import functools
import logging
import math
from collections.abc import Callable, Collection, Coroutine, Sequence
from typing import Any

import torch
from hivemind.averaging.control import AveragingStage, StepControl
from hivemind.p2p import PeerID
from hivemind.utils import MPFuture, get_dht_time, tensor_descr

from core.errors import SwarmError
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import WorkSample
from core.swarm.auditing.work_draw import WorkDraw
from core.swarm.averaging.ending import answer, fulfil, resolve
from core.swarm.averaging.participant import RoundParticipant
from core.swarm.averaging.round_averager import RoundAverager
from core.swarm.bandwidth import Line, Way
from core.swarm.projections.asking import SUMS_SECONDS, ask_sums
from core.swarm.projections.sums import StateSums, SumsQuestion
from core.swarm.rounds.round import RoundOutcome, RoundRequest
from core.swarm.state.beginning import Beginning
from core.swarm.state.donors import StateDownloads, bounded
from core.swarm.state.pieces import StateOutline, joined
from core.swarm.state.stalls import unless_stalled
from core.swarm.state.state import StateSchema, SwarmState
from core.swarm.state.vouching import StateVoices, VouchedState, vouched_by_commits
from core.swarm.wire.frames import bound_frames, meter_frames
from core.swarm.wire.stream_ends import end_streams
from core.swarm.wire.voices import Voter
from core.tasks import end_tasks

_log = logging.getLogger(__name__)

_START_SECONDS = 60.0
_ANSWER_SECONDS = 30.0
_DOWNLOAD_SECONDS = 3600.0
"""Seconds that one download of a state may take, or in which a piece of it must come if it is to go on."""


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


class GradientAverager(RoundAverager):
    """Averages ``inputs`` over a group into ``outputs``; both are float32 CPU tensors in shared memory.

    The tensors of ``outputs`` have the shapes of those of ``inputs``. All messages pass ``line``, and the group is
    told the lower of the line's caps and the participant's bandwidth, and the cap of downloads. Processes are forked:
    make it before CUDA is initialised, and call ``shutdown`` at the end.
    """

    def __init__(
        self,
        inputs: Sequence[torch.Tensor],
        participant: RoundParticipant,
        *,
        state_schema: StateSchema,
        line: Line | None = None,
        beginning: Beginning | None = None,
        outputs: Sequence[torch.Tensor] | None = None,
    ) -> None:
        """Fork the averager's process, and return once it is ready.

        Args:
            inputs: tensors that the trainer fills for each round (`get_tensors`); they are moved into shared
                memory. A trainer gives one of each parameter's shape, then one of shape (1,) for the mean loss; an
                auxiliary peer gives any one tensor, which is not read.
            participant: this peer, its run, and what it does in rounds.
            state_schema: names, shapes and types of the tensors in a state; empty for a peer that downloads none.
            line: the connection with its caps and counts; None for one without caps.
            beginning: the beginning of this peer's generation, by which donors' states are refused; None refuses
                none.
            outputs: tensors in the shapes that trainers average, float32 on the CPU and moved into shared memory, for
                an auxiliary peer that fetches the aggregates of committed rounds; None for all others.

        Raises:
            SwarmError: the process did not start within a minute.
        """
        bound_frames()
        end_streams()
        _keep_off_gpus()
        self._state_schema = state_schema
        if outputs is None:
            outputs = () if participant.auxiliary else [torch.zeros_like(item) for item in inputs]
        shared = [item.share_memory_() for item in outputs]
        super().__init__(inputs, shared, participant, line if line is not None else Line())
        self._downloads = StateDownloads(
            state_schema, self._stub, beginning, rate=functools.partial(self.line.averager.rate, Way.DOWN)
        )
        self._attending: set[asyncio.Task[None]] = set()
        """The task that votes on rounds of others, at most one, in the averager's process."""
        self._asked = 0
        """Number of questions there that end such a task."""
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
            data_for_gather=self.serializer.dumps(
                [self._announced, self._mode(request).value, self.line.announced_download]
            ),
        )
        attached = MPFuture()
        self._outer_pipe.send(("_average", [], {"request": request, "step": step, "attached": attached}))
        try:
            step.attach(*answer(attached, _ANSWER_SECONDS))
        except TimeoutError as error:
            raise SwarmError("The averaging process does not answer.", "Start the trainer again.") from error
        return step

    def attend(self, request: RoundRequest | None) -> "MPFuture[bool]":
        """Vote for what others average at the place of ``request`` until this peer asks for something else.

        A new call ends the one before; None ends it alone. The future is done once this one has ended; it is true if
        the epoch was committed.
        """
        return self._call("_attend", request=request)

    def catch_up(self, request: RoundRequest, donors: Sequence[PeerID]) -> "MPFuture[RoundOutcome]":
        """Fetch the committed aggregate that leads from the epoch of ``request``, without having taken part.

        The writers of the commit are asked first, then ``donors`` in their order. The future's exception is a
        RoundFailed if no peer gave the aggregate.
        """
        return self._call("_catch_up", request=request, donors=[donor.to_bytes() for donor in donors])

    def drawn_work(
        self, draw: WorkDraw, epoch: int, head: bytes, own_weight: float, most_rows: float = math.inf
    ) -> "MPFuture[WorkSample | None]":
        """Return what a drawn peer sent in the last round, if this peer reduced some of it.

        Args:
            draw: this peer's draw for the ``head``.
            epoch: epoch of the round.
            head: root of the commit at which it began.
            own_weight: samples that this peer computed for it.
            most_rows: rows from which on work is more than this peer can audit.
        """
        return self._call(
            "_drawn_work", draw=draw, epoch=epoch, head=head, own_weight=own_weight, most_rows=most_rows
        )

    def judge_work(self, peer: bytes, verdict: WorkVerdict) -> None:
        """Draw the consequences of a ``verdict`` on the work of ``peer``, the id of that peer."""
        self._call("_judge_work", peer=peer, verdict=verdict)

    def download_state(
        self,
        donors: Sequence[PeerID],
        *,
        chunk_seconds: float,
        servers: frozenset[bytes] = frozenset(),
        vouched: Sequence[VouchedState] = (),
        goes_on: bool = False,
        only: bytes | None = None,
    ) -> "MPFuture[Any]":
        """Download a whole state, in pieces from several of ``donors`` at once; see ``received_state``.

        Each donor may be silent for at most ``chunk_seconds``. Of the states that they offer, one that is ``vouched``
        for is taken, by most peers first; that of ``servers`` (ids of donors) if others vouch for it. With ``only``
        none but that with this root is taken. The future's exception is a StateUnavailable if none gave it: in an
        hour at most, or, if it ``goes_on``, once an hour has brought no piece. Then it is a DownloadBrokeOff if
        pieces came.
        """
        peers = [donor.to_bytes() for donor in donors]
        return self._call(
            "_download_state",
            donors=peers,
            chunk_seconds=chunk_seconds,
            servers=servers,
            vouched=tuple(vouched),
            goes_on=goes_on,
            only=only,
        )

    def received_state(self, download_result: tuple[StateOutline, torch.Tensor]) -> SwarmState:
        """Return the state in ``download_result``, the result of ``download_state``.

        That is its outline and its bytes, of shape (bytes,). Raises DonorFailed if the bytes do not match
        their digests.
        """
        outline, flat = download_result
        return joined(flat, self._state_schema, outline)

    def describe_state(self, donor: PeerID, *, chunk_seconds: float) -> "MPFuture[StateOutline]":
        """Return the pieces that the state of ``donor`` has, of which it keeps a copy for a while.

        It may be silent for ``chunk_seconds``. The future's exception is a StateUnavailable if it gives none.
        """
        return self._call("_describe_state", donor=donor.to_bytes(), chunk_seconds=chunk_seconds)

    def ask_sums(
        self, peers: Sequence[bytes], question: SumsQuestion, *, seconds: float = SUMS_SECONDS
    ) -> "MPFuture[dict[bytes, StateSums]]":
        """Ask ``peers`` (their ids) for projections of the states that they hold at the place in ``question``.

        The future's result has those that answered within ``seconds``, whatever their place.
        """
        return self._call("_ask_sums", peers=list(peers), question=question, seconds=seconds)

    def distrust(self, users: Collection[Voter], *, givers: bool) -> None:
        """Ask no peer of ``users`` for a state for some time, as one lied.

        With ``givers`` that holds for the users that gave pieces of the last state as well, and that state is not
        taken again.
        """
        self._outer_pipe.send(("_distrust", [], {"users": list(users), "givers": givers}))

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
    async def _attend(self, *, request: RoundRequest | None, future: MPFuture) -> None:
        is_newest = await self._stop_attending()
        is_over = False
        if request is not None and is_newest():
            task = asyncio.create_task(self._runner.attend(request))
            self._attending.add(task)
            await asyncio.wait({task})
            self._attending.discard(task)
            error = None if task.cancelled() else task.exception()
            if error is not None:
                _log.warning("The vote on rounds of others ended: %r", error)
            is_over = not task.cancelled() and error is None
        future.set_result(is_over)

    async def _stop_attending(self) -> Callable[[], bool]:
        """End the votes on rounds of others; return what tells if nothing else was asked for since."""
        self._asked += 1
        asked = self._asked
        await end_tasks(self._attending)
        return lambda: asked == self._asked

    @_kept
    async def _average(self, *, request: RoundRequest, step: StepControl, attached: MPFuture) -> None:
        trigger, cancel = MPFuture(), MPFuture()
        step.attach(trigger, cancel)
        attached.set_result((trigger, cancel))
        await self._stop_attending()
        work = asyncio.create_task(self._round(request, step))
        cancelled = asyncio.create_task(step.wait_for_cancel())
        await asyncio.wait({work, cancelled}, return_when=asyncio.FIRST_COMPLETED)
        for task in (work, cancelled):
            if not task.done():
                task.cancel()
        outcomes: Sequence[Any] = await asyncio.gather(work, cancelled, return_exceptions=True)
        step.stage = AveragingStage.FINISHED
        resolve(step, outcomes[0])

    @_kept
    async def _catch_up(self, *, request: RoundRequest, donors: list[bytes], future: MPFuture) -> None:
        await self._stop_attending()
        await fulfil(future, self._runner.catch_up(request, [PeerID(donor) for donor in donors]))

    @_kept
    async def _drawn_work(
        self,
        *,
        draw: WorkDraw,
        epoch: int,
        head: bytes,
        own_weight: float,
        most_rows: float,
        future: MPFuture,
    ) -> None:
        await fulfil(future, self._work_auditor.sample(draw, epoch, head, own_weight, most_rows))

    @_kept
    async def _judge_work(self, *, peer: bytes, verdict: WorkVerdict, future: MPFuture) -> None:
        await fulfil(future, self._work_auditor.judge(PeerID(peer), verdict))

    @_kept
    async def _download_state(
        self,
        *,
        donors: list[bytes],
        chunk_seconds: float,
        servers: frozenset[bytes],
        vouched: tuple[VouchedState, ...],
        goes_on: bool,
        only: bytes | None,
        future: MPFuture,
    ) -> None:
        async def work() -> tuple[StateOutline, torch.Tensor]:
            peers = [PeerID(donor) for donor in donors]
            strangers = await self._strangers(peers)
            records = await self._commit_log.newest()
            users = dict(zip(donors, self._users_of(peers), strict=False))  # in an open run there are none
            return await self._downloads.download(
                [peer for peer in peers if peer not in strangers],
                chunk_seconds=chunk_seconds,
                voices=StateVoices(vouched, vouched_by_commits(records), servers, users),
                only=only,
            )

        await fulfil(
            future,
            unless_stalled(work(), lambda: self._downloads.arrived, _DOWNLOAD_SECONDS)
            if goes_on
            else bounded(work(), _DOWNLOAD_SECONDS),
        )

    @_kept
    async def _describe_state(self, *, donor: bytes, chunk_seconds: float, future: MPFuture) -> None:
        await fulfil(future, self._downloads.describe(PeerID(donor), chunk_seconds=chunk_seconds))

    @_kept
    async def _ask_sums(
        self, *, peers: list[bytes], question: SumsQuestion, seconds: float, future: MPFuture
    ) -> None:
        async def work() -> dict[bytes, StateSums]:
            asked = [PeerID(peer) for peer in peers]
            strangers = await self._strangers(asked)
            known = [peer for peer in asked if peer not in strangers]
            found = await ask_sums(self._stub, known, question, seconds=seconds)
            return {peer.to_bytes(): answer for peer, answer in found.items()}

        await fulfil(future, work())

    async def _distrust(self, *, users: list[Voter], givers: bool) -> None:
        self._downloads.distrust(users, givers=givers)

    async def _shutdown(self, timeout: float | None) -> None:
        if not self.client_mode:
            await self.remove_p2p_handlers(self._p2p, namespace=self.prefix)
        await self._p2p.shutdown()  # removes its socket
