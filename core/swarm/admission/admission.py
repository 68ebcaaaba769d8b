"""A peer's own admission to a run, and its judgement of other peers' admission."""

import hashlib
import struct
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from functools import partial

from hivemind.p2p import PeerID

from core.admission import access_token, revocations
from core.admission.access_token import MAX_TOKEN_CHARACTERS, AccessToken
from core.admission.gate_certificate import GateCertificate
from core.admission.revocations import Revocations
from core.errors import AdmissionError
from core.run.manifest import RunManifest
from core.swarm.admission.convicted import ConvictedUsers
from core.swarm.admission.newest_list import NewestList
from core.swarm.admission.refusal import PeerRefused
from core.swarm.admission.shared_message import SharedMessage
from core.swarm.evidence.evidence import LAST_PLACE, PlaceInRun

REFUSED_SECONDS = 30.0
"""Seconds without any answer but refusals after which a peer with a valid token counts as refused."""
_REFUSED = struct.Struct("<dd32s")
"""Times of the first and the last refusal, and the digest of the token: a new token may be accepted."""
_MOST_TOKENS = 4096
_MOST_USERS = 4 * _MOST_TOKENS
_REMEDY = "The run's organiser can say why."
_APPEAL = (
    "If that is a mistake, the run's organiser can lift it: the run's page for volunteers says how to appeal."
)


class AdmissionStatus(Enum):
    """A peer's standing with its run."""

    ADMITTED = auto()
    EXPIRED = auto()  # its token has run out, and no new one has come
    REVOKED = auto()  # the gate's list names it
    SET_ASIDE = auto()  # evidence against its user has reached it
    REFUSED = auto()  # its token looks valid to it, but no peer answers


