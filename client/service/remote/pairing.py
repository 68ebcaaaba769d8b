"""Pairs computers by a code: the side that shows it, and the side at which it is typed."""

import asyncio
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from pydantic import SecretStr

from client.api.errors import ClientError, ComputerAway, RemoteError
from client.api.remote.control import PairingStage, PairingView
from client.remote.addresses import write_address
from client.remote.codes import PairingWindow, new_code
from client.remote.identity import ComputerIdentity
from client.remote.kept import PairedComputers
from client.remote.pairing import (
    MAX_CERTIFICATE,
    MAX_PAIRING_LINE,
    PAIRING,
    Exchange,
    PairingAnswer,
    PairingDone,
    PairingMessage,
    PairingOffer,
    PairingProof,
    PairingRefused,
    b64,
    clean_name,
    identity_of,
    same_proof,
    to_b64,
)
from client.remote.tasks import AnswerPairing, BeginPairing, FinishPairing, PairingBegun, PairingKey
from client.remote.tls import is_certificate, pairing_context, peer_certificate
from client.service.remote.listener import RemoteConnection
from client.tasks import TaskRunner
from core.excerpt import excerpt
from core.messages.lines import LineError, decode, encode

_TASK_SECONDS = 30.0
_SECONDS = 60.0
"""Time limit for a whole pairing, at the side at which the code is typed."""
_BROKEN_OFF = ("The other computer ended the pairing.", "Try again with a new code.")

M = TypeVar("M", bound=PairingMessage)


class PairingDesk:
    """The side that shows the code: serves one attempt at a time."""

    def __init__(
        self,
        tasks: TaskRunner,
        paired: PairedComputers,
        name: str,
        now: Callable[[], datetime],
        tell: Callable[[str], None],
    ) -> None:
        """Prepare to pair; no code is valid before `open`.

        Args:
            tasks: Runs what needs cryptography.
            paired: Gets the computer that is paired.
            name: Name of this computer.
            now: Clock with a time zone.
            tell: Called with the name of a computer as soon as that is paired, whether it learns so or not.
        """
        self._tasks, self._paired, self._name, self._now, self._tell = tasks, paired, name, now, tell
        self._window: PairingWindow | None = None
        self._serving = asyncio.Lock()

    def open(self) -> str:
        """Return a new code; an earlier one is void."""
        self._window = PairingWindow.opened(self._now(), new_code())
        return self._window.code

    def close(self) -> None:
        """Withdraw the code."""
        if self._window is not None:
            self._window = self._window.at(self._now()).closed()

    @property
    def is_open(self) -> bool:
        """True while the code is valid."""
        return self._window is not None and self._window.at(self._now()).stage is PairingStage.OPEN

    @property
    def view(self) -> PairingView | None:
        """The newest code as front ends show it; None: there was none."""
        if self._window is None:
            return None
        window = self._window.at(self._now())
        return PairingView(
            stage=window.stage,
            expires=window.expires,
            attempts_left=window.attempts_left,
            paired=window.paired,
        )

    async def serve(self, connection: RemoteConnection, identity: ComputerIdentity) -> None:
        """Carry out one attempt to pair a computer.

        Raises RemoteError if the attempt failed; the other side was told what it may know.
        """
        try:
            offer = await _receive(connection.reader, PairingOffer)
            if self._serving.locked():
                raise RemoteError("Another computer is being paired.", "Try again in a moment.")
            async with self._serving:
                await self._attempt(connection, identity, offer)
        except ClientError as error:
            refused = PairingRefused(what=excerpt(error.what), remedy=excerpt(error.remedy))
            connection.writer.write(encode(refused, MAX_PAIRING_LINE))
            raise
        finally:
            await connection.finish()

    async def _attempt(
        self, connection: RemoteConnection, identity: ComputerIdentity, offer: PairingOffer
    ) -> None:
        certificate = b64(offer.certificate)
        if len(certificate) > MAX_CERTIFICATE or not is_certificate(certificate):
            raise RemoteError("The other computer sent an invalid certificate.", "Update Idlebrush on both.")
        window = self._window
        if window is None:
            raise RemoteError(*_BROKEN_OFF)
        self._window = window.attempted(self._now())
        try:
            await self._prove(connection, identity, offer, window.code)
            self._accept(clean_name(offer.name), certificate, window.code)
        finally:
            if self._window.code == window.code:
                self._window = self._window.failed()
        with suppress(RemoteError):  # it is paired, even if it has hung up meanwhile
            await _send(connection.writer, PairingDone())

    async def _prove(
        self, connection: RemoteConnection, identity: ComputerIdentity, offer: PairingOffer, code: str
    ) -> None:
        """Prove that this computer knows the code, and have the other one prove it."""
        task = AnswerPairing(
            code=SecretStr(code),
            controlling=to_b64(identity_of(b64(offer.certificate), controls=True)),
            controlled=to_b64(identity_of(identity.certificate, controls=False)),
            share=offer.share,
        )
        found = await self._tasks.run(task, PairingKey, _TASK_SECONDS)
        exchange = Exchange(offer, identity.certificate, self._name, found.share)
        theirs, ours = exchange.proofs(bytes.fromhex(found.key.get_secret_value()))
        await _send(connection.writer, PairingAnswer(name=self._name, share=found.share, proof=ours))
        answer = await _receive(connection.reader, PairingProof)
        if not same_proof(answer.proof, theirs):
            raise RemoteError("The code was wrong.", "Type the code that the other computer shows.")

    def _accept(self, name: str, certificate: bytes, code: str) -> None:
        """Keep the computer, unless the code was withdrawn or replaced meanwhile."""
        window = self._window
        if window is None or window.code != code:
            raise RemoteError("The code is no longer valid.", "Type the new code.")
        closed = window.at(self._now()).succeeded(name)
        kept = self._paired.add_controller(name, certificate, self._now())
        self._window = replace(closed, paired=kept.name)
        self._tell(kept.name)


