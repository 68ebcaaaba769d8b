"""One trainer peer's life: join the swarm, compute micro-steps, and see epochs through, until told to stop."""

import multiprocessing
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import torch

from core import edge_checkpoint
from core.beside import Beside, Samples
from core.contact import ClipRanking
from core.data.streaming.stream import CodeStream
from core.edge_checkpoint import EdgeCheckpoint
from core.events import (
    Budget,
    Command,
    CommandSource,
    EpochCommitted,
    Event,
    Finished,
    Joined,
    Notice,
    Planned,
    Progress,
    Settled,
    Superseded,
)
from core.memory.failures import remember
from core.memory.planning import MemoryPlan
from core.micro_steps import MicroSteps
from core.model.transformer import Transformer
from core.pace import Abandoned, CudaQueue, Pace, Together
from core.placement import Resources, device_class, place, plan_for
from core.random_state import restore_random_state
from core.run import RunManifest
from core.swarm.admission.attendance import Attendance
from core.swarm.bandwidth import Line
from core.swarm.dht import Network
from core.swarm.peer import Peer, initial_model_generator
from core.swarm.update import LandedEpoch, Landing
from core.text import CaptionTokenizer

_PROGRESS_SECONDS = 1.0
_IDLE_SECONDS = 0.01
_PAUSED_SECONDS = 1.0
_LEAVING_SECONDS = 2.0


@dataclass(frozen=True)
class TrainerSettings:
    """What one peer's trainer is told; what all peers share is in the run manifest."""

    manifest: Path
    """The files it names lie beside it."""
    state_dir: Path
    """Where this peer keeps its identity and its checkpoint."""
    initial_peers: tuple[str, ...] = ()
    """Multiaddresses; those of the manifest's contact part are used where none is given."""
    listen: tuple[str, ...] = ("/ip4/127.0.0.1/tcp/0",)
    admission: str | None = None
    """Access token, for a run that has a gate; `CommandSource.admission` renews it."""
    client_mode: bool = False
    """Accept no incoming connections."""
    relay: bool = False
    """Be reached through relays, for a machine behind a NAT."""
    seed: int = 0
    """Makes this peer's order of the data its own."""
    threads: int = 1
    upload: int | None = None
    download: int | None = None
    """Caps in bytes a second; None for none. ``Peer.line`` changes them while it trains."""
    resources: Resources = field(default_factory=Resources)
    """What the memory plan is made of."""
    stop_at_epoch: int | None = None
    stay: bool = False
    """At the end, stay in the swarm until told to stop, for peers that come late to fetch the state from."""
    checkpoint_every: int = 10
    """Epochs between checkpoints."""
    samples: Samples | None = None
    """Pictures of the run's sample prompts that this peer draws, or takes turns with others to draw; None: none."""
    deterministic: bool = False
    """One peer alone, its epochs counted in micro-steps: a resumed run equals an uninterrupted one bit for bit."""
    landing_micro_steps: int = 0
    """In deterministic mode: micro-steps on the old parameters after an epoch's end."""

    @property
    def checkpoint(self) -> Path:
        return self.state_dir / "checkpoint"

    @property
    def failures(self) -> Path:
        """Where it is remembered what took too much memory."""
        return self.state_dir / "out-of-memory.json"


def run(settings: TrainerSettings, report: Callable[[Event], None], commands: CommandSource) -> None:
    """Train until the run, the settings or a command end it; raises CoreError when it cannot go on."""
    torch.set_num_threads(settings.threads)
    # hivemind's averager takes its tensors and pipes along by forking; macOS would start processes anew
    multiprocessing.set_start_method("fork", force=True)
    manifest = RunManifest.load(settings.manifest)
    saved = edge_checkpoint.load(settings.checkpoint, manifest)
    chosen = plan_for(manifest.training, settings.resources, settings.failures)
    model = Transformer(manifest.training.model, initial_model_generator(manifest))
    line = Line(settings.upload, settings.download)
    _meter(manifest, line)
    tokenizer, stream = _open_data(settings, manifest, lambda text: report(Notice(text)))
    if saved is not None:
        stream.load_state_dict(saved.cursor)
        restore_random_state(saved.random_state)
    state = edge_checkpoint.swarm_state(saved, manifest) if saved is not None else None
    peer = Peer.start(
        manifest,
        model,
        Network(
            listen=settings.listen,
            initial_peers=settings.initial_peers or manifest.contact.initial_peers,
            client_mode=settings.client_mode,
            relay=settings.relay,
        ),
        settings.state_dir / "identity",
        line=line,
        saved=state,
        landing=Landing(settings.landing_micro_steps) if settings.deterministic else None,
        token=commands.admission or settings.admission,
        notify=lambda text: report(Notice(text)),
    )
    try:
        place(model, chosen)
        peer.optimizer.device = device_class(model)
        if saved is not None and state is not None:
            peer.accumulator.load(edge_checkpoint.accumulated(saved))
        loop = _Loop(settings, manifest, model, chosen, tokenizer, stream, peer, report, commands)
        loop.run()
    finally:
        stream.close()
        peer.leave()


