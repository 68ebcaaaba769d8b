"""One trainer peer's life: join the swarm, compute micro-steps, and complete epochs, until ordered to stop."""

import logging
import math
import multiprocessing
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial

import torch

from core.data.streaming.sample_stream import SampleStream
from core.memory.failures import remember
from core.memory.planning import MemoryPlan
from core.messages.events import (
    Command,
    CommandSource,
    Event,
    Finished,
    Joined,
    Notice,
    Settled,
    Superseded,
    TrainingBudget,
)
from core.model.family.interface import SampleReader
from core.model.family.trainable import TrainableModel
from core.model.micro_steps import MicroSteps
from core.run.manifest import RunManifest
from core.swarm.admission.token_renewal import TokenRenewal
from core.swarm.bandwidth import Line, Way
from core.swarm.initial_model import initial_model
from core.swarm.peer import Peer, finish_round, linger
from core.swarm.rounds.partition import round_parts
from core.swarm.update import LandedEpoch
from core.trainer import edge_checkpoint
from core.trainer.edge_checkpoint import EdgeCheckpoint
from core.trainer.pace import Abandoned, CudaQueue, Pace, Together
from core.trainer.parts import check_data, enter, meter, open_data
from core.trainer.pictures import TrainerPictures
from core.trainer.placement import device_class, place, plan_for
from core.trainer.random_state import restore_random_state
from core.trainer.reach import ReachReports, entering, watch_of
from core.trainer.reports import committed, planned, progress, summary_of
from core.trainer.settings import TrainerSettings
from core.trainer.work_audits import WorkAudits
from core.trainer.work_check import Workshop

_Report = Callable[[Event], None]
_log = logging.getLogger(__name__)

_PROGRESS_SECONDS = 1.0
_IDLE_SECONDS = 0.01
_PAUSED_SECONDS = 1.0
_LEAVING_SECONDS = 2.0


def run(settings: TrainerSettings, report: _Report, commands: CommandSource) -> None:
    """Train until the run, the settings or a command end it.

    Args:
        settings: Settings of this peer's trainer.
        report: Called with each event.
        commands: Source of commands and budgets.

    Raises:
        CoreError: Training cannot go on.
    """
    torch.set_num_threads(settings.threads)
    # hivemind's averager inherits its tensors and pipes by forking; by default, macOS spawns processes
    multiprocessing.set_start_method("fork", force=True)
    manifest = RunManifest.load(settings.manifest)
    saved = edge_checkpoint.load(settings.checkpoint, manifest)
    chosen = plan_for(manifest.training, settings.resources, settings.failures)
    model = initial_model(manifest, settings.manifest.parent)
    line = Line(settings.upload, settings.download)
    meter(manifest, line)
    reader, stream = open_data(settings, manifest, _noticing(report))
    if saved is None:
        check_data(manifest.training, settings.manifest.parent)
    else:
        stream.load_state_dict(saved.cursor)
    state = edge_checkpoint.swarm_state(saved, manifest) if saved is not None else None
    token = commands.admission or settings.admission
    network, found = entering(settings, manifest)
    peer = enter(settings, network, manifest, model, line, _noticing(report), state=state, token=token)
    try:
        place(model, chosen)
        peer.work.begin()
        peer.optimizer.progress.device = device_class(model)
        if saved is not None:
            # Once all processes are forked: looking for a GPU's generators may initialise CUDA's driver.
            restore_random_state(saved.random_state)
        if saved is not None and state is not None:
            peer.work.load(edge_checkpoint.own_work(saved))
        reach = ReachReports(
            watch_of(peer.dht, found), report, partial(setattr, peer.optimizer.progress, "reach")
        )
        loop = _TrainingLoop(settings, manifest, model, chosen, reader, stream, peer, reach, report, commands)
        with closing(loop):
            loop.run()
    finally:
        stream.close()
        peer.leave()


