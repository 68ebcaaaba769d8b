"""The controlled side of remote control: listens while the preference is on, and serves paired computers."""

import asyncio
import logging
import ssl
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from client.api.answers import Done, Refused
from client.api.commands import SetPreference
from client.api.errors import ClientError, RemoteError
from client.api.protocol import ProblemView
from client.api.remote.control import (
    ClosePairing,
    ControllerView,
    OpenPairing,
    PairingStage,
    RemoteControlView,
    RemoveController,
)
from client.api.requests import AnyRequest
from client.api.snapshot import Snapshot
from client.remote.addresses import own_addresses, write_address
from client.remote.codes import written
from client.remote.identity import ComputerIdentity, IdentityStore
from client.remote.kept import PairedComputer, PairedComputers
from client.remote.permitted import answer_to_others, require_permitted, shown_to_others
from client.remote.tls import fingerprint, peer_certificate, server_context
from client.service.channel.front_end import FrontEndConnection
from client.service.channel.request_line import refusal
from client.service.context import Context
from client.service.remote.listener import RemoteConnection, RemoteLimits, RemoteListener
from client.service.remote.pairing import PairingDesk
from core.errors import CoreError

_RETRY = 30.0
"""Seconds before another attempt to listen."""
_ADDRESSES = 30.0
"""Seconds for which this computer's addresses are taken for unchanged."""
_NOTED = {
    "pause": "paused training",
    "resume": "resumed training",
    "finish": "has training stop after this epoch",
    "set_preference": "changed a preference",
}
"""Requests of which the user is told, with words that follow the computer's name."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RemoteCalls:
    """Calls by which paired computers reach the daemon's other parts."""

    handle: Callable[[AnyRequest], Awaitable[Done | Refused]]
    """Carries out a request, as one of this computer's own front ends."""
    snapshot: Callable[[], Snapshot]


@dataclass
class _ControllerSession:
    """A connection of a paired computer."""

    controller: PairedComputer
    connection: RemoteConnection
    front_end: FrontEndConnection


