"""Plays many HTTP clients at once: requests leave when they are due, and are timed from then."""

import asyncio
import json
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Self

_END_OF_HEAD = b"\r\n\r\n"
_PATIENCE_SECONDS = 30.0


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class KeptConnection:
    """One connection that is kept open between requests."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, port: int) -> Self:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        """Return the whole answer, whose length must be given."""
        head = await self.begin(method, path, headers, body)
        size = int(head.headers.get("content-length", 0))
        return Answer(head.status, head.headers, await self._reader.readexactly(size) if size else b"")

    async def begin(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        """Return an answer's head, if its body has no end."""
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self._writer.write("\r\n".join(lines).encode() + _END_OF_HEAD + body)
        first, *rest = (await self._reader.readuntil(_END_OF_HEAD)).decode("latin-1").split("\r\n")
        given = dict(line.lower().split(": ", 1) for line in rest if line)
        return Answer(int(first.split()[1]), given, b"")

    async def line(self) -> bytes:
        """Return the next line of a body without an end; empty at its end."""
        return await self._reader.readline()

    @property
    def is_over(self) -> bool:
        return self._reader.at_eof() or self._writer.is_closing()

    def close(self) -> None:
        self._writer.close()


@dataclass
class Timings:
    """Seconds from each request's due time to the end of its answer, by kind; and counts of errors."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failed: Counter[str] = field(default_factory=Counter)

    def quantile(self, kind: str, share: float) -> float:
        ordered = sorted(self.seconds[kind])
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Clients:
    """Clients of one server, each with its own address; they share connections, as behind a proxy."""

    def __init__(self, port: int, timings: Timings) -> None:
        self.port, self.timings = port, timings
        self._idle: list[KeptConnection] = []

    async def ask(
        self,
        kind: str,
        client: int,
        due: float,
        method: str,
        path: str,
        content: Any = None,
        bearer: str = "",
    ) -> Answer | None:
        """Return the answer to a request, timed and counted; None if it is lost.

        The request was ``due`` at that moment of `time.perf_counter`, from which its seconds count.
        """
        body = json.dumps(content).encode() if content is not None else b""
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                answer = await self._asked(method, path, headers_of(client, body, bearer), body)
        except (OSError, EOFError, asyncio.IncompleteReadError):
            self.timings.failed[f"{kind}: lost"] += 1
            return None
        self.timings.seconds[kind].append(time.perf_counter() - due)
        if answer.status >= 400:
            self.timings.failed[f"{kind}: {answer.status}"] += 1
        return answer

    async def _asked(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        connection = self._kept() or await KeptConnection.open(self.port)
        try:
            answer = await connection.ask(method, path, headers, body)
        except BaseException:
            connection.close()
            raise
        if answer.headers.get("connection") == "close":  # as nginx does after a thousand answers
            connection.close()
        else:
            self._idle.append(connection)
        return answer

    def _kept(self) -> KeptConnection | None:
        """Return a connection that the server has not closed as idle; None if there is none."""
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_over:
                return connection
            connection.close()
        return None

    def close(self) -> None:
        for connection in self._idle:
            connection.close()
        self._idle.clear()


def headers_of(client: int, body: bytes = b"", bearer: str = "") -> dict[str, str]:
    """Return the headers of a client, by its number, as our proxy forwards them."""
    address = f"10.{client >> 16 & 255}.{client >> 8 & 255}.{client & 255}"
    headers = {"X-Forwarded-For": address, "Accept-Encoding": "gzip"}
    if body:
        headers["Content-Type"] = "application/json"
    if bearer:
        headers["Authorization"] = f"Bearer {bearer}"
    return headers


LoadJob = Callable[[int, float], Awaitable[None]]


async def arriving(rate: float, seconds: float, job: LoadJob, draws: Random) -> None:
    """Start jobs at ``rate`` per second in a Poisson process, without waiting between; then await all.

    Each job gets its number and its due time.
    """
    started = due = time.perf_counter()
    number = 0
    async with asyncio.TaskGroup() as group:
        while (due := due + draws.expovariate(rate)) - started < seconds:
            await asyncio.sleep(due - time.perf_counter())
            group.create_task(_begun(job, number, due))
            number += 1


async def _begun(job: LoadJob, number: int, due: float) -> None:
    await job(number, due)


def milliseconds(values: Sequence[float]) -> dict[str, float]:
    """Return the reported quantiles of one kind of request, in milliseconds."""
    ordered = sorted(values)
    at = {share: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.99)}
    return {
        "p50_ms": round(1e3 * at[0.5], 1),
        "p99_ms": round(1e3 * at[0.99], 1),
        "most_ms": round(1e3 * ordered[-1], 1),
    }
