"""Simulates viewers of a run's dashboard: each opens the page, gets the events, and fetches the curves."""

import argparse
import asyncio
import json
import re
import sys
import time
from contextlib import suppress
from random import Random

import uvloop

from benchmarks.coordinator.http_load import (
    Clients,
    KeptConnection,
    Timings,
    arriving,
    headers_of,
    milliseconds,
)

_EPOCH = re.compile(rb'"epoch":(\d+)')
_ASSET = re.compile(rb'(?:href|src)="(/static/[^"]+)"')
_LONGEST_WAIT_SECONDS = 30.0
_SHARE_OF_EPOCH = 0.25
"""Fraction of an epoch's duration within which each fetches the curves after it, as in dashboard.js."""


class Audience:
    """Counts the events and answers that its members get."""

    def __init__(self, port: int, first_client: int, draws: Random) -> None:
        self.timings, self.events, self.refused = Timings(), 0, 0
        self._clients = Clients(port, self.timings)
        self._first_client, self._draws = first_client, draws
        self._streams: list[KeptConnection] = []
        self._watching: set[asyncio.Task[None]] = set()
        self._is_over = False

    async def arrive(self, number: int, due: float) -> None:
        """Open the page with an empty browser cache, then its stream, and stay."""
        client = self._first_client + number
        page = await self._clients.ask("page", client, due, "GET", "/dashboard")
        if page is None or page.status != 200:
            return
        for asset in self._assets:
            await self._clients.ask("its files", client, time.perf_counter(), "GET", asset)
        task = asyncio.create_task(self._watch(client))
        self._watching.add(task)
        task.add_done_callback(self._watching.discard)

    async def look_around(self) -> None:
        """Find out which files the page has."""
        connection = await KeptConnection.open(self._clients.port)
        page = await connection.ask("GET", "/dashboard", {"Accept": "text/html"})
        self._assets = sorted({match.decode() for match in _ASSET.findall(page.body)})
        connection.close()

    async def _watch(self, client: int) -> None:
        due = time.perf_counter()
        stream = await KeptConnection.open(self._clients.port)
        self._streams.append(stream)
        head = await stream.begin("GET", "/api/events", headers_of(client))
        if head.status != 200:
            self.refused += 1
            return
        epoch, since = b"", time.perf_counter()
        with suppress(OSError, asyncio.IncompleteReadError):
            while line := await stream.line():
                found = _EPOCH.search(line) if line.startswith(b"data") else None
                if found is None:
                    continue
                now = time.perf_counter()
                if not epoch:
                    self.timings.seconds["first event"].append(now - due)
                self.events += 1
                if found[1] != epoch:
                    took, epoch, since = (now - since if epoch else 0.0), found[1], now
                    asyncio.get_running_loop().call_later(self._wait(took), self._fetch, client)

    def _wait(self, took: float) -> float:
        """Return the seconds until the curves are fetched; `took`: seconds of the epoch, 0 at first."""
        return self._draws.random() * min(took * _SHARE_OF_EPOCH, _LONGEST_WAIT_SECONDS)

    def _fetch(self, client: int) -> None:
        if self._is_over:
            return
        task = asyncio.create_task(self._load(client))
        self._watching.add(task)
        task.add_done_callback(self._watching.discard)

    async def _load(self, client: int) -> None:
        await self._clients.ask("curves", client, time.perf_counter(), "GET", "/api/history?points=500")

    @property
    def streams(self) -> int:
        return len(self._streams)

    async def leave(self) -> None:
        self._is_over = True
        for stream in self._streams:
            stream.close()
        for task in list(self._watching):
            task.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)
        self._clients.close()


async def watch(port: int, viewers: int, rate: float, stay: float) -> dict[str, object]:
    """Run viewers that arrive at ``rate`` per second and stay ``stay`` seconds after that; return counts."""
    audience = Audience(port, first_client=1 << 16, draws=Random(1))
    await audience.look_around()
    await arriving(rate, viewers / rate, audience.arrive, Random(2))
    before, started = audience.events, time.perf_counter()
    await asyncio.sleep(stay)
    seconds = time.perf_counter() - started
    counts = {
        "streams": audience.streams - audience.refused,
        "events_per_second": round((audience.events - before) / seconds, 1),
        "kinds": {
            kind: {"requests": len(values), **milliseconds(values)}
            for kind, values in audience.timings.seconds.items()
        },
        "failed": {**audience.timings.failed, "streams refused": audience.refused},
    }
    await audience.leave()
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--viewers", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=50.0, help="that come in a second")
    parser.add_argument("--stay", type=float, default=60.0, help="seconds after the last has come")
    chosen = parser.parse_args()
    json.dump(uvloop.run(watch(chosen.port, chosen.viewers, chosen.rate, chosen.stay)), sys.stdout)


if __name__ == "__main__":
    main()
