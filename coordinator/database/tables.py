"""The tables of the coordinator's database: who takes part, who contributed what, and what became of the model.

All times are aware and in UTC. Secrets, codes and nonces are never kept, only their SHA-256 in hex.
"""

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, Date, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from coordinator.database.columns import (
    Base,
    CountColumn,
    Hash,
    Moment,
    NameColumn,
    NumberColumn,
    PeerNameColumn,
    Time,
)


class Run(Base):
    """The one run whose database this is."""

    __tablename__ = "runs"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, default=1)
    digest: Mapped[Hash]
    """Digest of the manifest's training part."""


class User(Base):
    """A volunteer, or in an open run a peer without a named volunteer."""

    __tablename__ = "users"

    id: Mapped[NumberColumn]
    name: Mapped[NameColumn] = mapped_column(unique=True)
    subject: Mapped[str | None] = mapped_column(String(255), unique=True)
    """Subject at the OpenID provider, which outlives the name; None for a user that never signed in."""
    hidden: Mapped[bool] = mapped_column(default=False)
    """True if the public does not see the name."""
    moderator: Mapped[bool] = mapped_column(default=False)
    created: Mapped[Time]
    banned: Mapped[datetime | None] = mapped_column(Moment())
    ban_reason: Mapped[str | None] = mapped_column(Text())
    ban_at_once: Mapped[bool] = mapped_column(default=False)
    """True if valid tokens are revoked too."""


