"""A statement holds for just what was sent, by whom, in which round."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from hivemind.proto import runtime_pb2

from core.admission.peer_key import PeerKey
from core.run.encodings import Encoding
from core.swarm.auditing.statement import (
    SIGNATURE_BYTES,
    IntroducedKeys,
    PartStatement,
    StatementKey,
    digest_of,
)
from core.swarm.wire.encoding import MalformedPart, encode
from tests.core.swarm.builders import digest_of as digest_of_word
from tests.core.swarm.builders import identity

RUN = "run"
TENSOR = encode(torch.arange(10.0), Encoding.FLOAT32)
STATEMENT = PartStatement(
    RUN, 7, digest_of_word("parent"), digest_of_word("group")[:20], 3, 32.0, digest_of(TENSOR)
)


def own_key(number: int) -> PeerKey:
    return PeerKey(identity(number).private_key._private_key)


SENDER, OTHER = (StatementKey(own_key(number), RUN) for number in range(2))
NAME = identity(0).peer_id.to_bytes()


def test_the_sender_is_believed() -> None:
    signature = SENDER.sign(STATEMENT)
    assert len(signature) == SIGNATURE_BYTES
    keys = IntroducedKeys(RUN)
    for _ in range(2):
        keys.require(NAME, SENDER.introduction, STATEMENT, signature)


CHANGES: dict[str, dict[str, Any]] = {
    "run": {"run": "other"},
    "epoch": {"epoch": 8},
    "parent": {"parent": digest_of_word("other")},
    "group": {"group": digest_of_word("other")[:20]},
    "part": {"part": 4},
    "weight": {"weight": 33.0},
    "digest": {"digest": digest_of(encode(torch.arange(1.0, 11.0), Encoding.FLOAT32))},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_a_statement_is_of_nothing_else(change: dict[str, Any]) -> None:
    with pytest.raises(MalformedPart, match="other values"):
        IntroducedKeys(RUN).require(
            NAME, SENDER.introduction, replace(STATEMENT, **change), SENDER.sign(STATEMENT)
        )


INTRODUCTIONS: dict[str, tuple[bytes, str]] = {
    "none": (b"", "malformed"),
    "cut off": (SENDER.introduction[:300], "malformed"),
    "too long": (SENDER.introduction + bytes(2000), "malformed"),
    "of another peer": (OTHER.introduction, "did not sign"),
    "altered": (SENDER.introduction[:-1] + b"x", "did not sign"),
    "for another run": (StatementKey(own_key(0), "other").introduction, "did not sign"),
    "without a key": (b"\x03\x00abc" + bytes(32) + bytes(256), "without its own"),
}


@pytest.mark.parametrize(("introduction", "why"), INTRODUCTIONS.values(), ids=list(INTRODUCTIONS))
def test_a_key_is_introduced_by_its_own_peer_for_its_run(introduction: bytes, why: str) -> None:
    with pytest.raises(MalformedPart, match=why):
        IntroducedKeys(RUN).require(NAME, introduction, STATEMENT, SENDER.sign(STATEMENT))


def test_the_digest_covers_the_encoding_as_well() -> None:
    other = runtime_pb2.Tensor(buffer=TENSOR.buffer, compression=1, size=TENSOR.size, dtype=TENSOR.dtype)
    assert digest_of(other) != digest_of(TENSOR)
