"""A home's peer with the product's whole exchange and a stand-in for its GPU, as a process: ``python -m`` runs it.

The loop is that of the trainer (`core.trainer.train`) without data, pictures and checkpoints.
"""

import gc
import multiprocessing
import os
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import psutil
import torch
from pydantic import Field, TypeAdapter

from benchmarks.internet.paced.marks import HomeMark, MarkCause
from benchmarks.internet.paced.passed_bytes import BusiestWindow, own_bytes
from benchmarks.internet.paced.stand_in import TimedSteps, Wandering, mapped_model, overlapping_model
from core.children import child
from core.children.processes import family, memory_held
from core.errors import SwarmError
from core.messages.children import Failed, Heartbeat, Hello
from core.messages.lines import Channel, Message
from core.messages.reach import ReachChanged, ReachFound
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.swarm.bandwidth import Line, Way
from core.swarm.dht import Network
from core.swarm.peer import Peer
from core.swarm.phase import Phase
from core.swarm.reach.finder import FoundReach
from core.swarm.update import LandedEpoch
from core.trainer.reach import ReachReports, entering, watch_of
from core.trainer.settings import TrainerSettings

_IDLE_SECONDS = 0.01
_LOSS = 5.0
_WAITING = "waiting"


class StartHome(Message):
    """Settings of a home's peer."""

    type: Literal["start_home"] = "start_home"
    manifest: Path
    folder: Path
    initial_peers: tuple[str, ...]
    listen: tuple[str, ...] = ()
    """Multiaddresses to listen at, where the home finds out how others reach it; empty: nobody connects to it."""
    parameters: Path
    """File of the initial parameters."""
    seed: int
    samples_per_second: float
    micro_batch: int
    upload: int | None = None
    """Cap in bytes a second; None sets none."""
    download: int | None = None


class EndHome(Message):
    """An order to mark the end, and to leave."""

    type: Literal["end_home"] = "end_home"


class HomeNotice(Message):
    """A sentence for the volunteer."""

    type: Literal["home_notice"] = "home_notice"
    text: str


_FromHome = HomeMark | HomeNotice | ReachFound | ReachChanged | Hello | Heartbeat | Failed
FROM_HOME: TypeAdapter[_FromHome] = TypeAdapter(Annotated[_FromHome, Field(discriminator="type")])


def serve(start: StartHome, channel: Channel) -> None:
    """Train until the order to end, or the end of the input."""
    gc.freeze()  # as in a real trainer: a collection would write to pages that forks share
    torch.set_num_threads(1)
    multiprocessing.set_start_method("fork", force=True)
    manifest = RunManifest.load(start.manifest)
    local, wandering = manifest.training.swarm.local_steps, Wandering(start.seed)
    if local is not None:
        model = mapped_model(picture_rules(manifest.training).model, start.parameters)
        changing = [item.data for item in model.parameters()]
    else:
        model, gradients = overlapping_model(picture_rules(manifest.training).model)
        changing = [gradients]
    network, found = _entering(start, manifest)
    peer = Peer.start(
        manifest,
        model,
        network,
        start.folder / "identity",
        line=Line(start.upload, start.download),
        notify=lambda text: channel.send(HomeNotice(text=text)),
    )
    steps = TimedSteps(
        lambda: wandering.move(changing),
        lacking=lambda: peer.work.lacking,
        samples_per_second=start.samples_per_second,
        micro_batch=start.micro_batch,
    )
    ended = threading.Event()
    threading.Thread(target=_await_end, args=(channel, ended), daemon=True).start()
    try:
        published = partial(setattr, peer.optimizer.progress, "reach")
        reach = ReachReports(watch_of(peer.dht, found), channel.send, published)
        PacedLoop(peer, steps, reach, channel).run(ended)
    finally:
        peer.leave()


def _entering(start: StartHome, manifest: RunManifest) -> tuple[Network, FoundReach | None]:
    """Return how a home enters the swarm: as a trainer does, or as one that nobody connects to."""
    network = Network(initial_peers=start.initial_peers, upnp=False, check_identity=False)
    if not start.listen:
        return replace(network, client_mode=True), None
    listening = replace(network, listen=start.listen)
    return entering(TrainerSettings(start.manifest, start.folder, listening, finds_reach=True), manifest)


