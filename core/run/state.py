"""A run's signed state on its own.

Any peer can pass on that the organiser took the run back; none can forge it.
"""

from typing import Any, Self

from pydantic import ValidationError

from core.run.fields import Rules
from core.run.manifest import RunManifest, Signature
from core.run.rules import RunState
from core.run.signed_parts import is_state_signed, set_fields


class SignedState(Rules):
    """The state part of a manifest with its signature; it is bound to the run's training part and its key."""

    state: RunState
    signature: Signature

    @classmethod
    def of(cls, manifest: RunManifest) -> Self:
        """Return the state of ``manifest`` with its signature."""
        return cls(state=manifest.state, signature=manifest.signatures.state)

    @classmethod
    def read(cls, found: object, manifest: RunManifest) -> Self | None:
        """Read the state in ``found``, a plain value, which may be of any generation of the run.

        Returns None if it is malformed, or if the organiser of the run in ``manifest`` did not sign it.
        """
        try:
            signed = cls.model_validate(found)
        except ValidationError:
            return None
        is_ours = is_state_signed(
            signed.state, signed.signature, key=manifest.key, training_digest=manifest.training_digest
        )
        return signed if is_ours else None

    def pack(self) -> dict[str, Any]:
        """Pack into a plain value, which ``read`` reverses."""
        return {"state": set_fields(self.state), "signature": self.signature}
