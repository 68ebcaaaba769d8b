"""A daemon at work: reads the machine, asks the policy, and has the trainer follow.

Everything happens on one event loop; what takes long is a task or a process of its own. `client.service.orders`
carries out what front ends ask for, `client.service.snapshots` shows them what is.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from client.account.errands import HubSettings
from client.admission.memberships import Memberships, Places
from client.api.errors import ClientError, ControlError, StateError
from client.api.snapshot import NoticeView
from client.autostart.interface import Autostart
from client.contribution.stats import Contribution
from client.errands import Errands
from client.generation.gallery import Gallery
from client.generation.queue import PictureQueue
from client.joining.run_card import RunCard
from client.machine.readings import GpuReading, Readings
from client.paths import Paths
from client.policy.policy import Decision, Effect, Memory, PauseReason, decide
from client.preferences.preferences import Preferences
from client.service.books import Books
from client.service.choices import Choices
from client.service.disk_use import DiskUse
from client.service.following import follow
from client.service.kept_preferences import KeptPreferences
from client.service.launching import Modules
from client.service.lookout import Lookout, Machine, Reactions, seconds_between_looks
from client.service.painting import SessionPainters
from client.service.prospecting import Prospecting
from client.service.run import PEER, Run, usable_gpus
from client.service.run_events import RunEvents
from client.service.run_opening import run_in
from client.service.scouting import SessionScouts
from client.service.situation import situation_of
from client.service.time_lapse import TimeLapse

_log = logging.getLogger(__name__)
NOTICES_KEPT = 20
IDENTITY = "identity"
"""File of the peer's key, in the folder of what is the trainer's own."""


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
        self.changed = changed
        reactions = Reactions(self._on_look, self.consider, self._seconds_between_looks)
        self._lookout = Lookout(machine, reactions, now)
        self.notices: deque[NoticeView] = deque(maxlen=NOTICES_KEPT)
        self.choices = Choices(paths.state, self.notice, now)
        self.books = Books(contribution, now)
        self.disk_use = DiskUse(paths.data / "runs", now)
        self.kept = KeptPreferences(paths.preferences, autostart, self.notice)
        places = Places(paths.memberships, lambda run: paths.run(run) / PEER / IDENTITY)
        errands = Errands(paths.log("errands"))
        self.members = Memberships(errands, hub.endpoint, places, changed, now)
        self._events = RunEvents(self)
        self.members.entered = self._events.entered
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

    def _seconds_between_looks(self) -> float:
        run = self.run
        return seconds_between_looks(
            has_run=run is not None,
            is_paused=self.decision.effect >= Effect.PAUSE,
            holds_gpu=run is not None and run.alive and run.gpu is not None,
        )

    # --- deciding -----------------------------------------------------------------------------------------------

    def consider(self) -> None:
        """Decide from the readings at hand, and have the trainer follow."""
        self._read_preferences()
        before, self.decision = self.decision, self._decide()
        self._arm()
        if self.run is not None:
            follow(self, self.run)
        self.pictures.tell_budget()
        if self.decision != before:
            self.changed()

    def _decide(self) -> Decision:
        decision, self._memory = decide(self.preferences, situation_of(self), self._memory)
        return decision

    def _arm(self) -> None:
        computes = self.run is not None and self.decision.effect < Effect.PAUSE
        self._lookout.arm(computes and PauseReason.IN_USE not in self.decision.codes)

    def _read_preferences(self) -> None:
        before = self.kept.read()
        if before is not None and self.run is not None and _needs_new_trainer(before, self.preferences):
            self.run.training.renew()

    @property
    def preferences(self) -> Preferences:
        return self.kept.current

    @property
    def training_gpus(self) -> tuple[GpuReading, ...]:
        """Those that train, or would."""
        return usable_gpus(self.readings, self.preferences.gpus)

    def _keep_books(self) -> None:
        if self.run is None:
            return
        used = next((item for item in self.training_gpus if item.index == self.run.gpu), None)
        self.books.keep(self.run.card, self.run.training, used, self.preferences.ram_limit)
        self.disk_use.look()
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
            self.run = run_in(folder, self, self._events, lambda: self._on_new_manifest(folder))
        except ClientError as error:
            self.notice(str(error))
        else:
            self.run.coordination.open()

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

    def notice(self, text: str) -> None:
        """Something the volunteer may want to know."""
        _log.info("%s", text)
        self.notices.append(NoticeView(time=self.now(), text=text))
        self.changed()


def _needs_new_trainer(before: Preferences, after: Preferences) -> bool:
    """Whether something has changed that a trainer learns at its start alone."""
    return any(
        getattr(before, name) != getattr(after, name)
        for name in ("gpus", "ram_limit", "vram_limit", "listening_port")
    )
