"""Parsers of requests: lines of the control channel, and bodies that a coordinator's gate takes."""

from pydantic import BaseModel, SecretStr, ValidationError

from benchmarks.fuzzing.target import FuzzTarget, text_in
from client.api.answers import Refused
from client.api.commands import Join, Pause, SetPreference, SignIn
from client.api.questions import GetStatus, Watch
from client.service.channel.request_line import understand
from coordinator.api.answers import (
    BanAsked,
    ChallengeAsked,
    JoinAsked,
    MemberChange,
    RenewalAsked,
    TeamChange,
    TeamNamed,
)
from coordinator.database.team_tables import LONGEST_KEY
from coordinator.errors import GateRefusal
from coordinator.gate.challenges import Flow
from coordinator.teams.names import key_of, normalised
from core.messages.lines import encode


def _line(line: bytes) -> bool:
    return not isinstance(understand(line), Refused)


_LINES = (
    GetStatus(),
    Watch(),
    Pause(seconds=900.5),
    Join(folder="/home/ümlaut/run"),
    SetPreference(name="cpu.share", value="80%"),
    SignIn(token=SecretStr("hf_neverToBeSeenAgain"), keep="session"),
)
_BASE64 = "QUJDRA=="
_REQUESTS: dict[str, BaseModel] = {
    "challenge_request": ChallengeAsked(flow=Flow.BROWSER),
    "join_request": JoinAsked(
        id_token="a.b.c",
        nonce="nonce-nonce-nonce-nonce",
        invitation="invitation-invitation",
        public_key=_BASE64,
        proof=_BASE64,
    ),
    "renewal_request": RenewalAsked(public_key=_BASE64, time=1_770_000_000, proof=_BASE64),
    "member_change": MemberChange(hidden=True),
    "team_request": TeamNamed(name="Blue Brushes"),
    "team_change": TeamChange(name="絵筆", leader="mallory"),
    "ban_request": BanAsked(name="mallory", reason="spam", at_once=True),
}


def _team_name(name: bytes) -> bool:
    """Normalise a team's name, and make sure that what is stored stays what it is."""
    text = normalised(text_in(name))
    assert normalised(text) == text
    assert 0 < len(key_of(text)) <= LONGEST_KEY
    return True


def _of_kind(name: str, request: BaseModel) -> FuzzTarget:
    body = request.model_dump_json().encode()
    return FuzzTarget(name, (body,), type(request).model_validate_json, (ValidationError,))


TARGETS = (
    FuzzTarget("control_line", tuple(map(encode, _LINES)), _line),
    FuzzTarget("team_name", ("Pa1nters é".encode(), "кисть 絵筆".encode()), _team_name, (GateRefusal,)),
    *(_of_kind(name, request) for name, request in _REQUESTS.items()),
)
