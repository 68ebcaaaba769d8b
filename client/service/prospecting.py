"""The run that a volunteer looks at before joining it: looked up, tried out, brought here, one at a time.

A daemon that is started anew knows nothing of it; files that have come are kept for another attempt.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

from pydantic import SecretStr

from client.admission.gate_info import check_invited
from client.api.commands import EnterGate
from client.api.errors import ClientError, GateError, JoinError
from client.api.problem import ProblemView
from client.api.prospect import ProspectStage, ProspectView
from client.joining.errands import Fetched, Offered
from client.joining.traffic import traffic
from client.joining.trial import Tried
from client.service.prospect_stage import Step, transition
from core.errors import CoreError
from core.join_link import SCHEME, JoinLink
from core.rules import TrainingRules

_log = logging.getLogger(__name__)


class Scouts(Protocol):
    """Who does the work; each may be cancelled, and then leaves no process."""

    async def look_up(self, location: str, key: str | None) -> Offered:
        """What there is to know of the run without trying it out; CoreError if it cannot be had."""

    async def try_out(self, training: TrainingRules, seconds: float, tried: Callable[[Tried], None]) -> None:
        """Measure how fast this computer trains it, and tell while it goes on."""

    async def bring(
        self, seen: ProspectView, training: TrainingRules, fetched: Callable[[Fetched], None]
    ) -> Path:
        """Fetch the files of the run that was seen; the folder where they are."""

    async def train(self, folder: Path) -> None:
        """Have the daemon train the run in that folder."""

    def is_member(self, digest: str) -> bool:
        """Whether this computer was admitted to that run's gate."""


