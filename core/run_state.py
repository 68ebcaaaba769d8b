"""A run's state on its own, signed: any peer can pass on that the organiser took the run back; none can claim it."""

from typing import Any, Self

from pydantic import ValidationError

from core.fields import Rules
from core.rules import RunState
from core.run import RunManifest, Signature
from core.signed_parts import is_state_signed, set_fields


class SignedState(Rules):
    """The state part of a manifest with its signature; it is bound to the run's training part and its key."""

    state: RunState
    signature: Signature

    @classmethod
    def of(cls, manifest: RunManifest) -> Self:
        return cls(state=manifest.state, signature=manifest.signatures.state)

    @classmethod
    def read(cls, found: object, manifest: RunManifest) -> Self | None:
        """The state in a plain value, of whatever generation of the run; None if its organiser did not sign it."""
        try:
            signed = cls.model_validate(found)
        except ValidationError:
            return None
        is_ours = is_state_signed(
            signed.state, signed.signature, key=manifest.key, training_digest=manifest.training_digest
        )
        return signed if is_ours else None

    def pack(self) -> dict[str, Any]:
        """As a plain value, from which ``read`` makes it again."""
        return {"state": set_fields(self.state), "signature": self.signature}