@dataclass
class _TrainingLoop:
    """The training loop, with its state between turns."""

    settings: TrainerSettings
    manifest: RunManifest
    model: TrainableModel
    plan: MemoryPlan
    reader: SampleReader
    stream: SampleStream
    peer: Peer
    reach: ReachReports
    report: _Report
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
        self.budget: TrainingBudget = self.commands.budget
        self.token_renewal = TokenRenewal(self.peer.admission, self.peer.optimizer, _noticing(self.report))
        self.pace = Pace(
            self.commands,
            Together(self.stream, self.peer.optimizer),
            self._on_settled,
            CudaQueue(next(self.model.parameters()).device) if self.plan.on_gpu else None,
        )
        self.micro_steps = MicroSteps(
            self.model,
            (item.techniques for item in self.plan.steps_down()),
            self._on_step_down,
            self.pace.between,
        )
        self.work_audits = self._work_audits()
        self.pictures = TrainerPictures(
            self.settings.samples,
            self.manifest,
            self.settings.manifest.parent,
            self.model,
            self.peer,
            self.report,
        )

    def _work_audits(self) -> WorkAudits | None:
        """Return the audits of others' work, in runs where it can be recomputed."""
        swarm = self.manifest.training.swarm
        if not swarm.recomputed_share:
            return None
        parameters = self.peer.replica.masters.model_parameters()
        parts = round_parts([item.shape for item in parameters], swarm)
        shop = Workshop(self.model, parameters, parts, self.stream, self.reader, self.micro_steps)
        of_drifts = swarm.local_steps is not None
        return WorkAudits(self.peer, self.manifest.training.data_seed, shop, of_drifts=of_drifts)

    def run(self) -> None:
        own = sum(item.numel() for item in self.model.parameters())
        self.report(
            Joined(
                peer_id=self.peer.identity.peer_id.to_base58(),
                epoch=self.peer.optimizer.epoch,
                parameters=own,
            )
        )
        self._report_plan()
        last, stays = self._last_epoch(), self.settings.stay
        while self.peer.optimizer.epoch < last:
            command = self.pace.next_command()
            if command is not None:
                _log.info("Order: %s.", command)
            stays = stays and command not in (Command.FINISH, Command.STOP)
            if command == Command.FINISH:
                last = min(last, self.peer.optimizer.epoch + 1)
            if command == Command.STOP:
                finish_round(self.peer.optimizer, _LEAVING_SECONDS)
                break
            self._obey_budget()
            if self._goes_on():
                self._turn()
            else:
                time.sleep(_IDLE_SECONDS)
            self._report_progress()
            if self._is_superseded():
                return
            if self.reach.must_restart():
                stays = False
                finish_round(self.peer.optimizer, _LEAVING_SECONDS)
                break
        self._end(last, stays)

    def close(self) -> None:
        """Give up what is computed of others' work."""
        if self.work_audits is not None:
            self.work_audits.close()

    def _end(self, last: int, stays: bool) -> None:
        """Save and report the end of training; then stay for peers that come late, or are still behind."""
        self.checkpoint.save()
        if self.peer.optimizer.epoch >= last:
            self.pictures.finish(self.plan)
        place = self.peer.replica.place
        self.report(Finished(epoch=place.epoch, parameter_digest=place.digest))
        while stays and self.commands.wait(_PAUSED_SECONDS) != Command.STOP:
            self._goes_on()
            if self._is_superseded():
                return
        linger(self.peer.optimizer, _LEAVING_SECONDS)

    def _goes_on(self) -> bool:
        return self.token_renewal.goes_on(self.commands.admission)

    def _is_superseded(self) -> bool:
        """Return true if the run was rolled back; the checkpoint stays, because the run may begin again from it."""
        if (state := self.peer.state_watch.newer()) is None:
            return False
        _log.warning("The organiser rolled the run back: generation %d begins.", state.generation)
        self.report(Superseded(generation=state.generation))
        return True

    def _turn(self) -> None:
        """Compute a micro-step if it would count and there is data for it, and do the swarm's due work."""
        place = self.peer.optimizer.place
        self.stream.begin_epoch(place.epoch, place.head)
        try:
            computes = self._audit_work() or self._compute()
        except Abandoned:
            self.peer.work.abandon()
            return
        landed = self.peer.optimizer.advance()
        if landed is not None:
            self._on_epoch(landed)
        elif not self._draw(computes) and not computes:
            time.sleep(_IDLE_SECONDS)

    def _audit_work(self) -> bool:
        """Compute a micro-batch of another peer's work, and return true if there was one to compute."""
        if self.work_audits is None:
            return False
        with self.pace.beside():
            return self.work_audits.turn()

    def _compute(self) -> bool:
        """Compute a micro-step, and return true, if it would count and there is data for it."""
        ready = self.stream.ready(self._next_samples())
        if not ready or not self.peer.optimizer.may_compute:
            return False
        self._micro_step()
        return True

    def _next_samples(self) -> int:
        """Return the samples of the next micro-step: a local step is cut into equal ones, none above the plan's."""
        most, lacking = self.micro_steps.micro_batch, self.peer.work.lacking
        return most if lacking is None else math.ceil(lacking / math.ceil(lacking / most))

    def _report_progress(self) -> None:
        if self.clock() - self.reported_at >= _PROGRESS_SECONDS:
            self.report(progress(self.peer, self.pace, self.stream, self.manifest.training.swarm))
            self.reported_at = self.clock()

    def _draw(self, computes: bool) -> bool:
        """Draw requested pictures for a moment; return true if there was something to draw."""
        with self.pace.beside():
            return self.pictures.draw_on(self.commands.pictures, self.plan, computes=computes)

    def _micro_step(self) -> None:
        batch = self.stream.take(self._next_samples())
        device = next(self.model.parameters()).device
        inputs = [item.to(device) for item in self.reader.inputs(batch)]
        # gradients are summed over samples, so that peers with other micro-batches weigh alike
        with self.pace.micro_step():
            loss = self.micro_steps.add_gradients(*inputs)
        self.peer.optimizer.accumulate(loss, len(batch.codes), batch.rows)

    def _on_step_down(self) -> None:
        """Remember the plan that ran out of memory, and report the leaner one that replaces it."""
        with suppress(OSError):  # a full disk must not end the training
            remember(self.settings.failures, self.manifest.training.model, self.plan)
        leaner = self.plan.leaner()
        assert leaner is not None
        self.plan = leaner
        _noticing(self.report)("Memory ran out. Training continues with less of it, and no sample is lost.")
        self._report_plan()

    def _report_plan(self) -> None:
        _log.info("Memory plan: %s", summary_of(self.plan))
        self.report(planned(self.plan))

    def _on_epoch(self, landed: LandedEpoch) -> None:
        sent, received = (self.peer.line.on_wire(way) for way in (Way.UP, Way.DOWN))
        before, self.traffic_before = self.traffic_before, (sent, received)
        self.report(committed(landed, sent - before[0], received - before[1]))
        self.checkpoint.pass_edge()
        if self.checkpoint.failed or landed.place.epoch % self.settings.checkpoint_every == 0:
            self.checkpoint.save()
        self.pictures.pass_epoch(landed.place, is_last=landed.place.epoch == self._last_epoch())

    def _on_settled(self) -> None:
        optimizer, number = self.peer.optimizer, self.commands.pause_number
        self.report(Settled(epoch=optimizer.epoch, samples=optimizer.samples, number=number))

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


def _noticing(report: _Report) -> Callable[[str], None]:
    def notify(text: str) -> None:
        _log.warning("%s", text)
        report(Notice(text=text))

    return notify