@dataclass(frozen=True)
class PairedWith:
    """The computer that was paired."""

    name: str
    """Name that it gives itself."""
    certificate: bytes
    """Certificate of the computer, in DER."""


async def pair_with(
    host: str, port: int, code: str, identity: ComputerIdentity, name: str, tasks: TaskRunner
) -> PairedWith:
    """Pair the computer at an address, so that this one can control it.

    Args:
        host: Address of the computer.
        port: Port at which it listens.
        code: Code that it shows.
        identity: Certificate and key of this computer.
        name: Name of this computer.
        tasks: Runs what needs cryptography.

    Raises:
        ComputerAway: It cannot be reached.
        RemoteError: It does not know the code, or refuses.
    """
    where = write_address(host, port)
    try:
        async with asyncio.timeout(_SECONDS):
            reader, writer = await asyncio.open_connection(
                host, port, ssl=pairing_context(), limit=MAX_PAIRING_LINE
            )
            try:
                return await _ask_to_pair(reader, writer, code, identity, name, tasks)
            finally:
                writer.transport.abort()
    except TimeoutError as error:
        raise ComputerAway(
            f"The computer at {where} did not answer in time.", "Check that it is on and in your network."
        ) from error
    except ssl.SSLError as error:
        raise RemoteError(
            f"The computer at {where} accepts no code now.", "Have it show a new code, and try again."
        ) from error
    except OSError as error:
        raise ComputerAway(
            f"The computer at {where} cannot be reached: {error.strerror or error}.",
            "Check the address, and that the other computer shows a code.",
        ) from error


async def _ask_to_pair(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    code: str,
    identity: ComputerIdentity,
    name: str,
    tasks: TaskRunner,
) -> PairedWith:
    certificate = peer_certificate(writer.transport)
    if certificate is None:
        raise RemoteError(*_BROKEN_OFF)
    task = BeginPairing(
        code=SecretStr(code),
        controlling=to_b64(identity_of(identity.certificate, controls=True)),
        controlled=to_b64(identity_of(certificate, controls=False)),
    )
    begun = await tasks.run(task, PairingBegun, _TASK_SECONDS)
    offer = PairingOffer(name=name, certificate=to_b64(identity.certificate), share=begun.share)
    await _send(writer, offer)
    answer = await _receive(reader, PairingAnswer)
    found = await tasks.run(FinishPairing(state=begun.state, share=answer.share), PairingKey, _TASK_SECONDS)
    exchange = Exchange(offer, certificate, answer.name, answer.share)
    ours, theirs = exchange.proofs(bytes.fromhex(found.key.get_secret_value()))
    if not same_proof(answer.proof, theirs):
        raise RemoteError(
            "The code is wrong, or another device answers in the other computer's place.",
            "Compare code and address with what the other computer shows.",
        )
    await _send(writer, PairingProof(proof=ours))
    await _receive(reader, PairingDone)
    return PairedWith(clean_name(answer.name), certificate)


async def _send(writer: asyncio.StreamWriter, message: PairingMessage) -> None:
    writer.write(encode(message, MAX_PAIRING_LINE))
    try:
        await writer.drain()
    except ConnectionError as error:
        raise RemoteError(*_BROKEN_OFF) from error


async def _receive(reader: asyncio.StreamReader, kind: type[M]) -> M:
    """Return the next message, which has to be of that kind.

    Raises RemoteError if it is another one, or the other side's refusal in its words.
    """
    try:
        message = decode(await reader.readline(), PAIRING, MAX_PAIRING_LINE)
    except (LineError, ValueError, ConnectionError) as error:
        raise RemoteError(*_BROKEN_OFF) from error
    if isinstance(message, PairingRefused):
        raise RemoteError(excerpt(message.what), excerpt(message.remedy))
    if not isinstance(message, kind):
        raise RemoteError(*_BROKEN_OFF)
    return message
