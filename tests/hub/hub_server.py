"""A Hugging Face Hub on loopback: signs in by browser, device code and token, and misbehaves if told to."""

import json
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.hub.openid import CLIENT_ID, Grant, OpenId
from tests.loopback_server import served

__all__ = ["CLIENT_ID", "Canned", "HubRequest", "HubServer", "running_hub"]

SCOPES = {"openid", "profile"}
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"


@dataclass(frozen=True)
class Canned:
    """An answer that is given whatever was asked."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)
    drip_seconds: float = 0.0
    """Pause between two bytes of the body."""
    times: float = float("inf")
    """Number of times that this answer is given before the path answers normally again."""
    reflects: bool = False
    """True if it appends everything that it was sent to the body."""


@dataclass(frozen=True)
class HubRequest:
    """A request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    form: Mapping[str, str]
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def bearer(self) -> str:
        return self.headers.get("Authorization", "").removeprefix("Bearer ")


@dataclass
class _Sought:
    """A device code that a client waits for."""

    user_code: str
    expires: float
    app: str
    nonce: str = ""
    outcome: str = "authorization_pending"
    name: str = ""


Answer = tuple[int, dict[str, Any]] | tuple[int, Any, dict[str, str]]
"""Status, body, and headers if there are any."""


def _organisation(asked: HubRequest) -> str:
    """Return the organisation whose members are requested, or "" for any other request."""
    start, _, name = asked.path.removesuffix("/members").rpartition("/")
    return name if start == "/api/organizations" and asked.path.endswith("/members") else ""


