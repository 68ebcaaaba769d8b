"""Carries out what front ends ask of the daemon, one function for each kind of request."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from client.account.account import Account
from client.account.credentials import Keep
from client.api.errors import ControlError, JoinError
from client.api.requests import (
    AnyRequest,
    CancelGeneration,
    CancelSignIn,
    Done,
    Finish,
    Generate,
    Join,
    Leave,
    Pause,
    Quit,
    Refused,
    Resume,
    SetPreference,
    SignIn,
    SignOut,
)
from client.service.session import Session


def _no_run() -> JoinError:
    """A new one each time: an error that is raised again keeps every traceback that it ever had."""
    return JoinError("No run was joined.", "Join one with `idlebrush join`.")


class Orders:
    """`handle` is what the control channel calls; what goes wrong is raised as a ClientError."""

    def __init__(self, session: Session, account: Account, quitting: asyncio.Event) -> None:
        """``quitting``: set once the daemon is to end, by whomever; from then on nothing else is carried out."""
        self._session, self._account, self._quitting = session, account, quitting
        self._by_kind: dict[type[Any], Callable[[Any], Awaitable[str | Done]]] = {
            Pause: self._pause,
            Resume: self._resume,
            Finish: self._finish,
            Quit: self._end,
            Join: self._join,
            Leave: self._leave,
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
        says = await self._by_kind[type(request)](request)
        await self._session.save()
        return says if isinstance(says, Done) else Done(id=request.id, says=says)

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
        session.consider()
        session.look()
        return session.decision.headline

    async def _finish(self, _: Finish) -> str:
        if self._session.run is None:
            raise _no_run()
        if self._session.finish():
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

    async def _leave(self, _: Leave) -> str:
        if self._session.run is None:
            raise _no_run()
        title = self._session.run.card.title
        await self._session.leave()
        return f"This computer trains {title} no more."

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
        return self._account.cancel()

    async def _sign_out(self, _: SignOut) -> str:
        return await self._account.sign_out()