class KnownPeer(Base):
    """A key of a user's, that is to say one of its machines."""

    __tablename__ = "peers"

    id: Mapped[NumberColumn]
    peer_id: Mapped[PeerNameColumn] = mapped_column(unique=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    public_key: Mapped[bytes | None] = mapped_column(LargeBinary())
    """Public key in OpenSSH's format; None for a peer that was only seen in the swarm."""
    device: Mapped[str] = mapped_column(String(16), default="unknown")
    """The peer's own statement of its `core.swarm.wire.device_class.DeviceClass`."""
    created: Mapped[Time]
    token_until: Mapped[datetime | None] = mapped_column(Moment())
    """End of its newest access token."""


class Membership(Base):
    """A sign-in of a user's that access tokens are renewed by."""

    __tablename__ = "memberships"

    id: Mapped[NumberColumn]
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    secret_hash: Mapped[Hash] = mapped_column(unique=True)
    created: Mapped[Time]
    expires: Mapped[Time]
    revoked: Mapped[datetime | None] = mapped_column(Moment())


class SpentProof(Base):
    """A challenge, or a proof, that was accepted and is not a second time."""

    __tablename__ = "spent_proofs"

    digest: Mapped[Hash] = mapped_column(primary_key=True)
    expires: Mapped[Time] = mapped_column(index=True)


class ClientRate(Base):
    """A client whose bucket of requests to the gate is not full; only several processes of the website write it."""

    __tablename__ = "client_rates"

    client: Mapped[Hash] = mapped_column(primary_key=True)
    """Digest of the client's address and the kind of request."""
    full_at: Mapped[float] = mapped_column(index=True)
    """Unix seconds at which the bucket is full again."""


class Invitation(Base):
    """A link by which some people may join."""

    __tablename__ = "invitations"

    id: Mapped[NumberColumn]
    code_hash: Mapped[Hash] = mapped_column(unique=True)
    note: Mapped[str] = mapped_column(Text(), default="")
    created: Mapped[Time]
    expires: Mapped[Time]
    uses_left: Mapped[int]


class AllowedName(Base):
    """A name on the list of those who may join."""

    __tablename__ = "allowed"

    name: Mapped[NameColumn] = mapped_column(primary_key=True)


class PageCode(Base):
    """The code of a link that signs a browser in, once."""

    __tablename__ = "page_codes"

    code_hash: Mapped[Hash] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    expires: Mapped[Time] = mapped_column(index=True)


class PageSession(Base):
    """A browser that is signed in."""

    __tablename__ = "page_sessions"

    secret_hash: Mapped[Hash] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    expires: Mapped[Time] = mapped_column(index=True)


class AuditEntry(Base):
    """An entry of the audit log, for the moderators."""

    __tablename__ = "audit"

    id: Mapped[NumberColumn]
    time: Mapped[Time] = mapped_column(index=True)
    actor: Mapped[NameColumn]
    action: Mapped[str] = mapped_column(String(64))
    subject: Mapped[str] = mapped_column(String(255), default="")
    detail: Mapped[str] = mapped_column(Text(), default="")
    count: Mapped[int] = mapped_column(default=1)
    """Number of events of one kind that this entry stands for."""


class EvidenceFound(Base):
    """Evidence by which the swarm sets a user aside; one of each kind at an epoch."""

    __tablename__ = "evidence"
    __table_args__ = (UniqueConstraint("name", "generation", "epoch", "misdeed"),)

    id: Mapped[NumberColumn]
    number: Mapped[Hash]
    """SHA-256 of the evidence's bytes."""
    name: Mapped[NameColumn]
    """Name of the user, as the gate's certificate in the evidence says."""
    peer_id: Mapped[PeerNameColumn]
    """The user's peer that broke the rules."""
    misdeed: Mapped[str] = mapped_column(String(32))
    """The kind, a `core.swarm.evidence.proofs.Misdeed`."""
    generation: Mapped[int]
    epoch: Mapped[int]
    words: Mapped[str] = mapped_column(Text())
    """The misdeed, in words after "this computer"."""
    packed: Mapped[bytes] = mapped_column(LargeBinary())
    """The evidence as it travels in the swarm."""
    seen: Mapped[Time]
    """Time at which the recorder found it."""
    standing: Mapped[str] = mapped_column(String(16))
    """The organiser's decision: open, upheld or lifted."""
    decided: Mapped[datetime | None] = mapped_column(Moment())
    decided_by: Mapped[str | None] = mapped_column(String(128))
    why: Mapped[str] = mapped_column(Text(), default="")
    """Reason of the decision."""


class Pardoned(Base):
    """A user whose appeal was granted: no evidence up to that place counts."""

    __tablename__ = "pardons"

    name: Mapped[NameColumn] = mapped_column(primary_key=True)
    generation: Mapped[int]
    epoch: Mapped[int]
    time: Mapped[Time]


class WorkAudit(Base):
    """A recomputation of what a peer sent, by the coordinator."""

    __tablename__ = "work_audits"
    __table_args__ = (UniqueConstraint("generation", "epoch", "peer_id"),)

    id: Mapped[NumberColumn]
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    """The peer's user at that time."""
    peer_id: Mapped[PeerNameColumn]
    generation: Mapped[int]
    epoch: Mapped[int]
    """Number of the epoch that the work was for, as the ledger counts: that of its commit."""
    time: Mapped[Time]
    samples: Mapped[CountColumn]
    """Number of samples that the peer claimed."""
    rows: Mapped[CountColumn]
    """Number of rows that it named."""
    verdict: Mapped[str] = mapped_column(String(16))
    """A name of `core.swarm.auditing.trust.WorkVerdict`, in small letters."""
    difference: Mapped[float | None]
    """Distance of its gradients from the recomputed ones, as a share of their length; None for other work."""
    gain: Mapped[float | None]
    """Fall of the loss by its drift on rows that it named; None for other work."""
    gain_of_others: Mapped[float | None]
    """Fall of the loss by its drift on other rows."""
    words: Mapped[str] = mapped_column(Text(), default="")
    """Reason why nothing was measured; empty if something was."""
    standing: Mapped[str] = mapped_column(String(16), default="open")
    """The organiser's decision: open or lifted."""
    decided: Mapped[datetime | None] = mapped_column(Moment())
    decided_by: Mapped[str | None] = mapped_column(String(128))
    why: Mapped[str] = mapped_column(Text(), default="")
    """Reason of the decision."""


class Withheld(Base):
    """A user's contribution of one day in UTC that is not credited, because of an audit."""

    __tablename__ = "withheld"

    audit_id: Mapped[int] = mapped_column(ForeignKey("work_audits.id"), primary_key=True, autoincrement=False)
    day: Mapped[date] = mapped_column(Date(), primary_key=True)
    samples: Mapped[CountColumn]
    compute_seconds: Mapped[float]
    epochs: Mapped[int]


class Epoch(Base):
    """A committed epoch of the swarm."""

    __tablename__ = "epochs"

    generation: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    epoch: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    time: Mapped[Time] = mapped_column(index=True)
    """Time of the commit, as far as the recorder saw."""
    loss: Mapped[float | None]
    """Mean over its samples; None where no member's account of it was to be had."""
    samples: Mapped[CountColumn]
    peers: Mapped[int]
    seconds: Mapped[float]
    """Seconds since the epoch before."""
    root: Mapped[Hash]
    """Digest of the commit."""
    traffic: Mapped[CountColumn | None]
    """Bytes that its exchange took, of all peers together."""


class Credit(Base):
    """A peer's credit for an epoch; written once, and never changed."""

    __tablename__ = "credits"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012

    generation: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    epoch: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    peer_id: Mapped[int] = mapped_column(ForeignKey("peers.id"), primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    """The peer's user at that time."""
    samples: Mapped[CountColumn]
    compute_seconds: Mapped[float]
    time: Mapped[Time]


class Doubt(Base):
    """A reason why a peer was credited with less than the commit states."""

    __tablename__ = "doubts"
    __table_args__ = (Index(None, "generation", "epoch"),)

    id: Mapped[NumberColumn]
    generation: Mapped[int]
    epoch: Mapped[int]
    peer_id: Mapped[int] = mapped_column(ForeignKey("peers.id"), index=True)
    claimed: Mapped[float]
    """Number of samples that the peer reported, as far as its reports are known."""
    credited: Mapped[CountColumn]
    why: Mapped[str] = mapped_column(String(64))
    time: Mapped[Time]


class Total(Base):
    """The sum of all days of a user. The board shows it; it is stored so that no query adds up ten million rows.

    No column but the key has an index: an epoch changes the totals of all its contributors, and PostgreSQL then
    writes them in place. A look through all totals takes a millisecond for ten thousand volunteers.
    """

    __tablename__ = "totals"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, autoincrement=False)
    samples: Mapped[CountColumn]
    compute_seconds: Mapped[float]
    epochs: Mapped[int]
    first: Mapped[Time]
    """Time of the first committed epoch with samples of the user's."""


class Day(Base):
    """A user's contribution of one day in UTC."""

    __tablename__ = "days"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, autoincrement=False)
    day: Mapped[date] = mapped_column(Date(), primary_key=True, index=True)
    samples: Mapped[CountColumn]
    compute_seconds: Mapped[float]
    epochs: Mapped[int]


