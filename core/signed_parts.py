"""What the signatures of a run manifest are over: the canonical JSON of a part's fields, bound to its run."""

import hashlib
from typing import Any

from core.fields import Rules
from core.rules import RunState, TrainingRules
from core.signing import canonical, is_signed


def set_fields(part: Rules) -> dict[str, Any]:
    """The fields that were set: a part stays as it was signed when a later version adds one with a default."""
    return part.model_dump(mode="json", exclude_unset=True, exclude_none=True)


def training_message(training: TrainingRules, key: str) -> bytes:
    """What is signed of the training part, together with the organiser's key (hex)."""
    return b"idlebrush/1/training\n" + canonical({"key": key, "training": set_fields(training)})


def part_message(label: str, part: Rules, training_digest: str) -> bytes:
    """What is signed of the contact part or the state, together with the digest of training."""
    value = {"run": training_digest, label: set_fields(part)}
    return f"idlebrush/1/{label}\n".encode() + canonical(value)


def is_state_signed(state: RunState, signature: str, *, key: str, training_digest: str) -> bool:
    """Whether the organiser's key (hex) signed this state of that run."""
    return is_signed(part_message("state", state, training_digest), signature, key)


def genesis_of(state: RunState, training_digest: str) -> bytes:
    """The head at which the chain of a generation begins: 32 bytes, the run's own digest in the first one."""
    if state.generation == 0:
        return bytes.fromhex(training_digest)
    named = {"generation": state.generation, "epoch": state.epoch, "parameters": state.parameters or ""}
    return hashlib.sha256(b"idlebrush/1/genesis\n" + canonical({"run": training_digest, **named})).digest()