@dataclass
class _Loop:
    """The loop and what it keeps between turns."""

    settings: TrainerSettings
    manifest: RunManifest
    model: Transformer
    plan: MemoryPlan
    tokenizer: CaptionTokenizer
    stream: CodeStream
    peer: Peer
    report: Callable[[Event], None]
    commands: CommandSource
    clock: Callable[[], float] = time.monotonic
    reported_at: float = field(default=float("-inf"))
    traffic_before: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        self.checkpoint = EdgeCheckpoint(
            self.settings.checkpoint,
            self.manifest,
            self.peer,
            self.stream,
            self.report,
            deterministic=self.settings.deterministic,
        )
        self.budget: Budget = self.commands.budget
        self.attendance = Attendance(
            self.peer.admission, self.peer.optimizer, lambda text: self.report(Notice(text))
        )
        self.pace = Pace(
            self.commands,
            Together(self.stream, self.peer.optimizer),
            self._on_settled,
            CudaQueue() if self.plan.on_gpu else None,
        )
        self.micro_steps = MicroSteps(
            self.model,
            (item.techniques for item in self.plan.steps_down()),
            self._on_step_down,
            self.pace.between,
        )
        self.pictures = Beside(
            self.settings.samples,
            self.manifest,
            self.settings.manifest.parent,
            self.model,
            self.tokenizer,
            self.peer,
            self.report,
        )

    def run(self) -> None:
        own = sum(item.numel() for item in self.model.parameters())
        self.report(Joined(self.peer.identity.peer_id.to_base58(), self.peer.optimizer.epoch, own))
        self.report(_planned(self.plan))
        last, stays = self._last_epoch(), self.settings.stay
        while self.peer.optimizer.epoch < last:
            command = self.pace.next_command()
            stays = stays and command not in (Command.FINISH, Command.STOP)
            if command == Command.FINISH:
                last = min(last, self.peer.optimizer.epoch + 1)
            if command == Command.STOP:
                self.peer.optimizer.finish_round(_LEAVING_SECONDS)
                break
            self._obey_budget()
            try:
                if self._goes_on():
                    self._turn()
                else:
                    time.sleep(_IDLE_SECONDS)
            except Abandoned:
                self.peer.accumulator.drop()
            self._tell_progress()
            if self._is_superseded():
                return
        self.checkpoint.save()
        if self.peer.optimizer.epoch >= last:
            self.pictures.finish(self.plan)
        place = self.peer.replica.place
        self.report(Finished(place.epoch, place.digest))
        while stays and self.commands.wait(_PAUSED_SECONDS) != Command.STOP:
            self._goes_on()
            if self._is_superseded():
                return
        self.peer.optimizer.linger(_LEAVING_SECONDS)

    def _goes_on(self) -> bool:
        return self.attendance.goes_on(self.commands.admission)

    def _is_superseded(self) -> bool:
        """Whether the run was taken back; its checkpoint stays as it is, for it may be where the run begins again."""
        if (state := self.peer.state_watch.newer()) is None:
            return False
        self.report(Superseded(state.generation))
        return True

    def _turn(self) -> None:
        """One micro-step if it would count and there is data for it, and whatever the swarm is due."""
        ready = self.stream.ready(self.micro_steps.micro_batch)
        computes = ready and self.peer.optimizer.may_compute
        if computes:
            self._micro_step()
        landed = self.peer.optimizer.advance()
        if landed is not None:
            self._on_epoch(landed)
        elif not self._draw(computes) and not computes:
            time.sleep(_IDLE_SECONDS)

    def _tell_progress(self) -> None:
        if self.clock() - self.reported_at >= _PROGRESS_SECONDS:
            self.report(self._progress())
            self.reported_at = self.clock()

    def _draw(self, computes: bool) -> bool:
        """Draw what is asked for, for a moment; whether there was something to draw."""
        with self.pace.beside():
            return self.pictures.draw_on(self.commands.pictures, self.plan, computes=computes)

    def _micro_step(self) -> None:
        captions, codes = self.stream.take(self.micro_steps.micro_batch)
        device = next(self.model.parameters()).device
        text = self.tokenizer.encode(captions).to(device)
        # gradients are summed over samples, so that peers with other micro-batches weigh alike
        with self.pace.micro_step():
            loss = self.micro_steps.add_gradients(text, codes.to(device))
        self.peer.optimizer.accumulate(loss, len(captions))

    def _on_step_down(self) -> None:
        """Memory ran out: remember what took too much, and tell what is done instead."""
        with suppress(OSError):  # a full disk must not end the training
            remember(self.settings.failures, self.manifest.training.model, self.plan)
        leaner = self.plan.leaner()
        assert leaner is not None
        self.plan = leaner
        self.report(Notice("Memory ran out; training goes on with less of it, and no sample is lost."))
        self.report(_planned(self.plan))

    def _on_epoch(self, landed: LandedEpoch) -> None:
        sent, received = self.peer.line.sent, self.peer.line.received
        self.report(
            EpochCommitted(
                epoch=landed.place.epoch,
                loss=landed.loss,
                samples=round(landed.outcome.samples),
                own_samples=landed.own_samples,
                peers=landed.outcome.members,
                seconds=landed.seconds,
                parameter_digest=landed.place.digest,
                bytes_sent=sent - self.traffic_before[0],
                bytes_received=received - self.traffic_before[1],
            )
        )
        self.traffic_before = sent, received
        self.checkpoint.pass_edge()
        if self.checkpoint.failed or landed.place.epoch % self.settings.checkpoint_every == 0:
            self.checkpoint.save()
        self.pictures.pass_epoch(landed.place, is_last=landed.place.epoch == self._last_epoch())

    def _progress(self) -> Progress:
        optimizer, line = self.peer.optimizer, self.peer.line
        own, view = optimizer.record(), optimizer.view
        target = self.manifest.training.swarm.target_batch_size
        left = view.seconds_to_batch(own, target, view.time)
        return Progress(
            epoch=optimizer.epoch,
            loss=optimizer.loss,
            samples=optimizer.samples,
            swarm_samples=int(view.samples(own, view.time)),
            target_batch_size=target,
            peers=view.trainers(),
            samples_per_second=view.samples_per_second(own),
            seconds_to_next_epoch=left if left < float("inf") else None,
            bytes_sent=line.sent,
            bytes_received=line.received,
            micro_steps=self.pace.micro_steps,
            compute_seconds=self.pace.compute_seconds,
            data_wait=self.stream.waiting_share(),
        )

    def _on_settled(self) -> None:
        optimizer, number = self.peer.optimizer, self.commands.pause_number
        self.report(Settled(optimizer.epoch, optimizer.samples, number))

    def _obey_budget(self) -> None:
        budget = self.commands.budget
        if budget == self.budget:
            return
        self.budget = budget
        torch.set_num_threads(budget.threads or self.settings.threads)
        self.peer.line.limit(budget.upload, budget.download)

    def _last_epoch(self) -> int:
        total = self.manifest.training.schedule.total_epochs
        return min(total, self.settings.stop_at_epoch or total)


def _planned(found: MemoryPlan) -> Planned:
    return Planned(found.reason, found.techniques.micro_batch, found.taken.gpu, found.taken.ram)


def _meter(manifest: RunManifest, line: Line) -> None:
    """Let what comes from the Hub pass the line, if anything of the run does: its data, or what ranks pictures."""
    if manifest.training.data.hub is not None or isinstance(manifest.contact.ranking, ClipRanking):
        from core.data.network.metered import meter_hub  # here because it takes a second

        meter_hub(line.data)


def _open_data(
    settings: TrainerSettings, manifest: RunManifest, notify: Callable[[str], None]
) -> tuple[CaptionTokenizer, CodeStream]:
    training, base = manifest.training, settings.manifest.parent
    tokenizer = CaptionTokenizer.of_run(training.text, base)
    stream = CodeStream.open(training, base, peer=str(settings.seed), notify=notify)
    return tokenizer, stream
