"""Fetches the frames of the joined run's time-lapse in the background, within the volunteer's limits."""

import asyncio
import logging
import secrets
from datetime import timedelta
from pathlib import Path

from client.admission.tasks import FramesKept
from client.api.errors import ClientError
from client.api.messages import Traffic
from client.service.context import Context
from client.service.trainer.run import ActiveRun
from core.tasks import end_tasks

_log = logging.getLogger(__name__)
FRAMES = "frames"
"""The folder in that of a run: its coordinator's frames, and between them those drawn here."""
AGAIN_AFTER = timedelta(minutes=1)
"""A front end that asks at every turn of its pages gets what is there: frames come every few epochs."""
PATIENCE = 20.0
"""Seconds that a request waits; frames that come later are in the folder all the same."""


class TimeLapseFetcher:
    """Fetches one run's frames at a time."""

    def __init__(self, context: Context, patience: float = PATIENCE) -> None:
        self._context, self._patience = context, patience
        self._fetching: asyncio.Task[str] | None = None
        self._run: ActiveRun | None = None
        self._begun = context.now()

    @property
    def is_fetching(self) -> bool:
        return self._fetching is not None and not self._fetching.done()

    async def keep(self, run: ActiveRun) -> tuple[Path, str]:
        """Return the folder whose index can be looked at, and a sentence about how complete it is."""
        if run.card.coordinator is None:
            return run.timelapse, "These are the pictures that this computer has drawn for the run."
        if self._run is not run:
            await self.close()
        if self._fetching is None or (self._fetching.done() and not self._is_fresh):
            self._run, self._begun = run, self._context.now()
            self._fetching = asyncio.create_task(self._fetch(run))
        fetching = self._fetching
        done, _ = await asyncio.wait({fetching}, timeout=self._patience)
        if done and not fetching.cancelled():
            return run.folder / FRAMES, fetching.result()
        return run.folder / FRAMES, "The pictures of more epochs are still on their way."

    @property
    def _is_fresh(self) -> bool:
        return timedelta() <= self._context.now() - self._begun < AGAIN_AFTER

    async def close(self) -> None:
        """Stop fetching; frames that have come are kept, and the others are fetched another time."""
        if self._fetching is not None:
            await end_tasks([self._fetching])
        self._fetching = self._run = None

    async def _fetch(self, run: ActiveRun) -> str:
        context, life = self._context, secrets.token_hex(8)

        def count(traffic: Traffic) -> None:
            context.accounting.contribution.heard(run.card.trained, life, traffic, context.now())

        try:
            kept = await run.coordination.keep_frames(
                run.folder / FRAMES,
                run.timelapse,
                context.budget_beside_trainer.download,
                context.may_fetch,
                count,
            )
        except ClientError as error:
            _log.info("The run's pictures cannot be fetched: %s", error)
            return f"Only what is here can be shown. {error.what}"
        return _in_words(kept)


def _in_words(kept: FramesKept) -> str:
    here = f"Epochs with pictures here: {kept.count}."
    return f"{here} Still missing: {kept.missing}." if kept.missing else here