@dataclass
class HubServer:
    """Tests set what it does and look at what it was asked; all of it is guarded by one lock."""

    address: str
    interval: float = 0.02
    """Seconds that it wants between two questions for a token."""
    code_seconds: float = 600.0
    token_seconds: float | None = 8 * 3600.0
    revocation: bool = False
    """True if its metadata name an endpoint for revoking tokens."""
    refreshes: bool = True
    """True if grants include a refresh token."""
    verification_uri: str = ""
    tokens: dict[str, str] = field(default_factory=dict)
    """Name of the user by each valid token."""
    organisations: set[str] = field(default_factory=set)
    members: dict[str, list[str]] = field(default_factory=dict)
    """Members of organisations that show them, returned `page` at a time."""
    private_members: dict[str, list[str]] = field(default_factory=dict)
    """Shown only to tokens of these members."""
    page: int = 2
    refresh_tokens: dict[str, str] = field(default_factory=dict)
    revoked: list[str] = field(default_factory=list)
    asked: list[HubRequest] = field(default_factory=list)
    slow_downs: int = 0
    """Number of the next requests for a token that it rejects as too frequent."""
    canned: dict[str, Canned] = field(default_factory=dict)
    """Answers that replace the normal ones, by path."""
    closing: threading.Event = field(default_factory=threading.Event)
    _sought: dict[str, _Sought] = field(default_factory=dict)
    _approvals: deque[str] = field(default_factory=deque)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def __post_init__(self) -> None:
        self.openid = OpenId(self.address)

    def approve_next(self, name: str) -> None:
        """Whoever asks next for a code enters it at once."""
        self._approvals.append(name)

    def approve(self, user_code: str, name: str) -> None:
        self._settle(user_code, "granted", name)

    def deny(self, user_code: str) -> None:
        self._settle(user_code, "access_denied")

    def expire(self, user_code: str) -> None:
        self._settle(user_code, "expired_token")

    def add_token(self, name: str) -> str:
        """A token that this person made on the settings page."""
        token = f"hf_{secrets.token_hex(17)}"
        self.tokens[token] = name
        return token

    def wait_for(self, path: str, count: int = 1, seconds: float = 20.0) -> list[HubRequest]:
        """The requests for a path, once there were so many."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.requests(path)) >= count, seconds), path
            return self.requests(path)

    def requests(self, path: str) -> list[HubRequest]:
        return [asked for asked in self.asked if asked.path == path]

    def issued(self) -> list[str]:
        """Every secret that it ever gave or knows."""
        return [*self.tokens, *self.refresh_tokens, *self._sought]

    def note(self, asked: HubRequest) -> None:
        with self._changed:
            self.asked.append(asked)
            self._changed.notify_all()

    def answer(self, asked: HubRequest) -> Answer:
        self.note(asked)
        with self._changed:
            place = self._members if _organisation(asked) else self._places().get((asked.method, asked.path))
            return place(asked) if place else (404, {"error": "Not found"})

    def canned_for(self, path: str) -> Canned | None:
        with self._changed:
            canned = self.canned.get(path)
            if canned:
                self.canned[path] = left = Canned(**{**vars(canned), "times": canned.times - 1})
                if left.times < 0:
                    del self.canned[path]
                    return None
            return canned

    def _places(self) -> dict[tuple[str, str], Callable[[HubRequest], Answer]]:
        return {
            ("GET", "/oauth/authorize"): self._authorize,
            ("GET", "/oauth/jwks"): lambda _: (200, self.openid.jwks()),
            ("POST", "/oauth/device"): self._device,
            ("POST", "/oauth/token"): self._token,
            ("POST", "/oauth/revoke"): self._revoke,
            ("GET", "/oauth/userinfo"): self._userinfo,
            ("GET", "/api/whoami-v2"): self._whoami,
            ("GET", "/.well-known/openid-configuration"): self._metadata,
        }

    def _settle(self, user_code: str, outcome: str, name: str = "") -> None:
        with self._changed:
            sought = next(sought for sought in self._sought.values() if sought.user_code == user_code)
            sought.outcome, sought.name = outcome, name

    def _device(self, asked: HubRequest) -> Answer:
        app = asked.form.get("client_id", "")
        if app not in self.openid.apps:
            return 401, {"error": "invalid_client", "error_description": "Application not found"}
        if not set(asked.form.get("scope", "").split()) <= SCOPES:
            return 400, {"error": "invalid_scope"}
        letters = secrets.token_hex(4).upper()
        nonce = asked.form.get("nonce", "") if self.openid.echoes_device_nonce else ""
        expires = time.monotonic() + self.code_seconds
        sought = _Sought(f"{letters[:4]}-{letters[4:]}", expires, app, nonce)
        if self._approvals:
            sought.outcome, sought.name = "granted", self._approvals.popleft()
        code = f"device_{secrets.token_hex(16)}"
        self._sought[code] = sought
        return 200, {
            "device_code": code,
            "user_code": sought.user_code,
            "verification_uri": self.verification_uri or f"{self.address}/oauth/device",
            "expires_in": self.code_seconds,
            "interval": self.interval,
        }

    def _token(self, asked: HubRequest) -> Answer:
        if asked.form.get("client_id") not in self.openid.apps:
            return 401, {"error": "invalid_client"}
        match asked.form.get("grant_type"):
            case "refresh_token":
                name = self.refresh_tokens.pop(asked.form.get("refresh_token", ""), None)
                grant = Grant(name, asked.form["client_id"]) if name else None
            case "authorization_code":
                grant = self.openid.redeem(asked.form)
            case kind if kind == DEVICE_GRANT:
                return self._granted(self._sought.get(asked.form.get("device_code", "")))
            case _:
                return 400, {"error": "unsupported_grant_type"}
        return self._issue(grant) if grant else (400, {"error": "invalid_grant"})

    def _authorize(self, asked: HubRequest) -> Answer:
        target = self.openid.authorize(asked.query)
        return (302, {}, {"Location": target}) if target else (400, {"error": "invalid_request"})

    def _granted(self, sought: _Sought | None) -> Answer:
        if sought is None:
            return 400, {"error": "invalid_grant"}
        if self.slow_downs:
            self.slow_downs -= 1
            return 400, {"error": "slow_down"}
        if time.monotonic() > sought.expires:
            return 400, {"error": "expired_token"}
        if sought.outcome != "granted":
            return 400, {"error": sought.outcome, "error_description": "Not yet, or not at all"}
        return self._issue(Grant(sought.name, sought.app, sought.nonce))

    def _issue(self, grant: Grant) -> Answer:
        token, refresh = f"hf_oauth_{secrets.token_hex(24)}", f"hf_refresh_{secrets.token_hex(24)}"
        self.tokens[token] = grant.name
        answer: dict[str, Any] = {
            "access_token": token,
            "id_token": self.openid.proof(grant),
            "token_type": "bearer",
            "scope": "openid profile",
        }
        if self.token_seconds is not None:
            answer["expires_in"] = self.token_seconds
        if self.refreshes:
            self.refresh_tokens[refresh] = grant.name
            answer["refresh_token"] = refresh
        return 200, answer

    def _revoke(self, asked: HubRequest) -> Answer:
        token = asked.form.get("token", "")
        self.revoked.append(token)
        self.tokens.pop(token, None)
        self.refresh_tokens.pop(token, None)
        return 200, {}

    def _userinfo(self, asked: HubRequest) -> Answer:
        if name := self.tokens.get(asked.bearer):
            return 200, {"sub": self.openid.subject(name), "preferred_username": name, "name": name.title()}
        return 401, {"error": "invalid_token"}

    def _whoami(self, asked: HubRequest) -> Answer:
        if name := self.tokens.get(asked.bearer):
            kind = "org" if name in self.organisations else "user"
            return 200, {
                "type": kind,
                "name": name,
                "fullname": name.title(),
                "auth": {"type": "access_token"},
            }
        return 401, {"error": "Invalid username or password."}

    def _metadata(self, _: HubRequest) -> Answer:
        return 200, self.openid.metadata() | (
            {"revocation_endpoint": f"{self.address}/oauth/revoke"} if self.revocation else {}
        )

    def _members(self, asked: HubRequest) -> Answer:
        """A page of an organisation's members, with a link to the next as the Hub's API gives it."""
        organisation = _organisation(asked)
        hidden = self.private_members.get(organisation, [])
        names = hidden if self.tokens.get(asked.bearer) in hidden else self.members.get(organisation)
        if names is None:
            return 404, {"error": "Not found"}
        start = int(asked.query.get("cursor", "0"))
        page = names[start : start + self.page]
        users = [{"user": name, "fullname": name.title(), "type": "user"} for name in page]
        following = f'<{self.address}{asked.path}?cursor={start + self.page}>; rel="next"'
        return 200, users, {"Link": following} if start + self.page < len(names) else {}


@contextmanager
def running_hub() -> Iterator[HubServer]:
    """A Hub on a free port; its threads are gone afterwards."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _HubHandler)
    server.daemon_threads = False  # closing waits for them
    hub = HubServer(f"http://127.0.0.1:{server.server_address[1]}")
    server.hub = hub  # type: ignore[attr-defined]
    with served(server):
        try:
            yield hub
        finally:
            hub.closing.set()


class _HubHandler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def log_message(self, *_: object) -> None:
        pass

    @property
    def _hub(self) -> HubServer:
        hub = self.server.hub  # type: ignore[attr-defined]
        assert isinstance(hub, HubServer)
        return hub

    def _serve(self) -> None:
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        target = urlsplit(self.path)
        form, query = dict(parse_qsl(sent)), dict(parse_qsl(target.query))
        asked = HubRequest(self.command, target.path, dict(self.headers), form, query)
        try:
            if canned := self._hub.canned_for(target.path):
                self._hub.note(asked)
                self._misbehave(canned, f"{self.headers}{sent}" if canned.reflects else "")
            else:
                status, body, *headers = self._hub.answer(asked)
                self._write_head(status, {"Content-Type": "application/json", **dict(*headers)})
                self.wfile.write(json.dumps(body).encode())
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client had enough

    def _misbehave(self, canned: Canned, reflection: str) -> None:
        self._write_head(canned.status, canned.headers)
        body = canned.body + reflection.encode()
        if not canned.drip_seconds:
            self.wfile.write(body)
            return
        for byte in body:
            self.wfile.write(bytes([byte]))
            if self._hub.closing.wait(canned.drip_seconds):
                return

    def _write_head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
