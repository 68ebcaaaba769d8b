"""Requests and answers of the REST API, as its OpenAPI description shows them."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from coordinator.gate.audit import Entry
from coordinator.gate.challenges import Flow
from coordinator.gate.moderation import Listed
from coordinator.ledger.history import FramePoint, HistoryPoint
from coordinator.settings import Admits
from core.admission.receipts import SignedReceipt

Base64 = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9+/]+={0,2}$", max_length=2048)]
Code = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{20,100}$")]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$")]
"""Name of a user; with a tilde if another account has that name now."""
Reason = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f-\x9f]*$", max_length=500)]
UnixSeconds = Annotated[int, Field(ge=0, lt=2**40)]


class Failure(BaseModel):
    """Every answer but a success: what happened, and what can be done about it."""

    code: str = Field(description="For programs.", examples=["not_admitted"])
    what: str = Field(examples=["ada is not a member of painters on the Hub."])
    remedy: str = Field(examples=["Ask to join painters."])


_MEANINGS = {
    400: "The request's body is no JSON.",
    401: "The membership is unknown or over (`signed_out`): sign in again.",
    403: "Refused: `proof`, `clock`, `banned`, `not_admitted`, or not allowed to do this (`gate`).",
    404: "There is no such thing; or the run is open and has no gate.",
    413: "The request is too large.",
    422: "The request is not as described here (`request`).",
    429: "Too many requests came from this address; `Retry-After` says how many seconds to wait.",
    503: "It cannot be answered now; try again in a minute.",
}


def failures(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return descriptions of those failures, and of those that any request can meet."""
    return {
        status: {"model": Failure, "description": _MEANINGS[status]} for status in (*statuses, 422, 429, 503)
    }


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")


class GateDescription(BaseModel):
    """Facts that a client needs in order to sign in."""

    format: Literal[1] = 1
    run: str = Field(description="Training digest of the run's manifest.")
    title: str
    issuer: str = Field(description="OpenID provider.", examples=["https://huggingface.co"])
    client_id: str = Field(description="The coordinator's own OAuth client, public; the audience of proofs.")
    scopes: Sequence[str] = ("openid", "profile")
    token_seconds: int = Field(description="For which an access token is good.")
    admits: Admits
    organisation: str | None = None


class ChallengeAsked(_Asked):
    flow: Flow


class ChallengeGiven(BaseModel):
    nonce: str
    expires_in: int = Field(description="Seconds.", examples=[600])


class JoinAsked(_Asked):
    id_token: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]+$", max_length=16_384)] = Field(
        description="OpenID Connect proof of identity, whose nonce is the SHA-256 in hex of "
        '"idlebrush/1/identity\\n" + run + "\\n" + nonce + "\\n" + public_key.'
    )
    nonce: Code = Field(description="The challenge.")
    invitation: Code | None = None
    public_key: Base64 = Field(description="The peer's RSA key in OpenSSH's notation.")
    proof: Base64 = Field(
        description='RSA-PSS signature (SHA-256) by that key over "idlebrush/1/join\\n" + run + "\\n" + nonce.'
    )


class JoinGranted(BaseModel):
    membership: str = Field(description="A secret: the bearer token for all that a member may ask.")
    name: str
    access_token: str = Field(description="JSON Web Token, good for this peer's key in the run's swarm.")
    expires_in: int = Field(description="Seconds.")


class RenewalAsked(_Asked):
    public_key: Base64
    time: UnixSeconds = Field(description="Now by the client's clock, within 60 s of ours.")
    proof: Base64 = Field(
        description='RSA-PSS signature (SHA-256) over "idlebrush/1/renewal\\n" + run + "\\n" + public_key '
        '+ "\\n" + time.'
    )


class TokenGiven(BaseModel):
    access_token: str
    expires_in: int = Field(description="Seconds.")


class MemberChange(_Asked):
    hidden: bool = Field(description="Whether the public is told no name.")


class MemberShown(BaseModel):
    name: str
    hidden: bool


class PageGiven(BaseModel):
    address: str = Field(description="Signs the browser that opens it in, once, within five minutes.")


class BanAsked(_Asked):
    name: Name
    reason: Reason = ""
    at_once: bool = Field(
        False, description="Whether tokens that are still good are revoked in the swarm too."
    )


class MemberList(BaseModel):
    members: Sequence[Listed]
    next: str | None = Field(description="Give it as `after` for those that follow.")


class AuditLog(BaseModel):
    entries: Sequence[Entry]
    next: int | None = Field(description="Give it as `before` for older ones.")


class Epochs(BaseModel):
    epochs: Sequence[HistoryPoint] = Field(description="In their order; none that a rollback took back.")


class TimeLapse(BaseModel):
    prompts: Sequence[str] = Field(description="What each frame shows, row by row.")
    columns: int
    frames: Sequence[FramePoint] = Field(
        description="Oldest first; the picture of one is at /frames/GENERATION/EPOCH/SHA256."
    )


class Receipts(BaseModel):
    receipts: Sequence[SignedReceipt] = Field(description="One a day, signed with the gate's key.")
