"""Records and identities for the tests of the swarm: plausible ones, of which a test changes what it is about."""

import hashlib
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hivemind.utils import get_dht_time
from hypothesis import settings

from core.admission.gate_certificate import GateCertificate
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import CommitRecord, ProgressRecord

FIFTY_EXAMPLES = settings(max_examples=50)
"""Settings for 50 examples, because one example out of many may take long on a busy machine."""


def digest_of(word: str) -> bytes:
    return hashlib.sha256(word.encode()).digest()


def peer_bytes(number: int) -> bytes:
    """A peer id that nobody has the key of."""
    return b"\x12\x20" + digest_of(f"peer {number}")


@cache
def identity(number: int) -> PeerIdentity:
    """A real identity; its file is gone when this returns, its key is not."""
    with TemporaryDirectory() as folder:
        return PeerIdentity.load_or_create(Path(folder) / f"identity-{number}")


@cache
def certificate_of(user: str) -> bytes:
    """The packed certificate of a user's peer, which no gate has signed."""
    return GateCertificate(user, 0, 1 << 40, bytes(12), bytes(64)).pack()


def progress(number: int = 0, **changed: Any) -> ProgressRecord:
    """The record of a peer that trains at epoch 7 with everybody else."""
    fields: dict[str, Any] = {
        "peer_id": peer_bytes(number),
        "epoch": 7,
        "head": digest_of("head"),
        "parameters": digest_of("parameters"),
        "sketch": [3.0, -4.0, 0.0],
        "samples": 10,
        "samples_per_second": 2.0,
        "time": 1000.0,
        "reducing": True,
        "auxiliary": False,
        "synchronised": True,
        "paused": False,
    }
    return ProgressRecord(**{**fields, **changed})


def commit_record(word: str = "root", **changed: Any) -> CommitRecord:
    """The record by which a group of two committed epoch 7."""
    fields: dict[str, Any] = {
        "epoch": 7,
        "parent": digest_of("parent"),
        "root": digest_of(word),
        "group": digest_of(f"group of {word}")[:20],
        "members": 2,
        "samples": 64.0,
    }
    return CommitRecord(**{**fields, **changed})


def seen(
    later: float = 0.0, others: tuple[ProgressRecord, ...] = (), aside: tuple[ProgressRecord, ...] = ()
) -> SwarmView:
    """What a look sees that begins in so many seconds from now."""
    return SwarmView(get_dht_time() + later, others, aside, seen_at=time.monotonic() + later)


class HandClock:
    """A clock that stands until a test sets it."""

    now = 50.0

    def __call__(self) -> float:
        return self.now