def _await_end(channel: Channel, ended: threading.Event) -> None:
    channel.receive(TypeAdapter(EndHome))
    ended.set()


class PacedLoop:
    """The training loop with timed micro-steps, and the account of its time."""

    def __init__(self, peer: Peer, steps: TimedSteps, reach: ReachReports, channel: Channel) -> None:
        """Drive ``peer`` with ``steps``, and report its ``reach`` as a trainer does; marks go to ``channel``."""
        self._peer, self._steps, self._reach, self._channel = peer, steps, reach, channel
        self._busiest = BusiestWindow()
        threading.Thread(target=self._busiest.watch, daemon=True).start()
        self._stalled, self._stalled_cpu = defaultdict[str, float](float), defaultdict[str, float](float)

    def run(self, ended: threading.Event) -> None:
        """Train until ``ended`` is set."""
        optimizer = self._peer.optimizer
        while optimizer.phase == Phase.JOINING and not ended.is_set():
            self._advance()
            time.sleep(_IDLE_SECONDS)
        self._stalled.clear()
        self._mark("joined")
        while not ended.is_set():
            computes = optimizer.may_compute
            if computes:
                self._steps.step()
                optimizer.accumulate(_LOSS, self._steps.micro_batch)
            with self._counted(optimizer.phase if computes else _WAITING):
                landed = self._advance()
                if landed is None and not computes:
                    time.sleep(_IDLE_SECONDS)
            if landed is not None:
                self._mark("landed", landed)
        self._mark("ended")

    def _advance(self) -> LandedEpoch | None:
        """Do what is due, and mark the beginning and the end of what the peer fetches from others."""
        before = self._peer.optimizer.phase
        landed = self._peer.optimizer.advance()
        now = self._peer.optimizer.phase
        if now == Phase.RECOVERING != before:
            self._mark("recovering")
        elif before == Phase.RECOVERING != now:
            self._mark("recovered")
        if self._reach.must_restart():
            raise SwarmError(
                "Others reach this home in another way than at its start.", "Let nothing else run."
            )
        return landed

    @contextmanager
    def _counted(self, what: str) -> Iterator[None]:
        began, cpu = time.monotonic(), time.thread_time()
        yield
        self._stalled[what] += time.monotonic() - began
        self._stalled_cpu[what] += time.thread_time() - cpu

    def _mark(self, cause: MarkCause, landed: LandedEpoch | None = None) -> None:
        place, outcome = self._peer.optimizer.place, landed.outcome if landed else None
        pids = [os.getpid(), *family(os.getpid())]
        (down, up), line = own_bytes(), self._peer.line
        self._channel.send(
            HomeMark(
                cause=cause,
                epoch=place.epoch,
                at=time.monotonic(),
                computed=self._steps.computed,
                stalled=dict(self._stalled),
                stalled_cpu=dict(self._stalled_cpu),
                cpu=sum(map(_cpu_of, pids)) - self._steps.cpu,
                down=down,
                up=up,
                told_down=line.on_wire(Way.DOWN),
                told_up=line.on_wire(Way.UP),
                messages_down=line.averager.passed(Way.DOWN),
                messages_up=line.averager.passed(Way.UP),
                busiest_down=self._busiest.most[0],
                busiest_up=self._busiest.most[1],
                memory=memory_held(pids).size,
                own_samples=landed.own_samples if landed else 0,
                samples=outcome.samples if outcome else 0.0,
                included_parts=len(outcome.included_parts) if outcome else 0,
                digest=place.digest,
                matchmaking_seconds=outcome.matchmaking_seconds if outcome else None,
                exchange_seconds=outcome.exchange_seconds if outcome else None,
            )
        )


def _cpu_of(pid: int) -> float:
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system)


if __name__ == "__main__":
    child.live(TypeAdapter(StartHome), serve)
