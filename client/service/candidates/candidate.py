"""Handles the run that a volunteer looks at before joining it: looked up, measured and fetched, one at a time.

A daemon that was restarted has forgotten it; files that were fetched are kept for another attempt.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import Protocol

from pydantic import SecretStr

from client.admission.gate_info import check_invited
from client.api.candidate import CandidateStage, CandidateView
from client.api.candidate import CandidateStage as Stage
from client.api.commands import EnterGate
from client.api.errors import REPORT_THIS, ClientError, GateError, JoinError
from client.api.protocol import ProblemView
from client.joining.benchmark import SpeedMeasurement
from client.joining.pace import RunPace
from client.joining.tasks import FilesFetched, InspectedRun
from client.joining.traffic import traffic
from core.errors import CoreError
from core.excerpt import excerpt
from core.run.join_link import JoinLink, is_join_link
from core.run.rules import TrainingRules


class CandidateStep(Enum):
    """Event in the life of a candidate."""

    FOUND = auto()  # it was looked up
    MEASURE = auto()  # the volunteer asks
    MEASURED = auto()  # or measuring was stopped
    JOIN = auto()  # the volunteer consents
    FETCHED = auto()  # its files are here, and the daemon trains it
    FAILED = auto()  # what was under way


_NEXT = {
    (Stage.LOOKING, CandidateStep.FOUND): Stage.READY,
    (Stage.LOOKING, CandidateStep.FAILED): Stage.FAILED,
    (Stage.READY, CandidateStep.MEASURE): Stage.MEASURING,
    (Stage.MEASURING, CandidateStep.MEASURED): Stage.READY,
    (Stage.MEASURING, CandidateStep.FAILED): Stage.READY,  # it can be joined without
    (Stage.READY, CandidateStep.JOIN): Stage.FETCHING,
    (Stage.MEASURING, CandidateStep.JOIN): Stage.FETCHING,
    (Stage.FAILED, CandidateStep.JOIN): Stage.FETCHING,  # once more
    (Stage.FETCHING, CandidateStep.FETCHED): Stage.JOINED,
    (Stage.FETCHING, CandidateStep.FAILED): Stage.FAILED,
}
_INSTEAD = {
    Stage.LOOKING: ("The run is still being inspected.", "Wait a moment."),
    Stage.READY: ("No speed test is running.", "Start one, or join the run without it."),
    Stage.MEASURING: ("A speed test is already running.", "Wait until it ends, or stop it."),
    Stage.FETCHING: ("The run's files are being fetched.", "Wait until they are here, or cancel."),
    Stage.JOINED: ("The run is joined already.", "Close its preview."),
    Stage.FAILED: ("The run could not be inspected.", "Open its link again."),
}


_CAUSES = {
    CandidateStep.FOUND: "it was inspected",
    CandidateStep.MEASURE: "a speed test begins at the volunteer's request",
    CandidateStep.MEASURED: "the speed test ended",
    CandidateStep.JOIN: "its files are fetched, with the volunteer's consent",
    CandidateStep.FETCHED: "its files are here, and the daemon trains it",
}
"""Cause of each change that is no failure, for the log."""


def transition(stage: Stage, step: CandidateStep) -> Stage:
    """Return the stage after an event; raise JoinError, for the front end, if the event is not possible now."""
    following = _NEXT.get((stage, step))
    if following is None:
        raise JoinError(*_INSTEAD[stage])
    return following


_log = logging.getLogger(__name__)


class Inspectors(Protocol):
    """Inspects runs; each call may be cancelled, and then leaves no process."""

    async def look_up(self, location: str, key: str | None) -> InspectedRun:
        """Look up a run without measuring it; CoreError if it cannot be had."""

    async def measure_speed(
        self, training: TrainingRules, seconds: float, show: Callable[[SpeedMeasurement], None]
    ) -> None:
        """Measure how fast this computer trains it; ``show`` gets the progress."""

    async def fetch_run(
        self, seen: CandidateView, training: TrainingRules, fetched: Callable[[FilesFetched], None]
    ) -> Path:
        """Fetch the files of the run that was seen; the folder where they are."""

    async def train(self, folder: Path) -> None:
        """Ask the daemon to train the run in that folder."""

    def is_member(self, digest: str) -> bool:
        """Return true if this computer was admitted to that run's gate."""