class Admission:
    """The admission of one peer, shared by its processes; make it before any of them is forked.

    Only the owner's process renews the token. Only the DHT's process takes in revocations and counts
    refusals. All processes see both at once, though any of them may be frozen.
    """

    def __init__(
        self,
        *,
        gate: str,
        run: str,
        peer: PeerID,
        token: str,
        last: PlaceInRun = LAST_PLACE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Show ``token``, the access token of ``peer``, from now on.

        ``gate`` is the gate's public key in hex, ``run`` the run's training digest; evidence counts up to the place
        ``last``; ``clock`` gives Unix seconds. Raises AdmissionError as ``renew`` does.
        """
        self._gate, self._run, self._peer, self.clock = gate, run, peer.to_base58(), clock
        self._own = SharedMessage(MAX_TOKEN_CHARACTERS)
        self._refused, self._announced = SharedMessage(_REFUSED.size), SharedMessage(32)
        self.revoked = NewestList(partial(revocations.read, gate=gate, run=run))
        """The users and peers that the gate's newest list excludes."""
        self.convicted = ConvictedUsers(gate=gate, run=run, last=last)
        """The users whom evidence sets aside."""
        self._known: OrderedDict[str, AccessToken] = OrderedDict()
        self._certified: OrderedDict[tuple[bytes, bytes], AccessToken] = OrderedDict()
        self._users: OrderedDict[str, str] = OrderedDict()
        self._certificate_seen: tuple[str, GateCertificate] | None = None
        self._shown_by: OrderedDict[bytes, str] = OrderedDict()
        self._own_seen: AccessToken | None = None
        self.renew(token)

    @classmethod
    def of_run(cls, manifest: RunManifest, peer: PeerID, token: str | None) -> "Admission | None":
        """Return the admission of ``peer`` to the run of ``manifest``, or None for an open run.

        Raises AdmissionError if the run has a gate and ``token`` is None or does not admit the peer.
        """
        gate = manifest.contact.gate
        if gate is None:
            return None
        if token is None:
            raise AdmissionError(
                f"{manifest.contact.title} admits only volunteers who have signed in at its gate.",
                "Sign in with: idlebrush join, and the run's link.",
            )
        last = PlaceInRun.last_of(manifest)
        return cls(gate=gate.key, run=manifest.training_digest, peer=peer, token=token, last=last)

    # --- one's own token ----------------------------------------------------------------------------------------

    def renew(self, text: str) -> None:
        """Show the access token in ``text`` from now on.

        Raises AdmissionError if it is not a valid one for this run and peer.
        """
        token = self._read(text, self.clock())
        if token.peer != self._peer:
            raise AdmissionError(
                "The access token is for another peer.", "Sign in to the run again on this computer."
            )
        self._certificate_seen = text, GateCertificate.of_token(text)
        self._own_seen = token
        self._own.write(text.encode())

    @property
    def shown(self) -> str:
        """The token to show, expired or not."""
        return self._own.read().decode()

    @property
    def certificate(self) -> GateCertificate:
        """The certificate of the token to show, expired or not, which goes into this peer's records."""
        text = self.shown
        if self._certificate_seen is None or self._certificate_seen[0] != text:
            self._certificate_seen = text, GateCertificate.of_token(text)
        return self._certificate_seen[1]

    @property
    def own(self) -> AccessToken | None:
        """The peer's own token, expired or not; None if it had expired before this process first saw it."""
        with suppress(AdmissionError):
            self._own_seen = self._verified(self.shown, self.clock())
        return self._own_seen

    @property
    def standing(self) -> AdmissionStatus:
        """The standing of this peer now."""
        token, now = self.own, self.clock()
        if token is not None and self._is_listed(token):
            return AdmissionStatus.REVOKED
        if token is not None and self.convicted.of(token.name) is not None:
            return AdmissionStatus.SET_ASIDE
        if token is None or token.expires <= now:
            return AdmissionStatus.EXPIRED
        first, last = self._refusals or (0.0, 0.0)
        return AdmissionStatus.REFUSED if last - first > REFUSED_SECONDS else AdmissionStatus.ADMITTED

    def require_not_refused(self) -> None:
        """Raise AdmissionError if the swarm will not have this peer back, or if others refused its last calls."""
        self.require_welcome()
        if self._refusals is not None:
            raise AdmissionError("You are not admitted to this run: its peers refuse you.", _REMEDY)

    def require_welcome(self) -> None:
        """Raise AdmissionError if the swarm will not have this peer back; an expired token can be renewed."""
        if self.standing is AdmissionStatus.REVOKED:
            raise AdmissionError("The run's organiser has excluded you from this run.", _REMEDY)
        own = self.own
        conviction = self.convicted.of(own.name) if own is not None else None
        if conviction is not None:
            raise AdmissionError(
                f"The other computers of this run leave {conviction.user} out, because a computer of "
                f"{conviction.user} {conviction.in_words}.",
                _APPEAL,
            )
        if self.standing is AdmissionStatus.REFUSED:
            raise AdmissionError(
                "You are no longer admitted to this run: none of its peers answers.", _REMEDY
            )

    # --- the others' --------------------------------------------------------------------------------------------

    def examine(self, text: str, peer: PeerID) -> AccessToken:
        """Return the access token in ``text`` if it admits ``peer``, which has proved its key.

        Raises PeerRefused if it does not admit that peer now.
        """
        token = self.read(text, self.clock())
        if token.peer != peer.to_base58():
            raise PeerRefused("The access token is for another peer.")
        self.require_good(token)
        return token

    def read(self, text: str, at: float) -> AccessToken:
        """Return the access token in ``text``.

        Raises PeerRefused unless the gate signed it for this run and it has not expired at ``at`` (Unix
        seconds).
        """
        try:
            return self._verified(text, at)
        except AdmissionError as error:
            raise PeerRefused(error.what) from error

    def certifies(self, packed: bytes, peer: PeerID, at: float) -> bool:
        """Return true if the gate signed the ``packed`` certificate for this run and ``peer``, and it is good ``at``.

        A signature is verified once. The answer depends on nothing but the arguments, so that it stays what it is
        until ``at`` (Unix seconds).
        """
        key = packed, peer.to_bytes()
        token = self._certified.get(key)
        if token is None:
            try:
                text = GateCertificate.unpack(packed).token(run=self._run, peer=peer.to_base58())
                token = self._certified[key] = self._read(text, at)
            except (ValueError, AdmissionError):
                return False
        self._certified.move_to_end(key)
        while len(self._certified) > _MOST_TOKENS:
            self._certified.popitem(last=False)
        return at < token.expires

    @property
    def excludes_any(self) -> bool:
        """True if the newest list of revocations names any user or peer, or evidence was taken in."""
        listed = self.revocations
        return (listed is not None and bool(listed.names or listed.peers)) or self.convicted.any

    def user_of(self, peer: PeerID) -> str:
        """Return the name of the user of ``peer`` by the last token or certificate of it that this process verified.

        It is empty if there was none for long.
        """
        return self._users.get(peer.to_base58(), "")

    def excludes(self, peer: PeerID, user: str) -> bool:
        """Return true if the newest list of revocations names ``peer`` or ``user``, or evidence excludes ``user``."""
        listed = self.revocations
        if listed is not None and (user in listed.names or peer.to_base58() in listed.peers):
            return True
        return self.convicted.of(user) is not None

    def shown_by(self, peer: PeerID) -> str:
        """Return the text of the access token that ``peer`` has shown this process last; empty without one."""
        return self._shown_by.get(peer.to_bytes(), "")

    def note_shown(self, peer: PeerID, text: str) -> None:
        """Remember that ``peer`` has shown the access token in ``text``, which admits it."""
        self._shown_by[peer.to_bytes()] = text
        self._shown_by.move_to_end(peer.to_bytes())
        while len(self._shown_by) > _MOST_TOKENS:
            self._shown_by.popitem(last=False)

    def require_good(self, token: AccessToken) -> None:
        """Raise PeerRefused if an examined ``token`` has expired since, or if its holder is excluded since.

        The gate's list excludes a user or a peer, and evidence a user.
        """
        if token.expires <= self.clock():
            raise PeerRefused("The access token has expired.")
        if self._is_listed(token):
            raise PeerRefused("This user or peer is excluded from the run.", self.revoked.signed)
        if self.convicted.of(token.name) is not None:
            raise PeerRefused("Evidence sets this user aside.", self.convicted.proof_of(token.name))

    def _verified(self, text: str, at: float) -> AccessToken:
        token = self._known.get(text)
        if token is None:
            token = self._known[text] = self._read(text, at)
            while len(self._known) > _MOST_TOKENS:
                self._known.popitem(last=False)
        if token.expires <= at:
            raise AdmissionError("The access token has expired.", _REMEDY)
        return token

    def _read(self, text: str, at: float) -> AccessToken:
        token = access_token.read(text, gate=self._gate, run=self._run, now=at)
        self._users[token.peer] = token.name
        self._users.move_to_end(token.peer)
        while len(self._users) > _MOST_USERS:
            self._users.popitem(last=False)
        return token

    # --- who is refused at once ---------------------------------------------------------------------------------

    @property
    def revocations(self) -> Revocations | None:
        """The newest list of revocations that has arrived; None before the first."""
        return self.revoked.content

    def adopt(self, signed: bytes) -> None:
        """Take in the ``signed`` list of revocations if the gate signed it and it is newer than the last.

        Only the DHT's process calls this.
        """
        self.revoked.adopt(signed)

    def _is_listed(self, token: AccessToken) -> bool:
        listed = self.revocations
        return listed is not None and listed.forbids(token)

    # --- how the others take ours -------------------------------------------------------------------------------

    def presented(self) -> str:
        """Return the token to show when asking another peer.

        Raises PeerRefused once it has expired, which spares the other peer the call.
        """
        text = self.shown
        own = self.own
        if own is None or own.expires <= self.clock():
            raise PeerRefused("Our own access token has expired.")
        return text

    def note_refusal(self, refusal: PeerRefused) -> None:
        """Record the ``refusal`` by another peer, and take in the list or the evidence that it carries as proof.

        Only the DHT's process calls this.
        """
        if refusal.proof:
            self.adopt(refusal.proof)
            self.convicted.take(refusal.proof)
        now = self.clock()
        first, _ = self._refusals or (now, now)
        self._refused.write(_REFUSED.pack(first, now, _digest(self.shown)))

    def note_answer(self) -> None:
        """Forget earlier refusals, because another peer answered; only the DHT's process calls this."""
        if self._refused.read():
            self._refused.write(b"")

    def note_known(self, token: str) -> None:
        """Record that ``token`` was announced to the swarm; only the DHT's process calls this."""
        self._announced.write(_digest(token))

    @property
    def is_known(self) -> bool:
        """True if the swarm has the present token."""
        return self._announced.read() == _digest(self.shown)

    @property
    def _refusals(self) -> tuple[float, float] | None:
        """Times of the first and the last refusal of the present token, if no peer has answered since."""
        noted = self._refused.read()
        if not noted:
            return None
        first, last, digest = _REFUSED.unpack(noted)
        return (first, last) if digest == _digest(self.shown) else None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
