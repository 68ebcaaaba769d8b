"""Understands a line that a front end has sent: a request, or the reason why it is none."""

from pydantic import BaseModel, ValidationError

from client.api.answers import Refused
from client.api.commands import Quit
from client.api.errors import DaemonOld
from client.api.protocol import PROTOCOL, RECEIVED, RequestNumber
from client.api.requests import REQUESTS, AnyRequest
from core.errors import CoreError
from core.messages.lines import LineError, decode


class _Numbered(BaseModel):
    model_config = RECEIVED

    id: RequestNumber = 0


class _Envelope(_Numbered):
    """Fields that all versions of the protocol have in common."""

    type: str
    protocol: int


def understand(line: bytes) -> AnyRequest | Refused:
    """Return the request in a line, or what is wrong with it, in words that repeat nothing of the line."""
    try:
        return decode(line, REQUESTS)
    except LineError as error:
        return _of_another_version(line) or refusal(_number(line), error)


def refusal(number: int, error: CoreError) -> Refused:
    """Answer to a front end for an error."""
    return Refused(id=number, code=error.code, what=error.what, remedy=error.remedy)


def _of_another_version(line: bytes) -> Quit | Refused | None:
    """Obey `quit` of any version, by which users end an old daemon; refuse all else of another version."""
    try:
        envelope = _Envelope.model_validate_json(line)
    except ValidationError:
        return None
    if envelope.protocol == PROTOCOL:
        return None
    return Quit(id=envelope.id) if envelope.type == "quit" else refusal(envelope.id, DaemonOld())


def _number(line: bytes) -> int:
    try:
        return _Numbered.model_validate_json(line).id
    except ValidationError:
        return 0
