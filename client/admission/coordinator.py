"""Calls a run's coordinator over its REST interface, with time limits, bounded answers and no redirects.

The reason of a refusal is shown to the volunteer: it is cut to one line, without control characters and without
their secrets. Only `client.task`'s process loads this.
"""

import base64
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any, NoReturn

from pydantic import BaseModel, ConfigDict, Field, SecretStr, StringConstraints

from client.account.http_origin import HttpOrigin, OriginRole, Reply
from client.admission.gate_info import PATH, GateInfo, base_of
from client.admission.membership import RunMembership
from client.admission.tasks import TaskSeconds
from client.api.board import Board, BoardQuery, TeamBoard, TeamQuery
from client.api.commands import TeamAction
from client.api.errors import (
    ClientError,
    CoordinatorAway,
    GateError,
    MembershipEnded,
    SetAsideByEvidence,
    WrongClock,
)
from core.admission import proofs
from core.admission.peer_key import PeerKey
from core.excerpt import excerpt
from core.generation.records import FRAME_BYTES
from core.storage.files import Sha256

SITE = OriginRole(
    CoordinatorAway, "the run's coordinator", "Tell the run's organiser: it must begin with https://."
)
_LONGEST_PUT_OFF = 3600.0
_ENDED = {"signed_out", "banned", "not_admitted"}
"""Codes that asking again does not change."""

_TEAM_REQUESTS = {
    TeamAction.FOUND: ("POST", "", "name"),
    TeamAction.JOIN: ("POST", "/membership", "name"),
    TeamAction.LEAVE: ("DELETE", "/membership", ""),
    TeamAction.RENAME: ("PATCH", "/own", "name"),
    TeamAction.HAND_OVER: ("PATCH", "/own", "leader"),
    TeamAction.CLOSE: ("DELETE", "/own", ""),
}
"""Method, path and field of the name of each request about teams."""

_Secret = Annotated[SecretStr, Field(min_length=16, max_length=512)]


class _CoordinatorAnswer(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class ChallengeAnswer(_CoordinatorAnswer):
    nonce: Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{16,256}$")]
    expires_in: TaskSeconds


class JoinAnswer(_CoordinatorAnswer):
    membership: _Secret
    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$")]
    access_token: Annotated[SecretStr, Field(max_length=4096)]
    expires_in: TaskSeconds


class TokenAnswer(_CoordinatorAnswer):
    access_token: Annotated[SecretStr, Field(max_length=4096)]
    expires_in: TaskSeconds


class _PageAddress(_CoordinatorAnswer):
    address: Annotated[SecretStr, Field(max_length=1000)]


class _TeamAnswer(_CoordinatorAnswer):
    name: Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f-\x9f]{1,128}$")]


class _ReceiptList(_CoordinatorAnswer):
    receipts: Annotated[list[dict[str, Any]], Field(max_length=10_000)]


class _RecordedEpoch(_CoordinatorAnswer):
    epoch: Annotated[int, Field(ge=0, lt=10_000_000)]
    loss: Annotated[float, Field(ge=-1e6, le=1e6)] | None
    samples: Annotated[int, Field(ge=0, lt=10**12)]
    peers: Annotated[int, Field(ge=0, lt=10**9)]
    seconds: Annotated[float, Field(ge=0, lt=1e9)]


class _History(_CoordinatorAnswer):
    epochs: Annotated[list[_RecordedEpoch], Field(max_length=5_000)]


class PublishedFrame(_CoordinatorAnswer):
    """A frame of the time-lapse that the coordinator has."""

    generation: Annotated[int, Field(ge=0, lt=2**31)]
    epoch: Annotated[int, Field(ge=0, lt=10_000_000)]
    sha256: Sha256
    size: Annotated[int, Field(gt=0, le=FRAME_BYTES)]


class PublishedFrames(_CoordinatorAnswer):
    prompts: Annotated[tuple[Annotated[str, Field(max_length=1000)], ...], Field(max_length=16)] = ()
    columns: Annotated[int, Field(ge=1, le=16)] = 1
    frames: Annotated[tuple[PublishedFrame, ...], Field(max_length=1_000)] = ()
    """Oldest first, an epoch once."""


class _Refusal(_CoordinatorAnswer):
    code: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,64}$")] = ""
    what: Annotated[str, Field(max_length=2000)] = ""
    remedy: Annotated[str, Field(max_length=2000)] = ""


