"""Carries out what front ends ask of the daemon, one function for each kind of request."""

import asyncio
from collections.abc import Awaitable, Callable
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
    EnterGate,
    Finish,
    ForgetProspect,
    Generate,
    HideName,
    Join,
    JoinProspect,
    KeepFrames,
    KeepReceipts,
    Leave,
    LookAtRun,
    MeasureProspect,
    OpenPage,
    Pause,
    Quit,
    Resume,
    SetPreference,
    SignIn,
    SignOut,
    StopMeasuring,
)
from client.api.errors import ControlError
from client.api.requests import AnyRequest
from client.service.questions import Questions, no_run
from client.service.receipt_fetch import ReceiptFetch
from client.service.run import Run
from client.service.session import Session


class Orders:
    """`handle` is what the control channel calls; what goes wrong is raised as a ClientError."""

    def __init__(self, session: Session, account: Account, quitting: asyncio.Event) -> None:
        """``quitting``: set once the daemon is to end, by whomever; from then on nothing else is carried out."""
        self._session, self._account, self._quitting = session, account, quitting
        self._questions = Questions(session).by_kind
        self._receipts = ReceiptFetch()
        self._by_kind: dict[type[Any], Callable[[Any], Awaitable[str | Done]]] = {
            Pause: self._pause,
            Resume: self._resume,
            Finish: self._finish,
            Quit: self._end,
            Join: self._join,
            LookAtRun: self._look_at_run,
            MeasureProspect: self._measure_prospect,
            StopMeasuring: self._stop_measuring,
            JoinProspect: self._join_prospect,
            ForgetProspect: self._forget_prospect,
            Leave: self._leave,
            EnterGate: self._enter_gate,
            OpenPage: self._open_page,
            KeepReceipts: self._keep_receipts,
            CancelReceipts: self._cancel_receipts,
            KeepFrames: self._keep_frames,
            HideName: self._hide_name,
            Generate: self._generate,
            CancelGeneration: self._cancel_generation,
            SetPreference: self._set_preference,
            SignIn: self._sign_in,
            CancelSignIn: self._cancel_sign_in,
            SignOut: self._sign_out,
        }

    async def handle(self, request: AnyRequest) -> Done | Refused:
        if self._quitting.is_set() and not isinstance(request, Quit):
            raise ControlError("The daemon is about to end.", "Start it again in a moment, if you like.")
        if question := self._questions.get(type(request)):
            return await question(request)
        says = await self._by_kind[type(request)](request)
        await self._session.save()
        return says if isinstance(says, Done) else Done(id=request.id, says=says)

    @property
    def _run(self) -> Run:
        """The joined run; JoinError if there is none."""
        if self._session.run is None:
            raise no_run()
        return self._session.run

    async def _pause(self, request: Pause) -> str:
        length = None if request.seconds is None else timedelta(seconds=request.seconds)
        self._session.choices.pause(length)
        self._session.consider()
        return self._session.decision.headline

    async def _resume(self, _: Resume) -> str:
        session = self._session
        session.choices.resume()
        if session.run is not None:
            session.run.is_last_epoch = False
            session.run.training.retry()
            session.run.coordination.again()
        session.consider()
        session.look()
        return session.decision.headline

    async def _finish(self, _: Finish) -> str:
        if self._run.finish():
            return "Training stops once this epoch is over."
        self._session.choices.finish()
        self._session.consider()
        return "Nothing was training; it stays so until you resume."

    async def _end(self, _: Quit) -> str:
        self._quitting.set()
        return "The daemon ends."

    async def _join(self, request: Join) -> str:
        card = await self._session.join(Path(request.folder))
        return f"This computer trains {card.title} from now on."

    async def _look_at_run(self, request: LookAtRun) -> str:
        await self._session.prospecting.look(request.location, request.key)
        return "The run is being looked at."

    async def _measure_prospect(self, request: MeasureProspect) -> str:
        await self._session.prospecting.measure(request.seconds)
        return "The run is being tried out."

    async def _stop_measuring(self, _: StopMeasuring) -> str:
        await self._session.prospecting.stop_measuring()
        return "The run is tried out no longer."

    async def _join_prospect(self, request: JoinProspect) -> str:
        await self._session.prospecting.join(request.digest)
        return "The run's files are being fetched; then this computer trains it."

    async def _forget_prospect(self, _: ForgetProspect) -> str:
        await self._session.prospecting.forget()
        return "The run is looked at no more."

    async def _leave(self, request: Leave) -> str:
        card = self._run.card
        await self._session.leave()
        said = f"This computer trains {card.title} no more."
        return f"{said} {await self._session.members.end(card.digest)}" if request.membership else said

    async def _enter_gate(self, request: EnterGate) -> str:
        return await self._session.members.enter(self._session.prospecting.admission(request))

    async def _open_page(self, request: OpenPage) -> Done:
        address = await self._run.coordination.page()
        return Done(id=request.id, says="The link can be opened once, soon.", about=address)

    async def _keep_receipts(self, request: KeepReceipts) -> Done:
        run = self._run
        folder = self._session.paths.receipts / run.card.digest[:16]
        count = await self._receipts.fetch(run.coordination.keep_receipts(folder))
        return Done(id=request.id, says=f"{count} signed receipts are in {folder}.", about=str(folder))

    async def _cancel_receipts(self, _: CancelReceipts) -> str:
        return self._receipts.cancel()

    async def _keep_frames(self, request: KeepFrames) -> Done:
        folder, says = await self._session.time_lapse.keep(self._run)
        return Done(id=request.id, says=says, about=str(folder))

    async def _hide_name(self, request: HideName) -> str:
        await self._run.coordination.hide_name(request.hidden)
        return f"Your name is {'hidden from' if request.hidden else 'shown to'} others on the run's pages."

    async def _generate(self, request: Generate) -> Done:
        name = self._session.pictures.ask(request.wanted)
        return Done(id=request.id, says="The pictures will be in the gallery.", about=name)

    async def _cancel_generation(self, request: CancelGeneration) -> str:
        self._session.pictures.cancel(request.generation)
        return "The pictures are not drawn any more."

    async def _set_preference(self, request: SetPreference) -> str:
        await self._session.kept.change(request.name, request.value)
        self._session.consider()
        return ""

    async def _sign_in(self, request: SignIn) -> str:
        return await self._account.sign_in(request.token, Keep(request.keep))

    async def _cancel_sign_in(self, _: CancelSignIn) -> str:
        members = self._session.members
        return members.cancel() if members.is_entering else self._account.cancel()

    async def _sign_out(self, _: SignOut) -> str:
        return await self._account.sign_out()
