"""A coordinator's real website under mutated requests to its gate, and a volunteer who joins and renews in between.

Requests are those of a volunteer who signs in, with their tokens, proofs, keys and invitations mutated one by one,
and whole bodies mutated. Each comes from an address of its own, as a proxy would forward it.
"""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from benchmarks.coordinator.http_load import Answer, Clients, KeptConnection, Timings, headers_of
from benchmarks.coordinator.site import make_home, serving
from benchmarks.coordinator.volunteers import Crowd, SimulatedVolunteer, machines
from benchmarks.fuzzing.noise import DICTIONARY
from benchmarks.fuzzing.served_peers import PARTS, ServedReading
from benchmarks.fuzzing.watched import WatchedProcesses
from benchmarks.subjects.mutations import mutated
from coordinator.database.connect import Database
from core.admission import proofs
from core.run.manifest import RunManifest
from tests.hub.hub_server import running_hub

_SECONDS = 30.0
_AT_ONCE = 16
_FIRST_CLIENT = 1 << 10
"""Number of the first hostile client: honest volunteers have lower ones."""
_TEXTS = (b"..", b"'", b'"', b"%00", b"\\u0000", b"eyJhbGciOiJub25lIn0", b"=", b"-", b"A" * 3000, *DICTIONARY)
_PLACES = {
    "challenge": ("POST", "/api/challenges"),
    "join": ("POST", "/api/members"),
    "renewal": ("POST", "/api/tokens"),
    "change": ("PATCH", "/api/members"),
    "page": ("POST", "/api/pages"),
    "receipts": ("GET", "/api/receipts"),
}


class GateFailed(AssertionError):
    """The website answered a request with an error of its own, or refused an honest volunteer."""


@dataclass(frozen=True)
class GateRequest:
    """A request to a gate, as a client sends it."""

    kind: str
    body: bytes
    bearer: str = ""


class MutatedRequests:
    """An endless stream of requests, each made of a valid one; the same for the same seed and requests."""

    def __init__(self, valid: list[GateRequest], seed: int) -> None:
        """Mutate the ``valid`` requests as ``seed`` draws."""
        self._valid, self._chance = valid, random.Random(seed)

    def next(self) -> GateRequest:
        """Return a request of which a field, the body or the bearer token was mutated."""
        request = self._chance.choice(self._valid)
        match self._chance.randrange(4):
            case 0:
                return GateRequest(request.kind, self._mutated(request.body), request.bearer)
            case 1:
                bearer = self._mutated(request.bearer.encode()).decode("latin-1")
                printable = "".join(letter for letter in bearer if letter.isprintable())
                return GateRequest(request.kind, request.body, printable)
            case _:
                return GateRequest(request.kind, self._with_a_field(request.body), request.bearer)

    def _with_a_field(self, body: bytes) -> bytes:
        fields = json.loads(body) if body else {}
        if not fields:
            return self._mutated(body)
        name = self._chance.choice(sorted(fields))
        fields[name] = self._mutated(str(fields[name]).encode()).decode("latin-1")
        return json.dumps(fields).encode()

    def _mutated(self, data: bytes) -> bytes:
        return mutated(data, self._chance, _TEXTS)


