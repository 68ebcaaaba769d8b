"""A daemon at work: reads the machine, asks the policy, and has the trainer follow.

Everything happens on one event loop; what takes long is a task or a process of its own. `client.service.orders`
carries out what front ends ask for, `client.service.snapshots` shows them what is.
"""

import asyncio
import logging
import os
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from client.account.errands import HubSettings
from client.admission.coordination import Coordination
from client.admission.memberships import Memberships, Places
from client.api.errors import ClientError, ControlError, StateError
from client.api.messages import Notice, Progress, Superseded, TrainerMessage
from client.api.snapshot import NoticeView
from client.autostart.interface import Autostart
from client.contribution.stats import Contribution
from client.errands import Errands
from client.generation.gallery import Gallery
from client.generation.queue import PictureQueue
from client.joining.run_card import RunCard
from client.machine.readings import NOT_READ, GpuReading, Readings
from client.paths import Paths
from client.policy.policy import Budget, Decision, Effect, Memory, PauseReason, Situation, decide
from client.preferences.preferences import Preferences
from client.service.books import Books
from client.service.choices import Choices
from client.service.disk_use import DiskUse
from client.service.kept_preferences import KeptPreferences
from client.service.launching import Modules, half_the_line, trainer_budget, trainer_program
from client.service.life import Life
from client.service.lookout import Lookout, Machine, Reactions
from client.service.painting import SessionPainters
from client.service.prospecting import Prospecting
from client.service.restarts import Fault
from client.service.run import PEER, Run, usable_gpus
from client.service.scouting import SessionScouts
from client.service.state import State, is_alive
from client.service.time_lapse import TimeLapse
from client.service.training import Training
from core.children.program import Program
from core.errors import AdmissionError, SwarmError

_log = logging.getLogger(__name__)
NOTICES_KEPT = 20
IDENTITY = "identity"
"""File of the peer's key, in the folder of what is the trainer's own."""
LOOK_WHILE_COMPUTING = 1.0
LOOK_WHILE_FROZEN_ON_GPU = 1.5
LOOK_WHILE_PAUSED = 5.0
LOOK_WHILE_OFF = 30.0
"""Seconds between two looks at the machine; a trainer that is frozen on a GPU holds memory that a game may need."""
_NEEDED_NOW = {PauseReason.GPU_MEMORY_NEEDED, PauseReason.RAM_NEEDED}
"""Reasons for which a trainer has no time to leave in order."""


