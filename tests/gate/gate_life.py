"""A coordinator's gate in this process, and volunteers who sign in to it through the Hub on loopback."""

import base64
import hashlib
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import requests
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.testclient import TestClient

from coordinator.database.connect import Database
from coordinator.errors import GateRefusal
from coordinator.home import Home
from coordinator.settings import GateSettings, Settings
from coordinator.web.app import API, gate_of
from coordinator.web.context import WebContext
from core.admission import proofs
from core.admission.peer_key import PeerKey
from core.families.text_to_image.rules import TextToImageRules
from core.model.config import preset
from core.run.contact import Contact, GateRules
from core.run.manifest import RunManifest
from core.run.training.data_rules import CodecRules, DataRules, TextRules
from core.signing import SigningKey
from core.storage.files import FileRef
from tests.coordinator.empty_database import empty_database
from tests.hub.hub_server import DEVICE_GRANT, HubServer

ADDRESS = "https://train.example.org"
REDIRECT = "http://127.0.0.1:4711/callback"
MODEL = preset("emoji")


class AdvancedClock:
    """The time now, and what a test adds to it."""

    def __init__(self) -> None:
        self.ahead = timedelta()
        self._stopped: datetime | None = None

    def __call__(self) -> datetime:
        return (self._stopped or datetime.now(UTC)) + self.ahead

    def stop(self) -> None:
        """Let time pass by `pass_by` alone: for what a slow machine would otherwise take too long to do."""
        self._stopped = datetime.now(UTC)

    def pass_by(self, **span: float) -> None:
        self.ahead += timedelta(**span)


@cache
def peer_key(folder: Path, number: int) -> PeerKey:
    """The key of one of the machines that tests have."""
    return PeerKey.load_or_create(folder / f"peer-{number}")


@dataclass
class GateOverHttp:
    """A gate, as it is reached by HTTP."""

    hub: HubServer
    context: WebContext
    clock: AdvancedClock
    http: TestClient

    @property
    def run(self) -> str:
        return self.context.manifest.training_digest

    @property
    def database(self) -> Database:
        return self.context.database

    @property
    def client_id(self) -> str:
        return self.context.settings.gate.client_id or ""

    def challenge(self, flow: str = "browser") -> str:
        answer = self.http.post("/api/challenges", json={"flow": flow})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["nonce"])


