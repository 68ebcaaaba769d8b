"""Carries out what front ends ask of the daemon, one function for each kind of request."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from client.account.account import Account
from client.account.credentials import Keep
from client.api.answers import Done, Refused
from client.api.commands import (
    CancelGeneration,
    CancelReceipts,
    CancelSignIn,
    ChangeTeam,
    EnterGate,
    Finish,
    ForgetCandidate,
    Generate,
    HideName,
    Join,
    JoinCandidate,
    KeepFrames,
    KeepReceipts,
    Leave,
    LookAtRun,
    MeasureCandidate,
    OpenPage,
    Pause,
    Quit,
    Resume,
    SetPreference,
    SignIn,
    SignOut,
    StopMeasuring,
    TeamAction,
)
from client.api.environment import (
    BeginSetup,
    CancelSetup,
    PauseSetup,
    PlanSetup,
    RestartIntoFirmware,
    RestartWindows,
    ResumeSetup,
    TurnOnWsl,
    UpdateWsl,
)
from client.api.errors import ControlError, NoRun, StatsError
from client.api.requests import AnyRequest
from client.api.runs import RemoveLocalSwarm, SetShare
from client.joining.run_card import RunCard
from client.service.channel.questions import Questions
from client.service.context import Context
from client.service.kept.joined_runs import KeptRun
from client.service.parts import SessionParts
from client.service.trainer.run import ActiveRun


@dataclass(frozen=True)
class SessionCalls:
    """The calls by which a front end changes the run that is trained."""

    consider: Callable[[], None]
    """Decides again what training may do."""
    join: Callable[[Path, bool], Awaitable[RunCard]]
    """Joins the run in a folder, and trains it now: beside the other joined runs or, if true, instead of them."""
    leave: Callable[[str], Awaitable[None]]
    """Leaves the joined run of that digest."""


class Orders:
    """`handle` is what the control channel calls; what goes wrong is raised as a ClientError."""

    def __init__(
        self,
        context: Context,
        parts: SessionParts,
        session: SessionCalls,
        account: Account,
        others: Mapping[type[Any], Callable[[Any], Awaitable[str | Done]]],
        quitting: asyncio.Event,
    ) -> None:
        """Prepare to carry out orders.

        Args:
            context: What the daemon's parts share.
            parts: The parts of the session.
            session: Changes the run that is trained.
            account: The volunteer's account.
            others: Functions that carry out requests about other parts, which keep what they change, by the kind
                of request.
            quitting: Set once the daemon is to end; from then on every other request is refused.
        """
        self._context, self._parts = context, parts
        self._session, self._account, self._quitting = session, account, quitting
        self._questions = Questions(context, session.consider).by_kind
        self._receipts, self._others = ReceiptFetch(), others
        self._by_kind: dict[type[Any], Callable[[Any], Awaitable[str | Done]]] = {
            Pause: self._pause,
            Resume: self._resume,
            Finish: self._finish,
            Quit: self._end,
            Join: self._join,
            LookAtRun: self._look_at_run,
            MeasureCandidate: self._measure_candidate,
            StopMeasuring: self._stop_measuring,
            JoinCandidate: self._join_candidate,
            ForgetCandidate: self._forget_candidate,
            Leave: self._leave,
            RemoveLocalSwarm: self._remove_local_swarm,
            SetShare: self._set_share,
            EnterGate: self._enter_gate,
            OpenPage: self._open_page,
            KeepReceipts: self._keep_receipts,
            CancelReceipts: self._cancel_receipts,
            KeepFrames: self._keep_frames,
            HideName: self._hide_name,
            ChangeTeam: self._change_team,
            Generate: self._generate,
            CancelGeneration: self._cancel_generation,
            SetPreference: self._set_preference,
            SignIn: self._sign_in,
            CancelSignIn: self._cancel_sign_in,
            SignOut: self._sign_out,
            PlanSetup: self._plan_setup,
            BeginSetup: self._begin_setup,
            PauseSetup: self._pause_setup,
            ResumeSetup: self._resume_setup,
            CancelSetup: self._cancel_setup,
            TurnOnWsl: self._turn_on_wsl,
            RestartWindows: self._restart_windows,
            RestartIntoFirmware: self._restart_into_firmware,
            UpdateWsl: self._update_wsl,
        }

    async def handle(self, request: AnyRequest) -> Done | Refused:
        if self._quitting.is_set() and not isinstance(request, Quit):
            raise ControlError("The daemon is about to end.", "Start it again in a moment, if you like.")
        if question := self._questions.get(type(request)):
            return await question(request)
        if other := self._others.get(type(request)):
            text = await other(request)
        else:
            text = await self._by_kind[type(request)](request)
            await self._context.save()
        return text if isinstance(text, Done) else Done(id=request.id, text=text)

    @property
    def _run(self) -> ActiveRun:
        """The joined run; NoRun if there is none."""
        if self._context.run is None:
            raise NoRun
        return self._context.run

    async def _pause(self, request: Pause) -> str:
        if self._context.run is None:
            raise NoRun
        length = None if request.seconds is None else timedelta(seconds=request.seconds)
        self._context.choices.pause(length)
        self._session.consider()
        return ""  # what the front end has asked for has happened, whatever else keeps training from going on

    async def _resume(self, _: Resume) -> str:
        context, run = self._context, self._run
        context.choices.resume()
        context.joined.release_all()
        run.is_last_epoch = False
        run.training.retry()
        run.coordination.again()
        self._parts.local_swarm.retry()
        self._session.consider()
        context.monitor.look()
        return context.decision.headline

    async def _finish(self, _: Finish) -> str:
        if self._run.finish():
            return "Training stops once this epoch is over."
        self._context.choices.finish()
        self._session.consider()
        return "Training was not running. It stays paused until you resume it."

    async def _end(self, _: Quit) -> str:
        self._quitting.set()
        return "The daemon ends."

    async def _join(self, request: Join) -> str:
        card = await self._session.join(Path(request.folder), request.instead)
        others = len(self._context.joined.all) - 1
        if not others:
            return f"This computer trains {card.title} from now on."
        beside = "another run" if others == 1 else f"{others} other runs"
        return f"This computer trains {card.title} now, in turns with {beside}."

    async def _look_at_run(self, request: LookAtRun) -> str:
        await self._parts.candidate_run.look(request.location, request.key)
        return "Idlebrush is inspecting the run."

    async def _measure_candidate(self, request: MeasureCandidate) -> str:
        await self._parts.candidate_run.measure(request.seconds)
        return "The speed test is running."

    async def _stop_measuring(self, _: StopMeasuring) -> str:
        await self._parts.candidate_run.stop_measuring()
        return "The speed test was stopped."

    async def _join_candidate(self, request: JoinCandidate) -> str:
        self._context.joined.require_room(request.digest)  # before gigabytes are fetched
        await self._parts.candidate_run.join(request.digest)
        return "Idlebrush is downloading the run's files. Training starts afterwards."

    async def _forget_candidate(self, _: ForgetCandidate) -> str:
        await self._parts.candidate_run.forget()
        return "The run was dismissed."

    async def _leave(self, request: Leave) -> str:
        left, ended = self._left_by(request), ""
        if request.membership:  # first: if its keyring is locked, the whole order can be given again
            ended = await self._context.members.end(left.digest)
        await self._session.leave(left.digest)
        return f"This computer no longer trains {left.title}. {ended}".rstrip()

    def _left_by(self, request: Leave) -> KeptRun:
        """Return the run that is to be left; raise NoRun if it is not joined."""
        joined = self._context.joined
        found = joined.of(request.run) if request.run else joined.at(self._context.choices.run_folder)
        if found is None:
            raise NoRun
        return found

    async def _set_share(self, request: SetShare) -> str:
        run = self._context.joined.set_share(request.run, request.share)
        self._context.changed()
        if not run.share:
            return f"{run.title} is trained only while no other run can be."
        return f"The share of {run.title} is {run.share}."

    async def _remove_local_swarm(self, _: RemoveLocalSwarm) -> str:
        swarm = self._parts.local_swarm
        digest = swarm.digest
        await swarm.require_removable()
        if self._context.joined.of(digest) is not None:
            await self._session.leave(digest)
        await swarm.remove()
        if digest:
            await asyncio.to_thread(shutil.rmtree, self._context.paths.run(digest), ignore_errors=True)
        return "The swarm on this computer was stopped, and its files were removed."

    async def _enter_gate(self, request: EnterGate) -> str:
        return await self._context.members.enter(self._parts.candidate_run.admission(request))

    async def _open_page(self, request: OpenPage) -> Done:
        address = await self._run.coordination.page()
        return Done(id=request.id, text="The link works once, within five minutes.", about=address)

    async def _keep_receipts(self, request: KeepReceipts) -> Done:
        run = self._run
        folder = self._context.paths.receipts / run.card.digest[:16]
        count = await self._receipts.fetch(run.coordination.keep_receipts(folder))
        return Done(id=request.id, text=f"{count} signed receipts are in {folder}.", about=str(folder))

    async def _cancel_receipts(self, _: CancelReceipts) -> str:
        return self._receipts.cancel()

    async def _keep_frames(self, request: KeepFrames) -> Done:
        folder, text = await self._parts.time_lapse.keep(self._run)
        return Done(id=request.id, text=text, about=str(folder))

    async def _hide_name(self, request: HideName) -> str:
        await self._run.coordination.hide_name(request.hidden)
        return f"Your name is {'hidden from' if request.hidden else 'shown to'} others on the run's pages."

    async def _change_team(self, request: ChangeTeam) -> str:
        name = await self._run.coordination.change_team(request.action, request.name)
        return {
            TeamAction.FOUND: f"You lead the team {name}. Your samples count for it from now on.",
            TeamAction.JOIN: f"Your samples count for the team {name} from now on.",
            TeamAction.LEAVE: f"You left the team {name}. What you contributed stays with it.",
            TeamAction.RENAME: f"The team is called {name} now.",
            TeamAction.HAND_OVER: f"{request.name} leads the team {name} now.",
            TeamAction.CLOSE: "The team was closed for all of its members.",
        }[request.action]

    async def _generate(self, request: Generate) -> Done:
        name = self._parts.pictures.ask(request.wanted)
        return Done(id=request.id, text="The pictures will be in the gallery.", about=name)

    async def _cancel_generation(self, request: CancelGeneration) -> str:
        self._parts.pictures.cancel(request.generation)
        return "The request for pictures was cancelled."

    async def _set_preference(self, request: SetPreference) -> str:
        await self._context.kept.change(request.name, request.value)
        self._session.consider()
        return ""

    async def _sign_in(self, request: SignIn) -> str:
        return await self._account.sign_in(request.token, Keep(request.keep))

    async def _cancel_sign_in(self, _: CancelSignIn) -> str:
        members = self._context.members
        return members.cancel() if members.is_entering else self._account.cancel()

    async def _sign_out(self, _: SignOut) -> str:
        return await self._account.sign_out()

    async def _plan_setup(self, request: PlanSetup) -> Done:
        return Done(id=request.id, setup_plan=await self._parts.environment.plan())

    async def _begin_setup(self, _: BeginSetup) -> str:
        return self._parts.environment.begin()

    async def _pause_setup(self, _: PauseSetup) -> str:
        return self._parts.environment.pause(True)

    async def _resume_setup(self, _: ResumeSetup) -> str:
        return self._parts.environment.pause(False)

    async def _cancel_setup(self, _: CancelSetup) -> str:
        return await self._parts.environment.cancel()

    async def _turn_on_wsl(self, _: TurnOnWsl) -> str:
        return self._parts.environment.turn_on_wsl()

    async def _restart_windows(self, _: RestartWindows) -> str:
        return await self._parts.environment.restart_windows()

    async def _restart_into_firmware(self, _: RestartIntoFirmware) -> str:
        return await self._parts.environment.restart_into_firmware()

    async def _update_wsl(self, _: UpdateWsl) -> str:
        return await self._parts.environment.update_wsl()


class ReceiptFetch:
    """Fetches receipts, one request at a time: a new request cancels the one before."""

    def __init__(self) -> None:
        self._fetching: asyncio.Task[int] | None = None

    @property
    def is_under_way(self) -> bool:
        return self._fetching is not None

    async def fetch(self, work: Coroutine[Any, Any, int]) -> int:
        """Return the number of receipts that ``work`` fetches; a fetch that is under way is cancelled first.

        Raise StatsError if this one is cancelled.
        """
        if self._fetching:
            self._fetching.cancel()
        fetching = self._fetching = asyncio.create_task(work)
        try:
            await asyncio.wait({fetching})
        finally:
            fetching.cancel()  # so that its waiting caller ends too
            await asyncio.wait({fetching})
            if self._fetching is fetching:
                self._fetching = None
        if fetching.cancelled():
            raise StatsError(
                "The download of the receipts was cancelled.", "Download them again at any time."
            )
        return fetching.result()

    def cancel(self) -> str:
        if self._fetching is None:
            return "No receipts are being fetched."
        self._fetching.cancel()
        return "The download of the receipts was cancelled."
