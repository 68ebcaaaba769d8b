"""The messages that a run manifest's signatures cover: canonical JSON of a part's fields, bound to its run."""

import hashlib
from typing import Any

from core.run.fields import Rules
from core.run.rules import TrainingRules
from core.run.state import RunState
from core.signing import canonical, is_signed


def set_fields(part: Rules) -> dict[str, Any]:
    """Return the fields of ``part`` that were set.

    So a part stays as it was signed when a later version adds a field with a default.
    """
    return part.model_dump(mode="json", exclude_unset=True, exclude_none=True)


def training_message(training: TrainingRules, key: str) -> bytes:
    """Return the message that is signed for the ``training`` part, with the organiser's ``key`` (hex)."""
    return b"idlebrush/1/training\n" + canonical({"key": key, "training": set_fields(training)})


def part_message(label: str, part: Rules, training_digest: str) -> bytes:
    """Return the message that is signed for the contact part or the state.

    Args:
        label: Name of the part: ``contact`` or ``state``.
        part: The part.
        training_digest: Digest of the run's training part, in hex.
    """
    value = {"run": training_digest, label: set_fields(part)}
    return f"idlebrush/1/{label}\n".encode() + canonical(value)


def is_state_signed(state: RunState, signature: str, *, key: str, training_digest: str) -> bool:
    """Return true if the organiser signed ``state`` for a run.

    Args:
        state: State of the run.
        signature: Signature over it, in hex.
        key: The organiser's public key, in hex.
        training_digest: Digest of the run's training part, in hex.
    """
    return is_signed(part_message("state", state, training_digest), signature, key)


def genesis_of(state: RunState, training_digest: str) -> bytes:
    """Return the head, 32 bytes, at which the chain of commits of a generation begins.

    In the first generation it is ``training_digest`` (hex); in later ones it depends on ``state``, too.
    """
    if state.generation == 0:
        return bytes.fromhex(training_digest)
    named = {"generation": state.generation, "epoch": state.epoch, "parameters": state.parameters or ""}
    return hashlib.sha256(b"idlebrush/1/genesis\n" + canonical({"run": training_digest, **named})).digest()