@dataclass
class GateVolunteer:
    """A volunteer with an account on the Hub and a machine."""

    name: str
    key: PeerKey
    membership: str = ""
    access_token: str = ""
    hub_token: str = field(default="", repr=False)
    """The token that the Hub issued besides the proof; no coordinator ever sees it."""

    @property
    def public_key(self) -> str:
        return proofs.encoded(self.key.public_key)

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.membership}"}

    def prove_by_browser(self, hub: HubServer, client_id: str, nonce: str) -> str:
        """Sign in with the Hub by authorization code and PKCE; the id_token."""
        hub.openid.browser = self.name
        verifier = secrets.token_urlsafe(48)
        digest = hashlib.sha256(verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": REDIRECT,
            "scope": "openid profile",
            "state": "some state",
            "nonce": nonce,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        sent = requests.get(f"{hub.address}/oauth/authorize", asked, allow_redirects=False, timeout=10)
        code = dict(parse_qsl(urlsplit(sent.headers["Location"]).query))["code"]
        return self._redeem(
            hub,
            grant_type="authorization_code",
            client_id=client_id,
            code=code,
            redirect_uri=REDIRECT,
            code_verifier=verifier,
        )

    def prove_by_device_code(self, hub: HubServer, client_id: str, nonce: str) -> str:
        hub.approve_next(self.name)
        asked = {"client_id": client_id, "scope": "openid profile", "nonce": nonce}
        device = requests.post(f"{hub.address}/oauth/device", asked, timeout=10).json()
        return self._redeem(
            hub, grant_type=DEVICE_GRANT, client_id=client_id, device_code=device["device_code"]
        )

    def _redeem(self, hub: HubServer, **form: str) -> str:
        answer = requests.post(f"{hub.address}/oauth/token", form, timeout=10).json()
        self.hub_token = answer["access_token"]
        return str(answer["id_token"])

    def application(self, coordinator: GateOverHttp, flow: str = "browser") -> dict[str, Any]:
        """Return the request of an honest client to join, after its user has signed in with the Hub."""
        challenge = coordinator.challenge(flow)
        nonce = proofs.identity_nonce(coordinator.run, challenge, self.key.public_key)
        prove = self.prove_by_browser if flow == "browser" else self.prove_by_device_code
        return {
            "id_token": prove(coordinator.hub, coordinator.client_id, nonce),
            "nonce": challenge,
            "invitation": None,
            "public_key": self.public_key,
            "proof": signed(self.key, proofs.joining(coordinator.run, challenge)),
        }

    def join(self, coordinator: GateOverHttp, flow: str = "browser", **changed: Any) -> Any:
        """The coordinator's answer; the secrets of a success are kept."""
        answer = coordinator.http.post(
            "/api/members", json={**self.application(coordinator, flow), **changed}
        )
        if answer.status_code == 201:
            self.membership = answer.json()["membership"]
            self.access_token = answer.json()["access_token"]
        return answer

    def renewal(self, coordinator: GateOverHttp, at: float = 0.0) -> dict[str, Any]:
        """Return the request of an honest client to renew, with a clock that is ``at`` seconds ahead."""
        moment = int(coordinator.clock().timestamp() + at)
        message = proofs.renewal(coordinator.run, self.key.public_key, moment)
        return {"public_key": self.public_key, "time": moment, "proof": signed(self.key, message)}

    def renew(self, coordinator: GateOverHttp, **changed: Any) -> Any:
        asked = {**self.renewal(coordinator), **changed}
        return coordinator.http.post("/api/tokens", json=asked, headers=self.bearer)


def signed(key: PeerKey, message: bytes) -> str:
    return base64.b64encode(key.sign(message)).decode()


@contextmanager
def running_coordinator(
    folder: Path,
    hub: HubServer,
    *,
    client_id: str = "idlebrush-test-app",
    database: str | None = None,
    moderators: tuple[str, ...] = (),
    appeals: str | None = None,
    hub_token: str | None = None,
    app: Callable[[WebContext], FastAPI] | None = None,
    **gate: Any,
) -> Iterator[GateOverHttp]:
    """A coordinator of a run of its own, whose gate is as the settings say; by its clock the Hub goes, too."""
    home, clock = Home(folder), AdvancedClock()
    key = _key_of(home)
    hub.openid.apps.add(client_id)
    hub.openid.clock = lambda: clock().timestamp()
    settings = Settings(
        address=ADDRESS,
        moderators=moderators,
        appeals=appeals,
        gate=GateSettings(issuer=hub.address, client_id=client_id, **gate),
    )
    if database is None and not home.database.exists():
        home.database.write_bytes(empty_database())
    opened = Database.open(database or f"sqlite:///{home.database}")
    context = WebContext(
        home=home, settings=settings, database=opened, gate_key=key, clock=clock, hub_token=hub_token
    )
    try:
        with TestClient((app or bare_app)(context)) as http:
            yield GateOverHttp(hub, context, clock, http)
    finally:
        opened.close()


def _key_of(home: Home) -> SigningKey:
    """The gate's, of the run that is there; where there is none, it is made."""
    if not home.gate_key.exists():
        home.gate_key.parent.mkdir(parents=True, exist_ok=True)
        key = SigningKey.generate()
        key.save(home.gate_key)
        organiser = SigningKey.generate()
        organiser.save(home.organiser_key)
        write_run(home.manifest, key, organiser)
    return SigningKey.load(home.gate_key)


def write_run(file: Path, gate: SigningKey, organiser: SigningKey) -> None:
    """A run that says all that a gate reads of it, and whose files are nowhere."""
    file.parent.mkdir(parents=True, exist_ok=True)
    ref = FileRef(path="file", sha256="ab" * 32, size=1000)
    training = TextToImageRules(
        name="gated",
        model=MODEL,
        codec=CodecRules(config=ref, weights=ref),
        text=TextRules(tokenizer=ref, length=MODEL.text_length, vocab=MODEL.text_vocab),
        data=DataRules(shards=(ref,)),
    )
    contact = Contact(
        title="Painters <together>",
        coordinator=ADDRESS,
        gate=GateRules(key=gate.public_key),
        issued_at=datetime.fromtimestamp(int(time.time()), UTC),
    )
    RunManifest.create(training, contact, organiser).save(file)


def bare_app(context: WebContext) -> FastAPI:
    """The REST API without the website around it."""
    app = FastAPI()
    app.state.context, app.state.gate = context, gate_of(context)
    for router in API:
        app.include_router(router)

    @app.exception_handler(GateRefusal)
    def refuse(_: Request, error: GateRefusal) -> JSONResponse:
        return JSONResponse(
            {"code": error.code, "what": error.what, "remedy": error.remedy}, status_code=error.status
        )

    @app.exception_handler(RequestValidationError)
    def misunderstand(_: Request, error: RequestValidationError) -> JSONResponse:
        return JSONResponse({"code": "request", "what": "It is malformed.", "remedy": "Look it up."}, 422)

    return app