class Prospecting:
    """What front ends ask is done at once or raised as a ClientError; what takes time is a task."""

    def __init__(self, scouts: Scouts, changed: Callable[[], None], moved: Callable[[], None]) -> None:
        """``changed`` is called whenever `view` would differ; ``moved`` whenever what training may take may."""
        self._scouts, self._changed, self._moved = scouts, changed, moved
        self._view: ProspectView | None = None
        self._training: TrainingRules | None = None
        self._invitation: SecretStr | None = None
        self._work: asyncio.Task[None] | None = None
        self._switching = asyncio.Lock()

    @property
    def view(self) -> ProspectView | None:
        view = self._view
        if view is None or view.gate is None:
            return view
        gate = view.gate.model_copy(
            update={
                "is_invited": self._invitation is not None,
                "is_member": self._scouts.is_member(view.digest),
            }
        )
        return view.model_copy(update={"gate": gate})

    @property
    def is_measuring(self) -> bool:
        return self._view is not None and self._view.stage is ProspectStage.MEASURING

    @property
    def is_bringing(self) -> bool:
        return self._view is not None and self._view.stage is ProspectStage.BRINGING

    # --- what front ends ask for --------------------------------------------------------------------------------

    async def look(self, location: str, key: str | None) -> None:
        """Look at that run, and no more at another."""
        location, invitation = _apart(location)
        async with self._switching:
            await self._give_up()
            self._invitation, self._training = invitation, None
            self._view = ProspectView(location=location, stage=ProspectStage.LOOKING)
            self._begin(partial(self._look, location, key))
        self._moved()

    async def measure(self, seconds: float) -> None:
        """Try it out for so long."""
        async with self._switching:
            view = self._seen()
            after = transition(view.stage, Step.MEASURE)
            if view.plan is not None and not view.plan.fits:
                raise JoinError("This computer does not have the memory to try the run out.", view.plan.says)
            self._show(stage=after, progress=None, problem=None)
            self._begin(partial(self._measure, seconds))
        self._moved()

    async def stop_measuring(self) -> None:
        """Let what was measured until now count; it may have ended by itself while that was asked."""
        async with self._switching:
            if self._seen().stage is ProspectStage.READY:
                return
            after = transition(self._seen().stage, Step.MEASURED)
            await self._give_up()
            if self.is_measuring:  # else it had ended by itself meanwhile
                self._show(stage=after, progress=None)
        self._moved()

    async def join(self, digest: str) -> None:
        """Bring it here and train it; the volunteer has consented to the run of that digest."""
        async with self._switching:
            view = self._seen()
            if view.digest != digest:
                raise JoinError("That is not the run that is being looked at.", "Look at it again.")
            after = transition(view.stage, Step.JOIN)
            if view.gate is not None and not self._scouts.is_member(digest):
                raise GateError(
                    f"Only members train {view.title}, and you are not signed in to it.",
                    "Sign in to the run first.",
                )
            await self._give_up()
            self._show(stage=after, progress=None, problem=None)
            self._begin(partial(self._bring, view))
        self._moved()

    async def forget(self) -> None:
        """Look at it no more."""
        async with self._switching:
            await self._give_up()
            self._view = self._training = self._invitation = None
            self._changed()
        self._moved()

    async def close(self) -> None:
        """Leave no process."""
        async with self._switching:
            await self._give_up()

    def admission(self, request: EnterGate) -> EnterGate:
        """The request, with the invitation of the link where it is for the gate of the run that is looked at."""
        view = self.view
        if view is None or view.digest != request.run or view.stage is ProspectStage.JOINED:
            return request
        if view.gate is None or (view.gate.coordinator, view.gate.key) != (request.coordinator, request.gate):
            raise GateError("The run that is being looked at has not that gate.", "Look at it again.")
        invitation = request.invitation or self._invitation
        check_invited(view.gate.admits, invitation is not None or view.gate.is_member)
        return request.model_copy(update={"invitation": invitation})

    def _seen(self) -> ProspectView:
        if self._view is None:
            raise JoinError("No run is being looked at.", "Look at one first.")
        return self._view

    # --- the work -----------------------------------------------------------------------------------------------

    async def _look(self, location: str, key: str | None) -> None:
        offered = await self._scouts.look_up(location, key)
        self._training = offered.training
        stage = transition(self._seen().stage, Step.FOUND)
        self._view = offered.view.model_copy(update={"stage": stage})
        self._changed()

    async def _measure(self, seconds: float) -> None:
        training = self._training
        assert training is not None, "it was looked up"

        def tried(said: Tried) -> None:
            rate = said.samples_per_hour
            self._show(
                progress=min(1.0, said.seconds / seconds),
                samples_per_hour=rate,
                bytes_per_day=traffic(training, rate).bytes_per_day,
            )

        await self._scouts.try_out(training, seconds, tried)
        self._show(stage=transition(self._seen().stage, Step.MEASURED), progress=None)
        self._moved()

    async def _bring(self, seen: ProspectView) -> None:
        def fetched(said: Fetched) -> None:
            share = said.done / said.total if said.total else 1.0
            self._show(progress=share, download_bytes=said.total - said.done)

        assert self._training is not None, "it was looked up"
        folder = await self._scouts.bring(seen, self._training, fetched)
        self._show(progress=1.0, download_bytes=0)
        self._joining = asyncio.ensure_future(self._scouts.train(folder))
        await asyncio.shield(self._joining)  # there is no giving up half of it
        self._show(stage=transition(self._seen().stage, Step.BROUGHT), progress=None)
        self._moved()

    def _begin(self, work: Callable[[], Awaitable[None]]) -> None:
        self._work = asyncio.create_task(self._attempt(work))
        self._changed()

    async def _attempt(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except CoreError as error:
            self._fail(error)
        except Exception as error:  # noqa: BLE001 - a mistake of ours must not leave it under way for ever
            _log.exception("Looking at a run went wrong.")
            self._fail(
                ClientError(
                    f"Idlebrush made a mistake: {error!r}.", "Please report it, with the daemon's log."
                )
            )

    def _fail(self, error: CoreError) -> None:
        problem = ProblemView(code=error.code, what=error.what, remedy=error.remedy)
        self._show(stage=transition(self._seen().stage, Step.FAILED), progress=None, problem=problem)
        self._moved()

    async def _give_up(self) -> None:
        """End what is under way, with its process."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait({self._work})
            self._work = None

    def _show(self, **changes: object) -> None:
        self._view = self._seen().model_copy(update=changes)
        self._changed()


def _apart(location: str) -> tuple[str, SecretStr | None]:
    """The location without the invitation that a join link may carry, and that; ManifestError for a bad link."""
    location = location.strip()
    if not location.lower().startswith(f"{SCHEME}:"):
        return location, None
    link = JoinLink.parse(location)
    code = SecretStr(link.invitation) if link.invitation else None
    return str(replace(link, invitation=None)), code
