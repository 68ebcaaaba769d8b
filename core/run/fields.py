"""The kinds of values that a run's manifest is made of, and the base of its parts: validated, frozen."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from core.run.least_version import LEAST_VERSION

Count = Annotated[int, Field(gt=0, le=2**40)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Positive = Annotated[float, Field(gt=0)]
Momentum = Annotated[float, Field(ge=0, lt=1)]
# Text from a manifest ends up in terminals and web pages: no control characters, so no escape sequences.
TextLine = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f-\x9f]+$", max_length=200)]
Prose = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x09\x0b-\x1f\x7f-\x9f]*$", max_length=4000)]
Multiaddr = Annotated[
    str, StringConstraints(pattern=r"^(/[A-Za-z0-9.:_-]+)+/p2p/[A-Za-z0-9]+$", max_length=300)
]
WebAddress = Annotated[str, StringConstraints(pattern=r"^https?://[^\s\x00-\x1f\x7f-\x9f]+$", max_length=300)]
PublicKey = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""Ed25519 public key, in hex."""
HubRepo = Annotated[str, StringConstraints(pattern=r"^[\w.-]+(/[\w.-]+)?$", max_length=200)]
HubCommit = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
"""Hash of a commit; a branch would not always name the same content."""
ReleaseNumber = Annotated[str, StringConstraints(pattern=LEAST_VERSION)]
"""Release number of a program, such as 0.3."""


def _with_zone(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("it needs a time zone")
    return moment


ZonedTime = Annotated[datetime, AfterValidator(_with_zone)]
"""A time with its zone."""


class Rules(BaseModel):
    """Base of all parts: nothing unknown, nothing converted, nothing infinite."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)
