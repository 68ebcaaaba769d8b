"""A daemon at work: looks at the machine, has the policy decide, and opens and closes the joined run.

Everything happens on one event loop; what takes long is a task or a process of its own. `channel.orders` carries out
what front ends ask for, `channel.snapshots` shows them the state.
"""

import asyncio
from pathlib import Path

from client.api.errors import ClientError, ControlError
from client.joining.run_card import RunCard
from client.policy.policy import Effect
from client.service.context import Context
from client.service.deciding import Decider, budget_of_trainer
from client.service.monitor import Reactions, seconds_between_looks
from client.service.parts import SessionParts
from client.service.run_events import RunEvents


class Session:
    """The running daemon, made last, from the context and the parts; it lives until the daemon ends."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.parts = SessionParts.of(context, self.consider, self._train)
        self._decider = Decider(context, self.parts)
        self._events = RunEvents(
            context,
            self.parts.pictures,
            self.parts.environment,
            self.consider,
            lambda: budget_of_trainer(context, self.parts),
        )
        context.members.entered = self._events.entered
        self._switching, self._is_closing = asyncio.Lock(), False

    # --- its life -----------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Open the run that was joined; called before front ends can connect, which would see none otherwise."""
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
        await self.context.save()
        self.context.accounting.contribution.close(self.context.now())

    async def _on_look(self) -> None:
        self.consider()
        self._keep_accounts()

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
        context.accounting.keep(run.card, run.training, used, context.preferences.ram_limit)
        context.disk_use.look()
        run.coordination.look_at_board()

    # --- the run ------------------------------------------------------------------------------------------------

    async def join(self, folder: Path) -> RunCard:
        """Train the run in that folder from now on.

        Raises:
            JoinError: There is no run in the folder.
            ControlError: The daemon is about to end.
        """
        card = RunCard.load(folder)
        async with self._switching:
            await self._end_run()
            self.context.choices.join(folder)
            self._open(folder)
        self.consider()
        self.context.monitor.look()
        return card

    async def leave(self) -> None:
        """Train no run; ControlError if the daemon is about to end."""
        async with self._switching:
            await self._end_run()
            self.context.choices.leave()
        self.consider()

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
            run = self.context.run = self._events.open_run(folder, lambda: self._on_new_manifest(folder))
        except ClientError as error:
            self.context.notice(str(error))
        else:
            run.coordination.open()

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