class CandidateRun:
    """The candidate run; requests succeed at once or raise a ClientError, and long work is a task."""

    def __init__(
        self, inspectors: Inspectors, changed: Callable[[], None], moved: Callable[[], None]
    ) -> None:
        """Prepare without a run to look at; ``changed`` is called whenever `view` would differ.

        ``moved`` is called whenever what training may take of this computer can have changed.
        """
        self._inspectors, self._changed, self._moved = inspectors, changed, moved
        self._view: CandidateView | None = None
        self._training: TrainingRules | None = None
        self._pace: RunPace | None = None
        self._invitation: SecretStr | None = None
        self._work: asyncio.Task[None] | None = None
        self._switching = asyncio.Lock()

    @property
    def view(self) -> CandidateView | None:
        view = self._view
        if view is None or view.gate is None:
            return view
        gate = view.gate.model_copy(
            update={
                "is_invited": self._invitation is not None,
                "is_member": self._inspectors.is_member(view.digest),
            }
        )
        return view.model_copy(update={"gate": gate})

    @property
    def is_under_way(self) -> bool:
        """True if a run is inspected, measured or fetched."""
        under_way = (CandidateStage.LOOKING, CandidateStage.MEASURING, CandidateStage.FETCHING)
        return self._view is not None and self._view.stage in under_way

    @property
    def is_measuring(self) -> bool:
        return self._view is not None and self._view.stage is CandidateStage.MEASURING

    @property
    def is_fetching(self) -> bool:
        return self._view is not None and self._view.stage is CandidateStage.FETCHING

    # --- what front ends ask for --------------------------------------------------------------------------------

    async def look(self, location: str, key: str | None) -> None:
        """Look at that run, and no more at another."""
        location, invitation = _apart(location)
        async with self._switching:
            await self._give_up()
            self._invitation, self._training, self._pace = invitation, None, None
            self._view = CandidateView(location=location, stage=CandidateStage.LOOKING)
            _log.info("Candidate run %s: it is inspected.", _named(self._view))
            self._begin(partial(self._look, location, key))
        self._moved()

    async def measure(self, seconds: float) -> None:
        """Measure the speed of the run on this computer for ``seconds``."""
        async with self._switching:
            view = self._seen()
            transition(view.stage, CandidateStep.MEASURE)  # refuses what is not possible now
            if view.plan is not None and not view.plan.fits:
                raise JoinError(
                    "This computer has too little memory for a speed test of the run.", view.plan.text
                )
            self._move(CandidateStep.MEASURE, problem=None)
            self._begin(partial(self._measure, seconds))
        self._moved()

    async def stop_measuring(self) -> None:
        """End the measurement early and keep its result; does nothing if it has ended by itself."""
        async with self._switching:
            if self._seen().stage is CandidateStage.READY:
                return
            transition(self._seen().stage, CandidateStep.MEASURED)
            await self._give_up()
            if self.is_measuring:  # else it had ended by itself meanwhile
                self._move(CandidateStep.MEASURED)
        self._moved()

    async def join(self, digest: str) -> None:
        """Fetch the run and train it; the volunteer has consented to the run of that digest."""
        async with self._switching:
            view = self._seen()
            if view.digest != digest:
                raise JoinError("That is not the run that is being looked at.", "Look at it again.")
            transition(view.stage, CandidateStep.JOIN)
            if view.gate is not None and not self._inspectors.is_member(digest):
                raise GateError(
                    f"Only members can train {view.title}, and you are not signed in to it.",
                    "Sign in to the run first.",
                )
            await self._give_up()
            self._move(CandidateStep.JOIN, problem=None)
            self._begin(partial(self._fetch_run, view))
        self._moved()

    async def forget(self) -> None:
        """Drop the candidate, and end its inspection."""
        async with self._switching:
            await self._give_up()
            if self._view is not None:
                _log.info("Candidate run %s: its preview was closed.", _named(self._view))
            self._view = self._training = self._pace = self._invitation = None
            self._changed()
        self._moved()

    async def close(self) -> None:
        """End all processes of the candidate."""
        async with self._switching:
            await self._give_up()

    def admission(self, request: EnterGate) -> EnterGate:
        """Return the request, with the invitation of the join link if it is for the inspected run.

        Raise GateError if that run has a different gate, or if it admits invited volunteers only and the volunteer
        is neither invited nor a member.
        """
        view = self.view
        if view is None or view.digest != request.run or view.stage is CandidateStage.JOINED:
            return request
        if view.gate is None or (view.gate.coordinator, view.gate.key) != (request.coordinator, request.gate):
            raise GateError("The inspected run has a different gate.", "Look at it again.")
        invitation = request.invitation or self._invitation
        check_invited(view.gate.admits, invitation is not None or view.gate.is_member)
        return request.model_copy(update={"invitation": invitation})

    def _seen(self) -> CandidateView:
        if self._view is None:
            raise JoinError("No run was inspected.", "Inspect one first.")
        return self._view

    # --- the work -----------------------------------------------------------------------------------------------

    async def _look(self, location: str, key: str | None) -> None:
        offered = await self._inspectors.look_up(location, key)
        self._training, self._pace = offered.training, offered.pace
        self._view = offered.view.model_copy(update={"stage": self._seen().stage})
        self._move(CandidateStep.FOUND)

    async def _measure(self, seconds: float) -> None:
        training, pace = self._training, self._pace
        assert training is not None, "it was looked up"

        def show(measured: SpeedMeasurement) -> None:
            rate = measured.samples_per_hour
            self._show(
                progress=min(1.0, measured.seconds / seconds),
                samples_per_hour=rate,
                traffic=traffic(training, pace, rate),
            )

        await self._inspectors.measure_speed(training, seconds, show)
        self._move(CandidateStep.MEASURED)
        self._moved()

    async def _fetch_run(self, seen: CandidateView) -> None:
        def fetched(files: FilesFetched) -> None:
            share = files.done / files.total if files.total else 1.0
            self._show(progress=share, download_bytes=files.total - files.done)

        assert self._training is not None, "it was looked up"
        folder = await self._inspectors.fetch_run(seen, self._training, fetched)
        self._show(progress=1.0, download_bytes=0)
        self._joining = asyncio.ensure_future(self._inspectors.train(folder))
        await asyncio.shield(self._joining)  # there is no giving up half of it
        self._move(CandidateStep.FETCHED)
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
            self._fail(ClientError(f"Idlebrush made a mistake: {error!r}.", REPORT_THIS))

    def _fail(self, error: CoreError) -> None:
        problem = ProblemView(code=error.code, what=error.what, remedy=error.remedy)
        self._move(CandidateStep.FAILED, f"{error.what} {error.remedy}", problem=problem)
        self._moved()

    async def _give_up(self) -> None:
        """End what is under way, with its process."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait({self._work})
            self._work = None

    def _move(self, step: CandidateStep, cause: str | None = None, **changes: object) -> None:
        """Show the stage after an event, and log it with its cause: by default, the event's own one."""
        view = self._seen()
        after = transition(view.stage, step)
        level = logging.WARNING if step is CandidateStep.FAILED else logging.INFO
        _log.log(
            level, "Candidate run %s: %s -> %s: %s", _named(view), view.stage, after, cause or _CAUSES[step]
        )
        self._show(stage=after, progress=None, **changes)

    def _show(self, **changes: object) -> None:
        self._view = self._seen().model_copy(update=changes)
        self._changed()


def _named(view: CandidateView) -> str:
    """Return the run's title and the beginning of its digest; before it was looked up, its location."""
    if view.digest:
        return f"{excerpt(view.title)} ({view.digest[:12]})"
    return excerpt(JoinLink.parse(view.location).location if is_join_link(view.location) else view.location)


def _apart(location: str) -> tuple[str, SecretStr | None]:
    """Return the location without the invitation that a join link may carry, and the invitation or None.

    Raise ManifestError for a bad link.
    """
    location = location.strip()
    if not is_join_link(location):
        return location, None
    link = JoinLink.parse(location)
    code = SecretStr(link.invitation) if link.invitation else None
    return str(replace(link, invitation=None)), code
