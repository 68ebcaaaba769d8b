"""Requests and answers of the REST API, as its OpenAPI description shows them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from coordinator.gate.audit import Entry
from coordinator.gate.challenges import Flow
from coordinator.gate.evidence import EvidenceStanding
from coordinator.gate.moderation import EvidenceDecision, ListedMember
from coordinator.ledger.checked_work import FalseWork
from coordinator.ledger.history import FramePoint, HistoryPoint
from coordinator.ledger.pace import MeasuredPace
from coordinator.settings import Admits
from core.admission.access_token import UnixSeconds
from core.admission.receipts import SignedReceipt
from core.swarm.auditing.trust import FALSE_WORK

Base64 = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9+/]+={0,2}$", max_length=2048)]
Code = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{20,100}$")]
PeerIdText = Annotated[str, StringConstraints(pattern=r"^[1-9A-HJ-NP-Za-km-z]{40,64}$")]
"""Id of a peer in base58."""
MemberName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$")]
"""Name of a user; with a tilde if another account has that name now."""
TeamName = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f-\x9f]{1,80}$")]
"""Name of a team as someone types it; the coordinator normalises it."""
_Reason = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f-\x9f]*$", max_length=500)]


class Failure(BaseModel):
    """Every answer but a success: what happened, and what can be done about it."""

    code: str = Field(
        description="Stable identifier of the failure, for programs.", examples=["not_admitted"]
    )
    what: str = Field(examples=["ada is not a member of painters on the Hub."])
    remedy: str = Field(examples=["Ask to join painters."])


_MEANINGS = {
    400: "The request's body is no JSON.",
    401: "The membership is unknown or over (`signed_out`): sign in again.",
    403: "Refused: `proof`, `clock`, `banned`, `not_admitted`, or not allowed to do this (`gate`).",
    404: "There is no such thing; or the run is open and has no gate.",
    409: "It cannot be done as things are: the name is taken, or it was done too often.",
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
    token_seconds: int = Field(description="Lifetime of an access token in seconds.")
    admits: Admits
    organisation: str | None = None


class ChallengeAsked(_Asked):
    flow: Flow


class ChallengeGiven(BaseModel):
    nonce: str
    expires_in: int = Field(description="Lifetime of the challenge in seconds.", examples=[600])


class JoinAsked(_Asked):
    id_token: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]+$", max_length=16_384)] = Field(
        description="OpenID Connect proof of identity, whose nonce is the SHA-256 in hex of "
        '"idlebrush/1/identity\\n" + run + "\\n" + nonce + "\\n" + public_key.'
    )
    nonce: Code = Field(description="Nonce of a challenge that this coordinator gave.")
    invitation: Code | None = None
    public_key: Base64 = Field(description="The peer's RSA key in OpenSSH's notation.")
    proof: Base64 = Field(
        description='RSA-PSS signature (SHA-256) by that key over "idlebrush/1/join\\n" + run + "\\n" + nonce.'
    )


class JoinGranted(BaseModel):
    membership: str = Field(description="Secret bearer token that authorises a member's requests.")
    name: str
    access_token: str = Field(description="JSON Web Token that admits this peer's key to the run's swarm.")
    expires_in: int = Field(description="Lifetime of the access token in seconds.")


class RenewalAsked(_Asked):
    public_key: Base64
    time: UnixSeconds = Field(
        description="Current time of the client's clock, in Unix seconds; within 60 s of the coordinator's."
    )
    proof: Base64 = Field(
        description='RSA-PSS signature (SHA-256) over "idlebrush/1/renewal\\n" + run + "\\n" + public_key '
        '+ "\\n" + time.'
    )


class TokenGiven(BaseModel):
    access_token: str
    expires_in: int = Field(description="Lifetime of the access token in seconds.")


class MemberChange(_Asked):
    hidden: bool = Field(description="True hides the member's name from the public.")


class MemberShown(BaseModel):
    name: str
    hidden: bool


class PageGiven(BaseModel):
    address: str = Field(description="Address that signs a browser in, once, within five minutes.")


class TeamNamed(_Asked):
    name: TeamName


class TeamChange(_Asked):
    """A change of the team that the member leads; at least one of the two."""

    name: TeamName | None = Field(None, description="New name of the team, at most once a day.")
    leader: MemberName | None = Field(None, description="User name of the member who leads it from now on.")


class TeamShown(BaseModel):
    number: int = Field(description="The team's own number, which stays when its name changes.")
    name: str


class BanAsked(_Asked):
    name: MemberName
    reason: _Reason = ""
    at_once: bool = Field(
        False, description="True revokes access tokens that have not expired in the swarm, too."
    )


class ListedEvidence(BaseModel):
    """A piece of evidence against a user, and what was decided about it."""

    model_config = ConfigDict(from_attributes=True)

    id: int
    number: str = Field(description="SHA-256 of the evidence's bytes.")
    name: str
    peer_id: str
    misdeed: str
    generation: int
    epoch: int
    words: str = Field(description='The misdeed, in words after "this computer".')
    seen: datetime
    standing: EvidenceStanding
    decided: datetime | None
    decided_by: str | None
    why: str


class EvidenceList(BaseModel):
    evidence: Sequence[ListedEvidence] = Field(
        description="Evidence that waits for a decision first, then the newest."
    )


class EvidenceDocument(BaseModel):
    """A piece of evidence with its proof: `idlebrush coordinator evidence verify` needs the manifest alone for it."""

    run: str = Field(description="Training digest of the run's manifest.")
    user: str
    peer: str
    misdeed: str
    words: str = Field(description='The misdeed, in words after "this computer".')
    generation: int
    epoch: int
    evidence: str = Field(
        description="The evidence's bytes in base64: what its user has signed, and the certificate of the gate."
    )


class EvidenceDecided(_Asked):
    decision: EvidenceDecision = Field(
        description="`uphold` bans the user at once; `lift` grants the appeal, which peers honour within seconds."
    )
    why: _Reason = ""


class MemberList(BaseModel):
    members: Sequence[ListedMember]
    next: str | None = Field(description="Value of `after` for the next page; null on the last page.")


class AuditLog(BaseModel):
    entries: Sequence[Entry]
    next: int | None = Field(
        description="Value of `before` for the next page of older entries; null on the last page."
    )


class PaceGiven(BaseModel):
    """Facts by which a client tells the traffic of a day before its volunteer joins."""

    run: str = Field(description="Training digest of the run's manifest.")
    epoch: int = Field(description="Number of epochs that the run has made.")
    measured: MeasuredPace | None = Field(
        description="Newest epochs, of a day at most: `epochs` that followed the first one of them in `seconds`, by "
        "`contributors` computers on average; null before there are two."
    )


class Epochs(BaseModel):
    epochs: Sequence[HistoryPoint] = Field(
        description="Epochs in ascending order, without those that a rollback removed."
    )


class TimeLapse(BaseModel):
    prompts: Sequence[str] = Field(description="Prompts of the pictures in a frame, row by row.")
    columns: int
    frames: Sequence[FramePoint] = Field(
        description="Frames, oldest first; the image of a frame is at /frames/GENERATION/EPOCH/SHA256."
    )


class Receipts(BaseModel):
    receipts: Sequence[SignedReceipt] = Field(
        description="Receipts, one for each day, signed with the gate's key."
    )
    checked_samples: int = Field(
        0,
        description="Samples that the coordinator computed again and found sound. Others are not checked yet.",
    )
    withheld_samples: int = Field(0, description="Samples that were committed and are not credited.")
    withheld_because: str | None = Field(
        None, description="Reason why work is not credited now; null if it is."
    )


class ListedFalseWork(BaseModel):
    """An audit that found a user's work false, and what was decided about it."""

    number: int
    name: str
    peer_id: str
    generation: int
    epoch: int
    rows: int = Field(description="Rows that the computer named, which were computed again.")
    samples: int = Field(description="Samples that it claimed.")
    finding: str = Field(description='Finding of the audit, in words after "this computer".')
    difference: float | None = Field(
        description="Distance from the recomputed gradients as a share of their length; null for other work."
    )
    tolerance: float = Field(description="Difference from which on work is false.")
    withheld_samples: int
    time: datetime
    standing: Literal["open", "lifted"]
    decided: datetime | None
    decided_by: str | None
    why: str

    @classmethod
    def of(cls, found: FalseWork) -> Self:
        """Return what is listed of an audit."""
        row = found.row
        shown = {name: getattr(found, name) for name in cls.model_fields if hasattr(found, name)}
        kept = {name: getattr(row, name) for name in ("time", "standing", "decided", "decided_by", "why")}
        return cls(**shown, **kept, tolerance=FALSE_WORK)


class FalseWorkList(BaseModel):
    audits: Sequence[ListedFalseWork] = Field(
        description="Audits that count first, then the newest; 200 of them at most."
    )


class FalseWorkLifted(_Asked):
    why: _Reason = ""
