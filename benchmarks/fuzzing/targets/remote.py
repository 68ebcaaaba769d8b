"""Parsers of remote control: what a computer that is not paired may send, and what a person types."""

from datetime import UTC, datetime

from pydantic import SecretStr, ValidationError

from benchmarks.fuzzing.target import FuzzTarget, text_in
from client.api.errors import RemoteError
from client.remote.addresses import read_address
from client.remote.carrying_out import carry_out
from client.remote.codes import read_code
from client.remote.kept import ControlledComputer, PairedComputer, PairedFile
from client.remote.pairing import (
    MAX_PAIRING_LINE,
    PAIRING,
    PairingAnswer,
    PairingDone,
    PairingMessage,
    PairingOffer,
    PairingProof,
    PairingRefused,
    to_b64,
)
from client.remote.tasks import AnswerPairing, BeginPairing, PairingBegun
from core.messages.lines import LineError, decode, encode

_IDENTITY = to_b64(bytes(32))
_CODE = SecretStr("ABCD2345")


def _share() -> bytes:
    begun = carry_out(BeginPairing(code=_CODE, controlling=_IDENTITY, controlled=_IDENTITY))
    assert isinstance(begun, PairingBegun)
    return begun.share.encode()


def _answer(share: bytes) -> object:
    """Compute the key for a message of SPAKE2 in Base64, as the computer does that shows the code."""
    task = AnswerPairing(code=_CODE, controlling=_IDENTITY, controlled=_IDENTITY, share=text_in(share))
    return carry_out(task)


def _message(line: bytes) -> PairingMessage:
    return decode(line, PAIRING, MAX_PAIRING_LINE)


_NOW = datetime(2026, 3, 1, tzinfo=UTC)
_FILE = PairedFile(
    controllers=(PairedComputer(name="Laptop", certificate=_IDENTITY, added=_NOW),),
    computers=(ControlledComputer(name="Desktop", certificate=_IDENTITY, added=_NOW, address="x:1"),),
)
_MESSAGES: tuple[PairingMessage, ...] = (
    PairingOffer(name="Laptop", certificate=_IDENTITY, share=_IDENTITY),
    PairingAnswer(name="Desktop", share=_IDENTITY, proof="ab" * 32),
    PairingProof(proof="ab" * 32),
    PairingDone(),
    PairingRefused(what="What.", remedy="Remedy."),
)

_ADDRESSES = (b"192.168.1.7", b"[fd00::7]:47320", b"study.local:1")

TARGETS = (
    FuzzTarget("pairing_message", tuple(map(encode, _MESSAGES)), _message, (LineError,)),
    FuzzTarget("pairing_share", (_share(),), _answer, (RemoteError, ValidationError)),
    FuzzTarget(
        "paired_file",
        (_FILE.model_dump_json().encode(),),
        PairedFile.model_validate_json,
        (ValidationError,),
    ),
    FuzzTarget("computer_address", _ADDRESSES, lambda data: read_address(text_in(data)), (RemoteError,)),
    FuzzTarget("pairing_code", (b"ABCD-2345",), lambda data: read_code(text_in(data)), (RemoteError,)),
)