class Session:
    """From the daemon's start to its end."""

    def __init__(
        self,
        paths: Paths,
        machine: Machine,
        contribution: Contribution,
        changed: Callable[[], None],
        modules: Modules,
        autostart: Autostart,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        hub: HubSettings = HubSettings(),  # noqa: B008 - frozen
    ) -> None:
        """``changed`` is called whenever a snapshot taken now would differ; ``hub`` is where runs sign people in."""
        self.paths, self.modules, self.now = paths, modules, now
        self._changed = changed
        reactions = Reactions(self._on_look, self.consider, self._seconds_to_next_look)
        self._lookout = Lookout(machine, reactions, now)
        self.notices: deque[NoticeView] = deque(maxlen=NOTICES_KEPT)
        self.choices = Choices(paths.state, self.notice, now)
        self.books = Books(contribution, now)
        self._disk_use = DiskUse(paths.data / "runs", now)
        self.kept = KeptPreferences(paths.preferences, autostart, self.notice)
        places = Places(paths.memberships, lambda run: paths.run(run) / PEER / IDENTITY)
        errands = Errands(paths.log("errands"))
        self.members = Memberships(errands, hub.endpoint, places, changed, now)
        self.members.entered = self._on_entered
        self.run: Run | None = None
        self.time_lapse = TimeLapse(self)
        self.pictures = PictureQueue(
            SessionPainters(self), Gallery(paths.gallery), self.notice, changed, now, modules.patience
        )
        self.prospecting = Prospecting(SessionScouts(self, errands, hub.endpoint), changed, self.consider)
        self._memory = Memory()
        self._switching, self._is_closing = asyncio.Lock(), False
        self.decision = self._decide()

    # --- its life -----------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Go on with the run that was joined: before anybody can ask, who would be told that there is none."""
        if self.choices.run_folder is not None:
            self._open(self.choices.run_folder)

    async def live(self) -> None:
        """Keep the trainer as the policy wants it; until cancelled."""
        await self.pictures.open()
        await self._lookout.live()

    async def close(self, seconds: float) -> None:
        """End the trainer in order if it can be done in that time, and save what was counted."""
        self._is_closing = True
        await self.pictures.close()
        await self.prospecting.close()
        await self.time_lapse.close()
        async with self._switching:
            if self.run is not None:
                await self.run.training.close(seconds)
                await self.run.coordination.close()
        await self.save()
        self.books.contribution.close(self.now())

    async def _on_look(self) -> None:
        self.consider()
        self._keep_books()

    def look(self) -> None:
        """Look at the machine and decide again, soon."""
        self._lookout.look()

    @property
    def readings(self) -> Readings:
        return self._lookout.readings

    @property
    def has_looked(self) -> bool:
        """Whether the machine has been looked at; before, every decision is one about nothing."""
        return self._lookout.has_looked

    def _seconds_to_next_look(self) -> float:
        if self.run is None:
            return LOOK_WHILE_OFF
        if self.run.gpu is not None and is_alive(self.run.training.state):
            paused = self.decision.effect >= Effect.PAUSE
            return LOOK_WHILE_FROZEN_ON_GPU if paused else LOOK_WHILE_COMPUTING
        return LOOK_WHILE_PAUSED if self.decision.effect >= Effect.PAUSE else LOOK_WHILE_COMPUTING

    # --- deciding -----------------------------------------------------------------------------------------------

    def consider(self) -> None:
        """Decide from the readings at hand, and have the trainer follow."""
        self._read_preferences()
        before, self.decision = self.decision, self._decide()
        self._arm()
        if self.run is not None:
            self._have_followed(self.run)
        self.pictures.tell_budget()
        if self.decision != before:
            self._changed()

    def _have_followed(self, run: Run) -> None:
        """What the policy wants, carried out; a GPU that is held is given back at once, as games need it."""
        run.coordination.want(self.decision.effect < Effect.PAUSE)
        alive = is_alive(run.training.state)
        if not alive and self.readings.gpus is NOT_READ:
            return  # what it would be started on is not known yet
        if run.training.state is State.TRAINING and run.gpu is None and self.training_gpus:
            run.training.renew()  # it had to start before the driver told of the GPU
        on_gpu = alive and self._on_gpu
        at_once = on_gpu or not _NEEDED_NOW.isdisjoint(_codes(self.decision))
        # somebody who is no member any more only waits for others to refuse them
        effect = Effect.LEAVE if run.coordination.problem else self.decision.effect
        run.training.want(effect, trainer_budget(self.allowed), at_once=at_once)

    def _decide(self) -> Decision:
        decision, self._memory = decide(self.preferences, self._situation(), self._memory)
        return decision

    @property
    def allowed(self) -> Budget:
        """What the trainer may take: half of the connection while another process draws, or fetches anything."""
        fetches = self.time_lapse.is_fetching or self.prospecting.is_bringing
        is_alone = self.pictures.child is None and not fetches
        return self.decision.budget if is_alone else half_the_line(self.decision.budget)

    def _arm(self) -> None:
        computes = self.run is not None and self.decision.effect < Effect.PAUSE
        self._lookout.arm(computes and PauseReason.IN_USE not in _codes(self.decision))

    def _read_preferences(self) -> None:
        before = self.kept.read()
        if before is not None and self.run is not None and _needs_new_trainer(before, self.preferences):
            self.run.training.renew()

    @property
    def preferences(self) -> Preferences:
        return self.kept.current

    def _situation(self) -> Situation:
        now = self.now()
        return Situation(
            readings=replace(self.readings, now=now),
            on_gpu=self._on_gpu,
            cores=os.cpu_count() or 1,
            consent=self.choices.consented,
            paused=self.choices.paused,
            snoozed_until=self.choices.snoozed_until(now),
            trying_out=self.prospecting.is_measuring,
            month_bytes=self.books.contribution.month_bytes(now),
            gpu_index=self.run.gpu if self.run else None,
            disk_used=self._disk_use.bytes,
            own_gpu_memory=self.run.gpu_memory if self.run else 0,
            own_ram=self.run.ram(self.books.memory_held) if self.run else 0,
        )

    @property
    def training_gpus(self) -> tuple[GpuReading, ...]:
        """Those that train, or would."""
        return usable_gpus(self.readings, self.preferences.gpus)

    @property
    def _on_gpu(self) -> bool:
        """Whether the trainer computes on a GPU, or would."""
        if self.run is None or self.run.training.life is None:
            return bool(self.training_gpus)
        return self.run.computes_on_gpu()

    def _keep_books(self) -> None:
        if self.run is None:
            return
        used = next((item for item in self.training_gpus if item.index == self.run.gpu), None)
        self.books.keep(self.run.card, self.run.training, used, self.preferences.ram_limit)
        self._disk_use.look()
        self.run.coordination.look_at_board()

    # --- the run ------------------------------------------------------------------------------------------------

    async def join(self, folder: Path) -> RunCard:
        """Train the run in that folder from now on; JoinError if there is none."""
        card = RunCard.load(folder)
        async with self._switching:
            await self._end_run()
            self.choices.join(folder)
            self._open(folder)
        self.consider()
        self.look()
        return card

    async def leave(self) -> None:
        """Train no run any more."""
        async with self._switching:
            await self._end_run()
            self.choices.leave()
        self.consider()

    async def _end_run(self) -> None:
        if self._is_closing:
            raise ControlError("The daemon is about to end.", "Start it again in a moment, if you like.")
        if self.run is not None:
            await self.time_lapse.close()
            await self.run.training.close()
            await self.run.coordination.close()
            self.run = None

    def _open(self, folder: Path) -> None:
        try:
            card = RunCard.load(folder)
        except ClientError as error:
            self.notice(str(error))
            return
        coordination = Coordination(
            card, folder, self.members, self._on_coordination, lambda: self._on_new_manifest(folder), self.now
        )
        training = Training(
            lambda: self._program(folder),
            card.total_epochs,
            self._heard,
            self._on_training_changed,
            may_start=lambda: coordination.may_start,
            crashes=self.choices.crashes(self.now()),
            patience=self.modules.patience,
        )
        self.run = Run(folder, card, training, coordination)
        coordination.open()

    def _program(self, folder: Path) -> Program:
        """What runs in the trainer's next life: on the emptiest GPU of those that may train, or on the processor."""
        gpu = max(self.training_gpus, key=lambda item: item.memory_free, default=None)
        if self.run is not None:
            self.run.gpu = gpu.index if gpu else None
        token = self.run.coordination.token if self.run else None
        return trainer_program(folder, self.paths, self.preferences, self.allowed, gpu, self.modules, token)

    def _heard(self, life: Life, message: TrainerMessage) -> None:
        if self.run is None:
            return
        self.books.contribution.heard(self.run.card.trained, life.id, message, self.now())
        self.pictures.heard(life, message)
        match message:
            case Progress():
                self.run.hear(life, message, self.now())
            case Notice():
                self.notice(message.text)
            case Superseded() if message.generation > self.run.card.generation:
                self.run.coordination.succession.superseded()
                self.notice("The run's organiser has taken it back to an earlier checkpoint.")
        self._changed()

    def _on_training_changed(self) -> None:
        if self.run is not None:
            stands_still = self.run.training.state in (State.SETTLING, State.FROZEN)
            self.pictures.trainer_is(None if stands_still else self.run.training.life)
            self._on_change_of(self.run, self.run.training)
        self._changed()
        self.look()

    def _on_change_of(self, run: Run, training: Training) -> None:
        if training.problem is not None and training.state is State.BACKING_OFF:
            if training.problem.code == SwarmError.code:
                run.coordination.succession.lost()
            if training.problem.code == AdmissionError.code:
                run.coordination.refused()
            if training.fault is Fault.CRASH:
                self.choices.crashed()
                self._save_soon()
            self.notice(str(training.problem))
        if training.state is State.FROZEN:
            self.books.contribution.write(
                self.now()
            )  # nothing that is said will bring it to the disk for a while
        if run.is_last_epoch and training.state is State.TRAINING:
            training.finish()  # what it was told before a crash or a pause counts
        elif run.is_last_epoch and training.state is State.IDLE and training.has_finished:
            run.is_last_epoch = False
            self.choices.finish()
            self._save_soon()
            self.consider()

    # --- its coordinator ----------------------------------------------------------------------------------------

    def _on_coordination(self) -> None:
        if self.run is not None and (token := self.run.coordination.token) is not None:
            self.run.training.admit(token.get_secret_value())
        if self.run is not None and (standing := self.run.coordination.standing) is not None:
            self.books.contribution.ranked(self.run.card.trained, standing)
        self.consider()
        self._changed()

    def _on_entered(self, digest: str) -> None:
        if self.run is not None and self.run.card.digest == digest:
            self.run.training.retry()
            self.run.coordination.again()

    def _on_new_manifest(self, folder: Path) -> None:
        self._reopening = asyncio.ensure_future(self._reopen(folder))

    async def _reopen(self, folder: Path) -> None:
        """Go on with the run as its organiser has issued it anew: other peers, another gate or generation."""
        async with self._switching:
            if self._is_closing or self.run is None or self.run.folder != folder:
                return
            await self._end_run()
            self._open(folder)
        self.consider()

    # --- saying -------------------------------------------------------------------------------------------------

    async def save(self) -> None:
        """Bring what the volunteer has said to the disk, without waiting for it in place."""
        try:
            await asyncio.to_thread(self.choices.save)
        except StateError as error:
            self.notice(str(error))

    def _save_soon(self) -> None:
        self._saving = asyncio.ensure_future(self.save())

    def finish(self) -> bool:
        """Stop once the epoch is over; whether there is an epoch to complete."""
        if self.run is None or not is_alive(self.run.training.state):
            return False
        self.run.is_last_epoch = True
        self.run.training.finish()
        return True

    def notice(self, text: str) -> None:
        """Something the volunteer may want to know."""
        _log.info("%s", text)
        self.notices.append(NoticeView(time=self.now(), text=text))
        self._changed()


def _codes(decision: Decision) -> set[PauseReason]:
    return {reason.code for reason in decision.reasons}


def _needs_new_trainer(before: Preferences, after: Preferences) -> bool:
    """Whether something has changed that a trainer learns at its start alone."""
    return any(
        getattr(before, name) != getattr(after, name)
        for name in ("gpus", "ram_limit", "vram_limit", "listening_port")
    )
