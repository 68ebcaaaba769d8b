"""Who looks at runs for a session: errands and a trial, in processes of their own, which end with their task."""

import asyncio
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from client.api.messages import Traffic
from client.api.prospect import ProspectView
from client.contribution.stats import TrainedRun
from client.errands import Errands
from client.joining.allowed import Allowed
from client.joining.errands import Bring, Brought, Fetched, LookUp, Offered
from client.joining.trial import TrialSettings, Tried, try_out
from client.service.allowance import budget_beside
from core import logs
from core.rules import TrainingRules

if TYPE_CHECKING:
    from client.service.session import Session

_LOOK_UP_SECONDS = 600.0
"""Files of gigabytes may be here already, and are checked."""
_POLL = 0.1


class SessionScouts:
    """For `client.service.prospecting`."""

    def __init__(self, session: "Session", errands: Errands, hub: str) -> None:
        self._session, self._errands, self._hub = session, errands, hub

    async def look_up(self, location: str, key: str | None) -> Offered:
        session, run = self._session, self._session.run
        one_gpu = len(session.training_gpus) == 1  # of several, another is the emptiest
        errand = LookUp(
            location=location,
            key=key,
            paths=session.paths,
            allowed=self._allowed,
            hub=self._hub,
            held_gpu=run.gpu_memory if run and one_gpu else 0,
            held_ram=run.ram(session.books.memory_held) if run else 0,
        )
        offered = await self._errands.run(errand, Offered, _LOOK_UP_SECONDS)
        if offered.view.gate is not None:
            session.members.recall(offered.view.digest)
        return offered

    async def try_out(self, training: TrainingRules, seconds: float, tried: Callable[[Tried], None]) -> None:
        """Once the trainer, which the policy has leave meanwhile, has given its memory back."""
        session = self._session
        while session.run is not None and session.run.training.life is not None:
            await asyncio.sleep(_POLL)
        log, modules = session.paths.log("trial"), session.modules
        logs.rotate(log)
        settings = TrialSettings(
            self._allowed, seconds, log, modules.trial, modules.environment, modules.is_idle
        )
        await try_out(training, settings, tried)

    async def bring(
        self, seen: ProspectView, training: TrainingRules, fetched: Callable[[Fetched], None]
    ) -> Path:
        rate = budget_beside(self._session).download
        errand = Bring(
            location=seen.location,
            key=seen.fingerprint,
            paths=self._session.paths,
            allowed=self._allowed.model_copy(update={"download": rate}),
            digest=seen.digest,
        )
        run, life = TrainedRun(seen.digest, training.name), secrets.token_hex(8)

        def book(traffic: Traffic) -> None:
            self._session.books.contribution.heard(run, life, traffic, self._session.now())

        return (await self._errands.run(errand, Brought, None, fetched=fetched, passed=book)).folder

    async def train(self, folder: Path) -> None:
        await self._session.join(folder)
        await self._session.save()

    def is_member(self, digest: str) -> bool:
        return self._session.members.is_member(digest)

    @property
    def _allowed(self) -> Allowed:
        return Allowed.of(self._session.preferences)
