"""The gate of a run: takes proofs of identity, and gives access tokens for one peer and a short time."""

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import KnownPeer, User
from coordinator.errors import ConflictError, GateRefusal, HubAway, NotAdmitted, ProofRefused
from coordinator.gate import memberships, possession
from coordinator.gate.accounts import account_of, claim_peer, own_peer, require_not_banned
from coordinator.gate.audit import Refusals
from coordinator.gate.challenges import LIFETIME, Challenge, Challenges, Flow, UsedProofs
from coordinator.gate.entry import not_of, require_entry, require_stay
from coordinator.gate.evidence import require_not_set_aside
from coordinator.gate.organisation import Organisation
from coordinator.gate.possession import RENEWAL_SECONDS, Holder
from coordinator.gate.proof import LEEWAY, Identity, ProofReader
from coordinator.settings import OWN_NAME, Admits, Settings
from core.admission.access_token import AccessToken, issue
from core.admission.proofs import identity_nonce
from core.signing import SigningKey

METADATA_PATH = "/.well-known/oauth-cimd"
"""Path at which this coordinator describes itself as an OAuth app, if its client id is that address."""
T = TypeVar("T")


@dataclass(frozen=True)
class Application:
    """An application to join; keys and signatures in base64."""

    id_token: str
    nonce: str
    """The challenge that they were given."""
    public_key: str
    proof: str
    invitation: str | None = None


@dataclass(frozen=True)
class Token:
    """An access token; ``name`` is the user that it admits."""

    name: str
    text: str
    expires_in: int
    """Lifetime of the token in seconds."""


@dataclass(frozen=True)
class _Proven:
    """A proven applicant, of which nothing is stored yet."""

    identity: Identity
    holder: Holder
    challenge: Challenge


