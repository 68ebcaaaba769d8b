"""Volunteers at a coordinator's gate: each signs in with its own identity, and renews its access token."""

import base64
import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import combinations, islice
from math import lcm

from cryptography.hazmat.primitives.asymmetric import rsa
from sqlalchemy import select

from benchmarks.coordinator.http_load import Answer, Clients
from coordinator.database.bulk import insert_all, insert_those_new
from coordinator.database.connect import Database
from coordinator.database.tables import KnownPeer, Membership, SpentProof, User
from coordinator.gate.bearer import hash_of, new_secret
from core.admission import proofs
from core.admission.peer_key import PeerKey
from tests.hub.openid import CLIENT_ID, Grant, OpenId

_BITS, _EXPONENT = 2048, 65_537
_FIRST_VIEWER = 1 << 17
"""Number of the first viewer as a client: volunteers, and viewers with streams, have lower ones."""
_PAGES = (
    "/dashboard",
    "/leaderboard",
    "/volunteers/seasoned-{number}",
    "/api/history?points=500",
    "/leaderboard?name=seasoned-{number}",
    "/",
)


@dataclass
class SimulatedVolunteer:
    """A volunteer with a machine; it keeps the coordinator's promises, to be checked later."""

    number: int
    key: PeerKey
    membership: str = ""

    @property
    def name(self) -> str:
        return f"volunteer-{self.number}"


@dataclass
class Promises:
    """Answers of success, whose data must be in the database from then on."""

    memberships: list[str] = field(default_factory=list)
    """SHA-256 digests of the memberships' secrets."""
    renewals: list[str] = field(default_factory=list)
    """SHA-256 digests of the accepted proofs."""

    def broken(self, database: Database) -> int:
        """Return the number of promises that are missing from the database."""
        with database.reading() as session:
            known = set(session.scalars(select(Membership.secret_hash)))
            spent = set(session.scalars(select(SpentProof.digest)))
        return len(set(self.memberships) - known) + len(set(self.renewals) - spent)


def machines(count: int) -> list[PeerKey]:
    """Make the keys of ``count`` volunteers' machines: all pairs of some primes, since new primes take an hour.

    The keys differ, and the coordinator takes as long for them as for any others. They protect nothing.
    """
    primes: list[int] = []
    while len(primes) * (len(primes) - 1) // 2 < count:
        numbers = rsa.generate_private_key(_EXPONENT, _BITS).private_numbers()
        primes += [numbers.p, numbers.q]
    return [PeerKey(_private(p, q)) for p, q in islice(combinations(primes, 2), count)]


def _private(p: int, q: int) -> rsa.RSAPrivateKey:
    d = pow(_EXPONENT, -1, lcm(p - 1, q - 1))
    parts = rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q)
    public = rsa.RSAPublicNumbers(_EXPONENT, p * q)
    return rsa.RSAPrivateNumbers(p, q, d, *parts, public).private_key(unsafe_skip_rsa_key_validation=True)


def enter(database: Database, volunteers: Sequence[SimulatedVolunteer]) -> None:
    """Enter volunteers in ``database`` as the gate does when they join, and give them their memberships."""
    now = datetime.now(UTC)
    with database.session() as session:
        rows = [
            {"name": each.name, "subject": f"entered-{each.number}", "created": now} for each in volunteers
        ]
        made = insert_those_new(session, User, rows, (User.name, User.id))
        users = {row.name: row.id for row in made}
        peers, memberships = [], []
        for each in volunteers:
            each.membership = new_secret()
            owner = {"user_id": users[each.name], "created": now}
            peers.append({**owner, "peer_id": each.key.peer_id, "public_key": each.key.public_key})
            over = {"secret_hash": hash_of(each.membership), "expires": now + timedelta(days=30)}
            memberships.append({**owner, **over})
        insert_all(session, KnownPeer, peers)
        insert_all(session, Membership, memberships)


class Crowd:
    """Volunteers who join, renew and read as the phases of the benchmark ask."""

    def __init__(
        self, clients: Clients, provider: OpenId, run: str, volunteers: list[SimulatedVolunteer]
    ) -> None:
        self._clients, self._provider, self.run = clients, provider, run
        self.volunteers, self.promises = volunteers, Promises()

    @property
    def failed(self) -> Mapping[str, int]:
        """Numbers of requests that were lost or refused, by kind and status."""
        return self._clients.timings.failed

    async def join(self, number: int, due: float) -> None:
        """Request a challenge, answer it by the Hub and the volunteer's key, and become a member."""
        volunteer = self.volunteers[number % len(self.volunteers)]
        answer = await self._ask("challenge", volunteer, due, "/api/challenges", {"flow": "browser"})
        if answer is None or answer.status != 201:
            return
        application = self.application(volunteer, answer.json()["nonce"])
        joined = await self._ask("join", volunteer, time.perf_counter(), "/api/members", application)
        if joined is not None and joined.status == 201:
            volunteer.membership = joined.json()["membership"]
            self.promises.memberships.append(hashlib.sha256(volunteer.membership.encode()).hexdigest())

    async def renew(self, number: int, due: float) -> None:
        volunteer = self.volunteers[number % len(self.volunteers)]
        if not volunteer.membership:
            return
        moment, key = int(time.time()), volunteer.key
        signature = key.sign(proofs.renewal(self.run, key.public_key, moment))
        asked = {"public_key": proofs.encoded(key.public_key), "time": moment, "proof": _base64(signature)}
        answer = await self._ask("renew", volunteer, due, "/api/tokens", asked)
        if answer is not None and answer.status == 200:
            self.promises.renewals.append(hashlib.sha256(signature).hexdigest())

    async def read(self, number: int, due: float) -> None:
        """Send another request of a volunteer's program: the run's status, or a part of the leaderboard."""
        path = (
            "/api/status",
            "/api/leaderboard?limit=20",
            f"/api/leaderboard?around=seasoned-{number % 1000}",
        )
        await self._clients.ask("read", number % 1000, due, "GET", path[number % 3])

    async def view(self, number: int, due: float) -> None:
        """Open a page of the website, or fetch what a page shows."""
        page = _PAGES[number % len(_PAGES)].format(number=1 + number % 1000)
        await self._clients.ask("view", _FIRST_VIEWER + number % 10_000, due, "GET", page)

    def application(self, volunteer: SimulatedVolunteer, challenge: str) -> dict[str, str]:
        """Return the request by which ``volunteer`` answers a ``challenge`` of the gate."""
        key = volunteer.key
        nonce = proofs.identity_nonce(self.run, challenge, key.public_key)
        return {
            "id_token": self._provider.proof(Grant(volunteer.name, CLIENT_ID, nonce)),
            "nonce": challenge,
            "public_key": proofs.encoded(key.public_key),
            "proof": _base64(key.sign(proofs.joining(self.run, challenge))),
        }

    async def _ask(
        self, kind: str, volunteer: SimulatedVolunteer, due: float, path: str, content: object
    ) -> Answer | None:
        bearer = volunteer.membership if kind == "renew" else ""
        return await self._clients.ask(kind, volunteer.number, due, "POST", path, content, bearer)


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()