class CoordinatorClient:
    """One coordinator; all of it raises CoordinatorAway where there is no answer, GateError for a refusal."""

    def __init__(
        self,
        address: str,
        put_off: Callable[[float], None] = lambda seconds: None,
        clock: Callable[[], float] = time.time,
        passed: Callable[[int], None] = lambda size: None,
    ) -> None:
        """Prepare calls to one coordinator.

        Args:
            address: Address of the coordinator.
            put_off: Called, before the error, with the seconds for which the coordinator asks to be left alone.
            clock: Seconds since 1970, to understand dates in answers.
            passed: Called with the bytes of each piece that was received; it may block to limit the rate.
        """
        self.address = base_of(address)
        self._origin = HttpOrigin(self.address, site=SITE, passed=passed)
        self._put_off, self._clock = put_off, clock

    def gate(self) -> GateInfo:
        return self._fine(self._origin.get(PATH)).read(GateInfo)

    def challenge(self, flow: str) -> ChallengeAnswer:
        return self._asked("POST", "/api/challenges", {"flow": flow}).read(ChallengeAnswer)

    def join(
        self, id_token: SecretStr, challenge: str, run: str, key: PeerKey, invitation: SecretStr | None
    ) -> JoinAnswer:
        """Become a member, by a proof of identity made for this run and key."""
        body = {
            "id_token": id_token.get_secret_value(),
            "nonce": challenge,
            "invitation": invitation.get_secret_value() if invitation else None,
            "public_key": proofs.encoded(key.public_key),
            "proof": _in_text(key.sign(proofs.joining(run, challenge))),
        }
        return self._asked("POST", "/api/members", body).read(JoinAnswer)

    def renew(self, membership: RunMembership, key: PeerKey) -> TokenAnswer:
        """Request a new access token. Raises MembershipEnded if the coordinator issues none any more."""
        now = int(self._clock())
        body = {
            "public_key": proofs.encoded(key.public_key),
            "time": now,
            "proof": _in_text(key.sign(proofs.renewal(membership.run, key.public_key, now))),
        }
        return self._asked("POST", "/api/tokens", body, membership).read(TokenAnswer)

    def end(self, membership: RunMembership) -> None:
        self._asked("DELETE", "/api/members", None, membership)

    def page(self, membership: RunMembership) -> SecretStr:
        """Return a link to the volunteer's own page; raise CoordinatorAway if it leads elsewhere."""
        address = self._asked("POST", "/api/pages", None, membership).read(_PageAddress).address
        if self._origin.path_of(address.get_secret_value()) is None:
            raise CoordinatorAway(
                f"{self.address} refers to a page of another site.", "Tell the run's organiser."
            )
        return address

    def hide(self, membership: RunMembership, hidden: bool) -> None:
        self._asked("PATCH", "/api/members", {"hidden": hidden}, membership)

    def receipts(self, membership: RunMembership) -> list[dict[str, Any]]:
        return self._asked("GET", "/api/receipts", None, membership).read(_ReceiptList).receipts

    def board(self, query: BoardQuery, membership: RunMembership | None, peer: str | None = None) -> Board:
        """Return the leaderboard, with the row of the member or, in a run without a gate, of the peer by its id."""
        words = {name: str(value) for name, value in query.model_dump(exclude_none=True).items()}
        if membership is None and peer is not None:
            words["peer"] = peer
        return self._asked("GET", f"/api/leaderboard?{_encoded(words)}", None, membership).read(Board)

    def teams(self, query: TeamQuery, membership: RunMembership | None) -> TeamBoard:
        """Return the leaderboard of teams, with the team of the member."""
        words = {name: str(value) for name, value in query.model_dump(exclude_none=True).items()}
        return self._asked("GET", f"/api/teams?{_encoded(words)}", None, membership).read(TeamBoard)

    def change_team(self, membership: RunMembership, action: TeamAction, name: str | None) -> str:
        """Found, join, leave or change a team; return its name, or an empty text if it was closed."""
        method, path, field = _TEAM_REQUESTS[action]
        reply = self._asked(method, f"/api/teams{path}", {field: name} if field else None, membership)
        return "" if action is TeamAction.CLOSE else reply.read(_TeamAnswer).name

    def history(self, points: int) -> tuple[tuple[int, float, int, int, float], ...]:
        """Return number, loss, samples, peers and seconds of the run's epochs, thinned out to ``points``."""
        epochs = self._asked("GET", f"/api/history?points={points}", None).read(_History).epochs
        return tuple(
            (one.epoch, round(one.loss, 5), one.samples, one.peers, round(one.seconds, 1))
            for one in epochs[-points:]
            if one.loss is not None
        )

    def frames(self, most: int) -> PublishedFrames:
        """Return the run's time-lapse, thinned out to about ``most`` frames."""
        return self._asked("GET", f"/api/frames?most={most}", None).read(PublishedFrames)

    def frame(self, frame: PublishedFrame) -> bytes:
        path = f"/frames/{frame.generation}/{frame.epoch}/{frame.sha256}"
        return self._asked("GET", path, None).body

    def _asked(
        self, method: str, path: str, body: dict[str, Any] | None, membership: RunMembership | None = None
    ) -> Reply:
        secret = membership.secret if membership else None
        return self._fine(self._origin.send(method, path, body, secret), secret)

    def _fine(self, reply: Reply, secret: SecretStr | None = None) -> Reply:
        if not reply.fine:
            self._refuse(reply, secret)
        return reply

    def _refuse(self, reply: Reply, secret: SecretStr | None) -> NoReturn:
        if reply.inconclusive or 300 <= reply.status < 400:
            refusal = reply.refusal()
            if isinstance(refusal, CoordinatorAway):
                refusal.seconds = min(reply.retry_after, _LONGEST_PUT_OFF)
                self._put_off(refusal.seconds)
            raise refusal
        raise _refusal(reply, reply.read_if(_Refusal) or _Refusal(), secret)


def _refusal(reply: Reply, document: _Refusal, secret: SecretStr | None) -> ClientError:
    if not document.what:
        return reply.refusal()
    what, remedy = (_line(text, secret) for text in (document.what, document.remedy))
    if document.code == WrongClock.code:
        return WrongClock(f"{reply.origin} says: {what}", remedy)
    if document.code == SetAsideByEvidence.code:
        return SetAsideByEvidence(f"{reply.origin} says: {what}", remedy)
    ended = document.code in _ENDED or reply.status == HTTPStatus.UNAUTHORIZED
    kind = MembershipEnded if secret is not None and ended else GateError
    return kind(f"{reply.origin} says: {what}", remedy)


def _line(text: str, secret: SecretStr | None) -> str:
    if secret is not None and secret.get_secret_value() in text:
        return "(nothing that can be shown)"
    return excerpt(text)


def _in_text(signature: bytes) -> str:
    return base64.b64encode(signature).decode()


def _encoded(words: dict[str, str]) -> str:
    from urllib.parse import urlencode

    return urlencode(words)
