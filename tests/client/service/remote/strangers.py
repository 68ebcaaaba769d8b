"""Programs that connect to a computer without being paired, and what they send."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pydantic import SecretStr

from client.remote.carrying_out import carry_out
from client.remote.pairing import (
    PAIRING,
    Exchange,
    PairingAnswer,
    PairingMessage,
    PairingOffer,
    PairingProof,
    identity_of,
    to_b64,
)
from client.remote.tasks import (
    BeginPairing,
    FinishPairing,
    IdentityMade,
    MakeIdentity,
    PairingBegun,
    PairingKey,
)
from client.remote.tls import own_certificate, pairing_context, peer_certificate
from core.messages.lines import decode, encode


class Stranger:
    """A TLS connection to a computer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, message: PairingMessage) -> None:
        """Send a message of a pairing."""
        self.writer.write(encode(message))
        await self.writer.drain()

    async def receive(self) -> PairingMessage:
        """Return the next message of a pairing."""
        return decode(await self.reader.readline(), PAIRING)

    async def is_cut_off(self) -> bool:
        """Return true once the other side has ended the connection without an answer."""
        try:
            return await self.reader.read(1) == b""
        except OSError:
            return True


@asynccontextmanager
async def stranger_at(port: int, context: ssl.SSLContext | None = None) -> AsyncIterator[Stranger]:
    """Connect by TLS; without a context, without a certificate."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context or pairing_context())
    try:
        yield Stranger(reader, writer)
    finally:
        writer.transport.abort()


class ForeignIdentity:
    """A certificate and key of a computer that is not paired."""

    def __init__(self, file: Path) -> None:
        made = carry_out(MakeIdentity())
        assert isinstance(made, IdentityMade)
        self.file, self.password = file, made.password.get_secret_value()
        file.write_text(made.pem)
        self.certificate = own_certificate(file)

    def present_in(self, context: ssl.SSLContext) -> ssl.SSLContext:
        """Have a context present this certificate, and return it."""
        context.load_cert_chain(self.file, password=self.password)
        return context


class HandMadePairing:
    """The controlling side of a pairing, step by step."""

    def __init__(self, stranger: Stranger, code: str, identity: ForeignIdentity) -> None:
        self.stranger = stranger
        certificate = peer_certificate(stranger.writer.transport)
        assert certificate is not None
        self.theirs = certificate
        task = BeginPairing(
            code=SecretStr(code.replace("-", "")),
            controlling=to_b64(identity_of(identity.certificate, controls=True)),
            controlled=to_b64(identity_of(certificate, controls=False)),
        )
        begun = carry_out(task)
        assert isinstance(begun, PairingBegun)
        self.begun = begun
        self.offer = PairingOffer(name="Mallory", certificate=to_b64(identity.certificate), share=begun.share)

    async def proof(self) -> PairingProof:
        """Send the offer, and return the proof that follows from the answer."""
        await self.stranger.send(self.offer)
        answer = await self.stranger.receive()
        assert isinstance(answer, PairingAnswer), answer
        key = carry_out(FinishPairing(state=self.begun.state, share=answer.share))
        assert isinstance(key, PairingKey)
        exchange = Exchange(self.offer, self.theirs, answer.name, answer.share)
        return PairingProof(proof=exchange.proofs(bytes.fromhex(key.key.get_secret_value()))[0])


class ProxyInBetween:
    """Ends the TLS connections of others by a certificate of its own, and passes on all that they say."""

    def __init__(self, identity: ForeignIdentity, port: int) -> None:
        self._identity, self._port = identity, port
        self.passed: list[bytes] = []
        """Lines that it could read."""
        self.own_port = 0

    @asynccontextmanager
    async def listening(self) -> AsyncIterator["ProxyInBetween"]:
        """Listen within the context."""
        context = self._identity.present_in(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))
        server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0, ssl=context)
        self.own_port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with stranger_at(self._port) as onward:
                await asyncio.gather(self._copy(reader, onward.writer), self._copy(onward.reader, writer))
        except OSError:
            pass
        finally:
            writer.transport.abort()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            self.passed.append(line)
            writer.write(line)
            await writer.drain()
        writer.transport.abort()