class GateUnderFire:
    """The website's process, and the volunteers who sign in to it."""

    def __init__(self, crowd: Crowd, port: int, seed: int) -> None:
        """Send to the website at ``port`` what ``seed`` draws; ``crowd`` holds the honest volunteers."""
        self._crowd, self._port, self._seed, self._sent, self._joined = crowd, port, seed, 0, 0

    async def send(self, messages: int) -> Counter[str]:
        """Send as many mutated requests; return the number of outcomes by kind.

        Raises GateFailed for an answer that tells of a fault of the website.
        """
        requests, outcomes = (
            MutatedRequests(await self._valid_requests(), self._seed + self._sent),
            Counter[str](),
        )
        for start in range(0, messages, _AT_ONCE):
            burst = [requests.next() for _ in range(min(_AT_ONCE, messages - start))]
            outcomes.update(await asyncio.gather(*map(self._outcome, burst)))
        await self.join_honestly()
        return outcomes

    async def _valid_requests(self) -> list[GateRequest]:
        """Return requests of a volunteer who has joined just now."""
        volunteer = await self.join_honestly()
        challenge = await self._asked(GateRequest("challenge", b'{"flow": "browser"}'))
        application = self._crowd.application(volunteer, json.loads(challenge.body)["nonce"])
        moment, key = int(time.time()), volunteer.key
        signature = key.sign(proofs.renewal(self._crowd.run, key.public_key, moment))
        about = {"public_key": proofs.encoded(key.public_key), "proof": proofs.encoded(signature)}
        return [
            GateRequest("challenge", b'{"flow": "browser"}'),
            GateRequest("join", json.dumps({**application, "invitation": "x" * 24}).encode()),
            GateRequest("renewal", json.dumps({**about, "time": moment}).encode(), volunteer.membership),
            GateRequest("change", b'{"hidden": true}', volunteer.membership),
            GateRequest("page", b"", volunteer.membership),
            GateRequest("receipts", b"", volunteer.membership),
        ]

    async def join_honestly(self) -> SimulatedVolunteer:
        """Let the next volunteer join and renew, and return it; raises GateFailed if either is refused."""
        number, renewals = self._joined, len(self._crowd.promises.renewals)
        self._joined += 1
        await self._crowd.join(number, time.perf_counter())
        await self._crowd.renew(number, time.perf_counter())
        volunteer = self._crowd.volunteers[number]
        if not volunteer.membership or len(self._crowd.promises.renewals) == renewals:
            raise GateFailed(f"an honest volunteer was not let in: {dict(self._crowd.failed)}")
        return volunteer

    async def _outcome(self, request: GateRequest) -> str:
        try:
            async with asyncio.timeout(_SECONDS):
                answer = await self._asked(request)
        except TimeoutError:
            return "silent"
        except (
            OSError,
            EOFError,
            ValueError,
            IndexError,
        ):  # it hung up, or answered what is no answer of HTTP
            return "cut_off"
        if (
            answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR
            and answer.status != HTTPStatus.SERVICE_UNAVAILABLE
        ):
            raise GateFailed(f"{answer.status} for {request}")
        return "answered" if answer.status < HTTPStatus.BAD_REQUEST else "refused"

    async def _asked(self, request: GateRequest) -> Answer:
        """Send a request from an address of its own, as a proxy forwards it."""
        self._sent += 1
        client = _FIRST_CLIENT + self._sent
        method, path = _PLACES[request.kind]
        connection = await KeptConnection.open(self._port)
        try:
            headers = headers_of(client, request.body, request.bearer)
            return await connection.ask(method, path, headers, request.body)
        finally:
            connection.close()


def attack_gate(folder: Path, messages: int, seed: int) -> Iterator[ServedReading]:
    """Send that many mutated requests to a gate; yield a reading after each tenth.

    Raises Replaced if the website's process ends, and GateFailed for a fault of it.
    """
    with running_hub() as hub:
        home = make_home(folder / "home", hub.address)
        run = RunManifest.load(home.manifest).training_digest
        database = f"sqlite:///{home.database}"
        Database.open(database).close()
        with serving(home, database) as (processes, port):
            clients = Clients(port, Timings())
            volunteers = [SimulatedVolunteer(number, key) for number, key in enumerate(machines(2 * PARTS))]
            crowd = Crowd(clients, hub.openid, run, volunteers)
            gate, watched, counted = (
                GateUnderFire(crowd, port, seed),
                WatchedProcesses(processes),
                Counter[str](),
            )
            for part in range(1, PARTS + 1):
                counted += asyncio.run(_one_part(gate, clients, messages // PARTS))
                yield ServedReading(messages * part // PARTS, Counter(counted), watched.holdings())


async def _one_part(gate: GateUnderFire, clients: Clients, messages: int) -> Counter[str]:
    try:
        return await gate.send(messages)
    finally:
        clients.close()
