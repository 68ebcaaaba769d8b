"""A daemon at work: looks at the machine, has the policy decide, and opens and closes the joined run.

Everything happens on one event loop; what takes long is a task or a process of its own. `channel.orders` carries out
what front ends ask for, `channel.snapshots` shows them the state.
"""

import asyncio
import logging
from pathlib import Path

from client.api.errors import ClientError, ControlError
from client.api.runs import RunHindrance
from client.joining.run_card import RunCard
from client.policy.policy import Effect
from client.service.context import Context
from client.service.deciding import Decider, budget_of_trainer
from client.service.kept.beginning import begin_run
from client.service.monitor import Reactions, seconds_between_looks
from client.service.parts import SessionParts
from client.service.power.energy import EnergyCounters
from client.service.run_events import RunEvents
from client.service.run_turns import RunTurns

_log = logging.getLogger(__name__)


class Session:
    """The running daemon, made last, from the context and the parts; it lives until the daemon ends."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.parts = SessionParts.of(context, self.consider, self._train, self._on_new_manifest)
        self._decider = Decider(context, self.parts)
        self._events = RunEvents(
            context,
            self.parts.pictures,
            self.parts.environment,
            self.consider,
            lambda: budget_of_trainer(context, self.parts),
            lambda digest: digest == self.parts.local_swarm.digest,
            self.parts.local_swarm.may_start_trainer,
        )
        self._turns = RunTurns(
            context,
            lambda: self.parts.environment.may_start,
            lambda: bool(self.parts.pictures.views(in_use=False)),
        )
        self._turning: asyncio.Task[None] | None = None
        context.members.entered = self._events.entered
        self._switching, self._is_closing = asyncio.Lock(), False

    # --- its life -----------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Open the run that was trained last, before front ends can connect, which would see none otherwise."""
        self.context.joined.release_all(RunHindrance.UPDATE)  # this version may be the newer one
        if self.context.choices.run_folder is not None:
            self._open(self.context.choices.run_folder)

    async def live(self) -> None:
        """Keep the trainer as the policy wants it; until cancelled."""
        await self.parts.open()
        await self.context.monitor.live(Reactions(self._on_look, self.consider, self._seconds_between_looks))

    async def close(self, seconds: float) -> None:
        """End the trainer in order if it can be done in that time, and save what was counted."""
        self._is_closing = True
        await self.parts.close()
        async with self._switching:
            if (run := self.context.run) is not None:
                await run.training.close(seconds)
                await run.coordination.close()
        await self.parts.local_swarm.close()  # after the trainer, which leaves its swarm by it
        await self.context.power.close()
        await self.context.modules.trainer_host.close()
        await self.context.save()
        self.context.accounting.contribution.close(self.context.now())

    async def _on_look(self) -> None:
        self._keep_accounts()  # of the time before, in which training was paused if it goes on only now
        self.consider()
        following = self._turns.look()
        if following is not None and (self._turning is None or self._turning.done()):
            self._turning = asyncio.ensure_future(self._turn_to(following.folder))

    def _seconds_between_looks(self) -> float:
        run = self.context.run
        return seconds_between_looks(
            has_run=run is not None or self.parts.environment.needs_looks,
            is_paused=self.context.decision.effect >= Effect.PAUSE,
            holds_gpu=run is not None and run.alive and run.gpu is not None,
        )

    def consider(self) -> None:
        """Decide from the readings at hand, and have the trainer follow."""
        self._decider.consider()

    def _keep_accounts(self) -> None:
        context, run = self.context, self.context.run
        if run is None:
            return
        used = next((item for item in context.training_gpus if item.index == run.gpu), None)
        counters = EnergyCounters(context.now(), used, context.readings.cpu_joules)
        context.accounting.keep(run.card, run.training, counters, context.preferences)
        context.disk_use.look()
        run.coordination.look_at_board()

    # --- the run ------------------------------------------------------------------------------------------------

    async def join(self, folder: Path, instead: bool = False) -> RunCard:
        """Train the run in that folder now, in turns with the other joined runs or ``instead`` of them.

        Raises:
            JoinError: There is no run in the folder, or too many are joined.
            ControlError: The daemon is about to end.
        """
        card, joined = RunCard.load(folder), self.context.joined
        async with self._switching:
            if not instead:
                joined.require_room(card.digest)
            await self._end_run()
            begin_run(self.context.choices, joined, folder, card, instead=instead)
            self._open(folder)
        self.consider()
        self.context.monitor.look()
        return card

    async def leave(self, digest: str) -> None:
        """Leave that run; if it was trained, another one is. ControlError if the daemon is about to end."""
        context = self.context
        async with self._switching:
            left = context.joined.of(digest)
            is_current = left is not None and left.folder == context.choices.run_folder
            if is_current:
                await self._end_run()
            context.joined.remove(digest)
            if is_current:
                self._open_next()
        self.consider()
        context.monitor.look()

    def _open_next(self) -> None:
        """Open the run whose turn it is after another one was left."""
        if (following := self._turns.choose()) is None:
            self.context.choices.leave()
        else:
            self._begin_turn(following.folder)

    async def _turn_to(self, folder: Path) -> None:
        """Train another of the joined runs from now on, unless the volunteer has changed them meanwhile."""
        before = self.context.choices.run_folder
        async with self._switching:
            is_joined = self.context.joined.at(folder) is not None
            if self._is_closing or not is_joined or self.context.choices.run_folder != before:
                return
            await self._end_run()
            self._begin_turn(folder)
        self.consider()
        self.context.monitor.look()
        await self.context.save()

    def _begin_turn(self, folder: Path) -> None:
        self.context.choices.train(folder)
        if (run := self.context.joined.at(folder)) is not None:
            self.context.joined.begin_turn(run.digest)
            _log.info("Run %s has its turn.", run.title)
            if run.digest == self.parts.local_swarm.digest:
                self.parts.local_swarm.retry()
        self._open(folder)

    async def _train(self, folder: Path) -> None:
        """Join a run whose files the candidate's part has fetched."""
        await self.join(folder)
        await self.context.save()

    async def _end_run(self) -> None:
        if self._is_closing:
            raise ControlError("The daemon is about to end.", "Start it again in a moment, if you like.")
        if (run := self.context.run) is not None:
            await self.parts.time_lapse.close()
            await run.training.close()
            await run.coordination.close()
            self.context.run = None

    def _open(self, folder: Path) -> None:
        try:
            run = self._events.open_run(folder, lambda: self._on_new_manifest(folder))
            self.context.joined.add(folder, run.card)  # an earlier version has kept the folder alone
        except ClientError as error:
            self.context.notice(str(error))
        else:
            self.context.run = run
            run.coordination.open()
        self._turns.begin()

    def _on_new_manifest(self, folder: Path) -> None:
        run = self.context.run
        if run is not None and run.folder == folder and (needed := run.coordination.update_needed):
            self._events.outdated(needed)
            return
        self._reopening = asyncio.ensure_future(self._reopen(folder))

    async def _reopen(self, folder: Path) -> None:
        """Continue the run by a newer manifest of its organiser: other peers, another gate or generation."""
        async with self._switching:
            run = self.context.run
            if self._is_closing or run is None or run.folder != folder:
                return
            await self._end_run()
            self._open(folder)
        self.consider()
