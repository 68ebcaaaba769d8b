"""Volunteers at a coordinator's gate: each signs in with its own identity, and renews its access token."""

import base64
import hashlib
import time
from dataclasses import dataclass, field

from sqlalchemy import select

from benchmarks.coordinator.http_load import Answer, Clients
from coordinator.database.connect import Database
from coordinator.database.tables import Membership, SpentProof
from core.admission import proofs
from core.admission.peer_key import PeerKey
from tests.hub.openid import CLIENT_ID, Grant, OpenId


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


class Crowd:
    """Volunteers who join, renew and read as the phases of the benchmark ask."""

    def __init__(
        self, clients: Clients, provider: OpenId, run: str, volunteers: list[SimulatedVolunteer]
    ) -> None:
        self._clients, self._provider, self._run = clients, provider, run
        self.volunteers, self.promises = volunteers, Promises()

    async def join(self, number: int, due: float) -> None:
        """Request a challenge, answer it by the Hub and the volunteer's key, and become a member."""
        volunteer = self.volunteers[number % len(self.volunteers)]
        answer = await self._ask("challenge", volunteer, due, "/api/challenges", {"flow": "browser"})
        if answer is None or answer.status != 201:
            return
        application = self._application(volunteer, answer.json()["nonce"])
        joined = await self._ask("join", volunteer, time.perf_counter(), "/api/members", application)
        if joined is not None and joined.status == 201:
            volunteer.membership = joined.json()["membership"]
            self.promises.memberships.append(hashlib.sha256(volunteer.membership.encode()).hexdigest())

    async def renew(self, number: int, due: float) -> None:
        volunteer = self.volunteers[number % len(self.volunteers)]
        if not volunteer.membership:
            return
        moment, key = int(time.time()), volunteer.key
        signature = key.sign(proofs.renewal(self._run, key.public_key, moment))
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

    def _application(self, volunteer: SimulatedVolunteer, challenge: str) -> dict[str, str]:
        key = volunteer.key
        nonce = proofs.identity_nonce(self._run, challenge, key.public_key)
        return {
            "id_token": self._provider.proof(Grant(volunteer.name, CLIENT_ID, nonce)),
            "nonce": challenge,
            "public_key": proofs.encoded(key.public_key),
            "proof": _base64(key.sign(proofs.joining(self._run, challenge))),
        }

    async def _ask(
        self, kind: str, volunteer: SimulatedVolunteer, due: float, path: str, content: object
    ) -> Answer | None:
        bearer = volunteer.membership if kind == "renew" else ""
        return await self._clients.ask(kind, volunteer.number, due, "POST", path, content, bearer)


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()