class DailyRank(Base):
    """A user's rank by samples at the end of a day of UTC."""

    __tablename__ = "standings"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, autoincrement=False)
    day: Mapped[date] = mapped_column(Date(), primary_key=True, index=True)
    rank: Mapped[int]


class SwarmNow(Base):
    """State of the swarm as the recorder knows it now; one row."""

    __tablename__ = "swarm_now"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, default=1)
    time: Mapped[Time]
    content: Mapped[dict[str, Any]] = mapped_column(JSON())


class Checkpoint(Base):
    """A state of the model that the publisher has, or had."""

    __tablename__ = "checkpoints"
    __table_args__ = (Index(None, "generation", "epoch"),)

    id: Mapped[NumberColumn]
    generation: Mapped[int]
    epoch: Mapped[int]
    parameters: Mapped[Hash]
    """Digest of the parameters."""
    folder: Mapped[str] = mapped_column(Text())
    loss: Mapped[float | None]
    """Loss on the held-out shards."""
    size: Mapped[CountColumn]
    """Size of the file in bytes."""
    created: Mapped[Time]
    standing: Mapped[str] = mapped_column(String(16))
    """State of the checkpoint: kept, bad or removed."""
    published: Mapped[str | None] = mapped_column(String(64))
    """The commit of the repository that has it."""


class Frame(Base):
    """A picture of the time-lapse that the recorder has fetched."""

    __tablename__ = "frames"

    generation: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    epoch: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    sha256: Mapped[Hash]
    size: Mapped[CountColumn]
    """Size of the file in bytes."""
    file: Mapped[str] = mapped_column(Text())
    peer_id: Mapped[PeerNameColumn]
    """The peer that drew it."""


class Order(Base):
    """A command of the command line to the publisher."""

    __tablename__ = "orders"

    id: Mapped[NumberColumn]
    kind: Mapped[str] = mapped_column(String(32))
    argument: Mapped[str] = mapped_column(Text(), default="")
    created: Mapped[Time]
    done: Mapped[datetime | None] = mapped_column(Moment())
    outcome: Mapped[str | None] = mapped_column(Text())