class Gate:
    """The gate of a run, which many threads use at once."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        key: SigningKey,
        run: Callable[[], str],
        clock: Callable[[], datetime],
        reader: ProofReader,
        organisation: Organisation | None = None,
    ) -> None:
        """Prepare to admit volunteers to the run that ``run`` names, by the rules of ``settings``.

        Args:
            key: the gate's, which signs access tokens.
            run: gives the training digest of the run's manifest.
            organisation: given where its members are admitted.
        """
        self._database = database
        self._settings = settings
        self._key = key
        self._run = run
        self._clock = clock
        self._reader = reader
        self._organisation = organisation
        self._challenges, self._used = Challenges.of(key), UsedProofs()
        self._refusals = Refusals(database)

    def challenge(self, flow: Flow) -> tuple[str, int]:
        """Return a nonce for a sign-in, and the number of seconds within which it must be answered."""
        return self._challenges.give(flow, self._clock()), int(LIFETIME.total_seconds())

    def join(self, application: Application) -> tuple[str, Token]:
        """Return a membership's secret and the peer's first access token; raise GateRefusal, which the log counts."""
        now, name = self._clock(), ""
        try:
            proven = self._prove(application, now)
            name = proven.identity.name
            self._require_belongs(name)
            return self._in_transaction(
                lambda session: self._enter(session, proven, application.invitation, now)
            )
        except HubAway:
            raise
        except GateRefusal as refusal:
            self._refusals.note(now, refusal.code, name)
            raise

    def renew(self, secret: str, public_key: str, time: int, proof: str) -> Token:
        """Issue a new access token for a member's peer, whose key signed the request at that time (Unix seconds)."""
        now = self._clock()
        holder = possession.renewing_peer(self._run(), public_key, time, proof, now)
        if self._organisation is not None:
            self._require_still_belongs(secret, now)

        def renewed(session: Session) -> Token:
            user = memberships.member_by(session, secret, now).user
            require_stay(session, self._settings.gate.admits, user)
            require_not_set_aside(session, user, self._settings.appeals)
            peer = own_peer(session, holder, user, self._until(now))
            self._used.spend(session, holder.proof_digest, now + timedelta(seconds=2 * RENEWAL_SECONDS), now)
            return self._token(user, peer, now)

        return self._in_transaction(renewed)

    def admit_entrance(self, entrances: Collection[str], public_key: str, time: int, proof: str) -> Token:
        """Issue an access token for a bootstrap peer on another machine, as the coordinator's own peers have one.

        Args:
            entrances: ids of the peers that the run's contact part names: by it the organiser admits them.
            public_key: the peer's public key in base64.
            time: time of the request by the peer's clock (Unix seconds).
            proof: signature by that key over the request, in base64.

        Raises:
            GateRefusal: the proof does not hold, or the contact part does not name the peer.
        """
        now = self._clock()
        holder = possession.renewing_peer(self._run(), public_key, time, proof, now)
        if holder.peer_id not in entrances:
            raise NotAdmitted(
                f"The run's contact part does not name the peer {holder.peer_id}.",
                "Its organiser adds it by `idlebrush coordinator contact add ADDRESS`.",
            )

        def admitted(session: Session) -> Token:
            self._used.spend(session, holder.proof_digest, now + timedelta(seconds=2 * RENEWAL_SECONDS), now)
            return self._signed(OWN_NAME, holder.peer_id, now)

        return self._in_transaction(admitted)

    def leave(self, secret: str) -> None:
        """End a membership; its tokens run out by themselves."""
        now = self._clock()
        with self._database.session() as session:
            memberships.member_by(session, secret, now).membership.revoked = now

    def _prove(self, application: Application, now: datetime) -> _Proven:
        """Verify the challenge, the key and the identity of an application, and return them.

        The cheap checks come first.
        """
        challenge = self._challenges.read(application.nonce, now)
        holder = possession.joining_peer(
            self._run(), application.nonce, application.public_key, application.proof
        )
        identity = self._reader.read(application.id_token, now)
        nonce = identity_nonce(self._run(), application.nonce, holder.public_key)
        if not identity.answers(nonce):
            self._require_bound_otherwise(identity, challenge)
        return _Proven(identity, holder, challenge)

    def _require_bound_otherwise(self, identity: Identity, challenge: Challenge) -> None:
        """Let a proof by device code pass without our nonce, if the organiser takes it or no one else can get it.

        A hostile coordinator may name our client id to its own volunteers. That fails if the id is an address of
        ours: a volunteer's client insists on an address of the coordinator that it talks to.
        """
        gate = self._settings.gate
        ours = (gate.client_id or "").startswith(f"{self._settings.address.rstrip('/')}/")
        if challenge.flow is not Flow.DEVICE or identity.nonce is not None:
            raise ProofRefused("The proof of identity does not answer our challenge.", "Sign in again.")
        if not (ours or gate.unbound_device_codes):
            raise ProofRefused("This run does not accept sign-ins by device code.", "Sign in with a browser.")
        if identity.issued < challenge.given - LEEWAY:
            raise ProofRefused("The proof of identity is older than our challenge.", "Sign in again.")

    def _require_belongs(self, name: str) -> None:
        if self._organisation is not None and not self._organisation.has(name):
            raise not_of(self._organisation.name, name)

    def _require_still_belongs(self, secret: str, now: datetime) -> None:
        with self._database.reading() as session:
            name = memberships.member_by(session, secret, now).user.name
        with suppress(HubAway):  # they did when they joined
            self._require_belongs(name)

    def _enter(
        self, session: Session, proven: _Proven, invitation: str | None, now: datetime
    ) -> tuple[str, Token]:
        gate, identity = self._settings.gate, proven.identity
        self._used.spend(session, proven.challenge.digest, proven.challenge.expires, now)
        self._used.spend(session, identity.digest, identity.expires + LEEWAY, now)
        user = account_of(session, identity, now, self._settings.moderators)
        require_not_banned(user)
        require_not_set_aside(session, user, self._settings.appeals)
        require_entry(session, gate.admits, user, invitation, now)
        peer = claim_peer(session, proven.holder, user, now, self._until(now))
        return memberships.begin(session, user, gate.member_days, now), self._token(user, peer, now)

    def _until(self, now: datetime) -> datetime:
        return now + timedelta(seconds=self._settings.gate.token_seconds)

    def _token(self, user: User, peer: KnownPeer, now: datetime) -> Token:
        return self._signed(user.name, peer.peer_id, now)

    def _signed(self, name: str, peer_id: str, now: datetime) -> Token:
        seconds, issued = self._settings.gate.token_seconds, int(now.timestamp())
        token = AccessToken(self._run(), name, peer_id, issued, issued + seconds)
        return Token(name, issue(token, self._key), seconds)

    def _in_transaction(self, work: Callable[[Session], T]) -> T:
        """Do ``work`` in a transaction, and again if another thread entered the same user or peer at that moment."""
        try:
            return self._database.retrying(work)
        except ConflictError:
            return self._database.retrying(work)


def organisation_of(settings: Settings, token: str | None) -> Organisation | None:
    """Return the organisation whose members are admitted; None if membership is not the rule."""
    gate = settings.gate
    if gate.admits is not Admits.ORGANISATION or gate.organisation is None:
        return None
    return Organisation(gate.organisation, gate.issuer.rstrip("/"), token)