class ControlledSide:
    """Lets paired computers see and steer this one; `follow` has it listen as the preferences say."""

    def __init__(
        self,
        context: Context,
        paired: PairedComputers,
        store: IdentityStore,
        limits: RemoteLimits,
        name: str,
    ) -> None:
        """Prepare; nothing listens before `follow`.

        Args:
            context: What the daemon's parts share.
            paired: The paired computers.
            store: Loads this computer's identity.
            limits: Limits of other computers.
            name: Name of this computer for others.
        """
        self._context, self._paired, self._store = context, paired, store
        self.calls: RemoteCalls | None = None
        """Calls to the daemon's other parts; nothing listens before they are set."""
        self._limits, self._name = limits, name
        self._desk = PairingDesk(context.tasks, paired, name, context.now, self._tell_of_pairing)
        self._identity: ComputerIdentity | None = None
        self._listener: RemoteListener | None = None
        self._problem: ClientError | None = None
        self._retry_at, self._following = 0.0, asyncio.Lock()
        self._sessions: list[_ControllerSession] = []
        self._addresses: tuple[float, tuple[str, ...]] = (-_ADDRESSES, ())
        self._stage: PairingStage | None = None
        self._context_of: tuple[tuple[tuple[bytes, ...], bool], ssl.SSLContext] | None = None
        """Context of TLS, with the certificates that it trusts and whether it admits strangers."""

    async def follow(self) -> None:
        """Listen as the preferences say; a port or a keyring that cannot be used is tried again later."""
        async with self._following:
            wanted = self._context.preferences
            port = wanted.remote_port if wanted.remote_control else 0
            if self.calls is not None and (self._listener.port if self._listener else 0) != port:
                await self._listen_at(port)
            self._tell_of_stage()

    async def _listen_at(self, port: int) -> None:
        await self.silence()
        if not port:
            self._problem, self._retry_at = None, 0.0
        elif time.monotonic() < self._retry_at:
            return
        else:
            await self._listen(port)
        self._context.changed()

    def _tell_of_stage(self) -> None:
        """Publish a snapshot if the stage of the code has changed, such as by expiry."""
        view = self._desk.view
        if view is not None and view.stage is not self._stage:
            self._stage = view.stage
            self._context.changed()

    def publish(self) -> None:
        """Send the latest snapshot to all paired computers that watch, soon."""
        for session in self._sessions:
            session.front_end.news.set()

    @property
    def view(self) -> RemoteControlView:
        """Remote control as front ends show it."""
        listener, problem = self._listener, self._problem
        return RemoteControlView(
            name=self._name,
            is_on=self._context.preferences.remote_control,
            port=listener.port if listener else 0,
            addresses=self._own_addresses(listener.port) if listener else (),
            fingerprint=fingerprint(self._identity.certificate) if self._identity else "",
            pairing=self._desk.view,
            controllers=tuple(self._controller_view(known) for known in self._paired.controllers),
            problem=ProblemView(code=problem.code, what=problem.what, remedy=problem.remedy)
            if problem
            else None,
        )

    @property
    def by_kind(self) -> dict[type[Any], Callable[[Any], Awaitable[Done]]]:
        """The functions that answer requests about the control of this computer, by the kind of request."""
        return {
            OpenPairing: self._open_pairing,
            ClosePairing: self._close_pairing,
            RemoveController: self._remove_controller,
        }

    async def _listen(self, port: int) -> None:
        try:
            self._identity = await self._store.load()
            listener = RemoteListener(self._tls, self._serve, self._limits)
            await listener.open(port)
        except ClientError as error:
            if self._problem is None or self._problem.what != error.what:
                self._context.notice(f"Other computers cannot control this one. {error}")
            self._problem, self._retry_at = error, time.monotonic() + _RETRY
        else:
            self._listener, self._problem = listener, None
            _log.info("Remote control: listening at port %d.", port)

    async def silence(self) -> None:
        """Stop listening, and end all connections of other computers."""
        if self._listener is not None:
            self._desk.close()
            await self._listener.close()
            self._listener = None
            _log.info("Remote control: no longer listening.")

    def _tls(self) -> ssl.SSLContext:
        """Return the context of a handshake now; decrypting the key takes milliseconds, so it is made once."""
        assert self._identity is not None, "it listens"
        trusted, admits = tuple(known.der for known in self._paired.controllers), self._desk.is_open
        if self._context_of is None or self._context_of[0] != (trusted, admits):
            identity = self._identity
            context = server_context(identity.file, identity.password, trusted, admits_strangers=admits)
            self._context_of = ((trusted, admits), context)
        return self._context_of[1]

    async def _serve(self, connection: RemoteConnection) -> None:
        certificate = peer_certificate(connection.writer.transport)
        controller = self._paired.controller_with(certificate) if certificate else None
        if controller is not None:
            self._make_room(controller)
            await self._serve_controller(connection, controller)
        elif certificate is None and self._desk.is_open:
            await self._pair(connection)

    def _make_room(self, controller: PairedComputer) -> None:
        """End the oldest connections of a computer that has too many; its network may have left them over."""
        own = [session for session in self._sessions if session.controller == controller]
        for session in own[: max(0, len(own) + 1 - self._limits.of_each)]:
            session.connection.abort()

    async def _serve_controller(self, connection: RemoteConnection, controller: PairedComputer) -> None:
        assert self.calls is not None, "it listens"
        connection.is_proven, calls = True, self.calls

        async def handle(request: AnyRequest) -> Done | Refused:
            return await self._handle(request, controller, calls)

        def snapshot() -> Snapshot:
            return shown_to_others(calls.snapshot())

        front_end = FrontEndConnection(
            connection.reader, connection.writer, handle, snapshot, self._limits.served
        )
        session = _ControllerSession(controller, connection, front_end)
        self._sessions.append(session)
        _log.info("The computer %r at %s has connected.", controller.name, connection.address)
        self._context.changed()
        try:
            await front_end.run()
        finally:
            self._sessions.remove(session)
            self._context.changed()

    async def _handle(
        self, request: AnyRequest, controller: PairedComputer, calls: RemoteCalls
    ) -> Done | Refused:
        """Carry out a request of a paired computer, which is logged with that computer's name."""
        _log.info("The computer %r requests %r.", controller.name, request.type)
        try:
            require_permitted(request)
            answer = await calls.handle(request)
        except CoreError as error:
            answer = refusal(request.id, error)
        if isinstance(answer, Done) and request.type in _NOTED:
            self._context.notice(f"“{controller.name}” {_NOTED[request.type]} by remote control.")
        return answer_to_others(request, answer)

    async def _pair(self, connection: RemoteConnection) -> None:
        assert self._identity is not None, "it listens"
        try:
            async with asyncio.timeout(self._limits.pairing):
                await self._desk.serve(connection, self._identity)
                connection.is_proven = True
        except (ClientError, TimeoutError, OSError) as error:
            _log.info("A pairing from %s failed: %s", connection.address, error)
            self._context.changed()

    def _tell_of_pairing(self, name: str) -> None:
        self._context.notice(f"The computer “{name}” can control this one from now on.")

    async def _open_pairing(self, request: OpenPairing) -> Done:
        if not self._context.preferences.remote_control and self.calls is not None:
            await self.calls.handle(SetPreference(name="remote-control", value="on"))
        self._retry_at = 0.0
        await self.follow()
        if self._listener is None:
            problem = self._problem or RemoteError("Remote control is off.", "Turn it on.")
            raise RemoteError(problem.what, problem.remedy)
        code = self._desk.open()
        self._context.changed()
        return Done(id=request.id, text="The code is valid for two minutes.", about=written(code))

    async def _close_pairing(self, request: ClosePairing) -> Done:
        self._desk.close()
        self._context.changed()
        return Done(id=request.id, text="The code is no longer valid.")

    async def _remove_controller(self, request: RemoveController) -> Done:
        gone = self._paired.remove_controller(request.name)
        for session in [item for item in self._sessions if item.controller == gone]:
            session.connection.abort()
        self._context.changed()
        return Done(id=request.id, text=f"The computer {gone.name} can no longer control this one.")

    def _controller_view(self, known: PairedComputer) -> ControllerView:
        sessions = [item for item in self._sessions if item.controller == known]
        return ControllerView(
            name=known.name,
            fingerprint=known.fingerprint,
            added=known.added,
            connected=sessions[0].connection.address if sessions else "",
        )

    def _own_addresses(self, port: int) -> tuple[str, ...]:
        taken, addresses = self._addresses
        if time.monotonic() - taken >= _ADDRESSES:
            addresses = own_addresses()
            self._addresses = (time.monotonic(), addresses)
        return tuple(write_address(address, port) for address in addresses)
