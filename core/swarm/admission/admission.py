"""What a peer shows of its own admission to a run, and how it judges what others show."""

import hashlib
import struct
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto

from hivemind.p2p import PeerID

from core.admission import access_token, revocations
from core.admission.access_token import MAX_TOKEN_CHARACTERS, AccessToken
from core.admission.revocations import Revocations
from core.errors import AdmissionError
from core.run import RunManifest
from core.swarm.admission.cell import Cell
from core.swarm.admission.refusal import Refused

REFUSED_SECONDS = 30.0
"""A peer that was only refused for so long, with a token that it takes for good, is not welcome."""
_REFUSED = struct.Struct("<dd32s")
"""When it was refused first and last, and the digest of the token: a new one may fare better."""
_MOST_TOKENS = 4096
_REMEDY = "The run's organiser can say why."


class Standing(Enum):
    """How a peer stands with its run."""

    ADMITTED = auto()
    EXPIRED = auto()  # its token has run out, and no new one has come
    REVOKED = auto()  # the gate's list names it
    REFUSED = auto()  # its token is good, as it sees it, but nobody answers


class Admission:
    """One peer's admission, shared by its processes; make it before any is forked.

    Its owner's process alone renews the token, the DHT's process alone takes in revocations and counts refusals; both
    are seen by all at once, though any of them may be frozen.
    """

    def __init__(
        self, *, gate: str, run: str, peer: PeerID, token: str, clock: Callable[[], float] = time.time
    ) -> None:
        """``gate`` is the public key in hex, ``run`` the training digest; AdmissionError as from ``renew``."""
        self._gate, self._run, self._peer, self.clock = gate, run, peer.to_base58(), clock
        self._own, self._revoked = Cell(MAX_TOKEN_CHARACTERS), Cell(revocations.MAX_BYTES)
        self._refused, self._announced = Cell(_REFUSED.size), Cell(32)
        self._known: OrderedDict[str, AccessToken] = OrderedDict()
        self._own_seen: AccessToken | None = None
        self._list_seen: tuple[bytes, Revocations | None] = (b"", None)
        self.renew(token)

    @classmethod
    def of_run(cls, manifest: RunManifest, peer: PeerID, token: str | None) -> "Admission | None":
        """None for an open run; AdmissionError where the run has a gate, and the token does not open it."""
        gate = manifest.contact.gate
        if gate is None:
            return None
        if token is None:
            raise AdmissionError(
                f"{manifest.contact.title} admits only those whom its gate lets in, and nobody has signed in.",
                "Sign in with: idlebrush join, and the run's link.",
            )
        return cls(gate=gate.key, run=manifest.training_digest, peer=peer, token=token)

    # --- one's own token ----------------------------------------------------------------------------------------

    def renew(self, text: str) -> None:
        """Show this token from now on; AdmissionError if it is not a good one for this run and peer."""
        token = self._read(text, self.clock())
        if token.peer != self._peer:
            raise AdmissionError(
                "The access token is for another peer.", "Sign in to the run again on this computer."
            )
        self._own_seen = token
        self._own.write(text.encode())

    @property
    def shown(self) -> str:
        """The token to show, expired or not."""
        return self._own.read().decode()

    @property
    def own(self) -> AccessToken | None:
        """What it says, expired or not; None if it had expired before this process first saw it."""
        with suppress(AdmissionError):
            self._own_seen = self._verified(self.shown, self.clock())
        return self._own_seen

    @property
    def standing(self) -> Standing:
        """How this peer stands with its run now."""
        token, now = self.own, self.clock()
        if token is not None and self._is_listed(token):
            return Standing.REVOKED
        if token is None or token.expires <= now:
            return Standing.EXPIRED
        first, last = self._refusals or (0.0, 0.0)
        return Standing.REFUSED if last - first > REFUSED_SECONDS else Standing.ADMITTED

    def require_not_refused(self) -> None:
        """Raise AdmissionError where the last that was heard is that others do not talk with this peer."""
        self.require_welcome()
        if self._refusals is not None:
            raise AdmissionError("You are not admitted to this run: its peers refuse you.", _REMEDY)

    def require_welcome(self) -> None:
        """Raise AdmissionError where the swarm will not have this peer back; an expired token can be renewed."""
        if self.standing is Standing.REVOKED:
            raise AdmissionError("The run's organiser has excluded you from this run.", _REMEDY)
        if self.standing is Standing.REFUSED:
            raise AdmissionError("You are not admitted to this run any more: nobody in it answers.", _REMEDY)

    # --- the others' --------------------------------------------------------------------------------------------

    def examine(self, text: str, peer: PeerID) -> AccessToken:
        """The token of a peer that has proved its key; Refused if it does not admit that peer now."""
        token = self.read(text, self.clock())
        if token.peer != peer.to_base58():
            raise Refused("The access token is for another peer.")
        self.require_good(token)
        return token

    def read(self, text: str, at: float) -> AccessToken:
        """A token that the gate signed for this run and that is good until ``at`` (Unix seconds); else Refused."""
        try:
            return self._verified(text, at)
        except AdmissionError as error:
            raise Refused(error.what) from error

    def require_good(self, token: AccessToken) -> None:
        """Refused if a token that was examined before has run out since, or its holder is refused at once."""
        if token.expires <= self.clock():
            raise Refused("The access token has expired.")
        if self._is_listed(token):
            raise Refused("This user or peer is excluded from the run.", self._revoked.read())

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
        return access_token.read(text, gate=self._gate, run=self._run, now=at)

    # --- who is refused at once ---------------------------------------------------------------------------------

    @property
    def revocations(self) -> Revocations | None:
        """The newest list that has arrived."""
        signed = self._revoked.read()
        if signed != self._list_seen[0]:
            self._list_seen = signed, self.read_revocations(signed)
        return self._list_seen[1]

    def read_revocations(self, signed: bytes) -> Revocations | None:
        """A list, if the gate signed it for this run."""
        try:
            return revocations.read(signed, gate=self._gate, run=self._run)
        except AdmissionError:
            return None

    def is_outdated(self, listed: Revocations) -> bool:
        """Whether a later list has arrived."""
        newest = self.revocations
        return newest is not None and listed.serial < newest.serial

    def adopt(self, signed: bytes) -> None:
        """Take in a list if it is the gate's and newer than the last; in the DHT's process."""
        listed, newest = self.read_revocations(signed), self.revocations
        if listed is not None and (newest is None or newest.serial < listed.serial):
            self._revoked.write(signed)

    def _is_listed(self, token: AccessToken) -> bool:
        listed = self.revocations
        return listed is not None and listed.forbids(token)

    # --- how the others take ours -------------------------------------------------------------------------------

    def presented(self) -> str:
        """The token to show when asking; Refused by ourselves once it has run out, which spares the others."""
        text = self.shown
        own = self.own
        if own is None or own.expires <= self.clock():
            raise Refused("Our own access token has expired.")
        return text

    def note_refusal(self, refusal: Refused) -> None:
        """Another peer refused us; in the DHT's process. A list that it sends as proof is taken in."""
        if refusal.proof:
            self.adopt(refusal.proof)
        now = self.clock()
        first, _ = self._refusals or (now, now)
        self._refused.write(_REFUSED.pack(first, now, _mark(self.shown)))

    def note_answer(self) -> None:
        """Another peer answered us; in the DHT's process."""
        if self._refused.read():
            self._refused.write(b"")

    def note_known(self, token: str) -> None:
        """The swarm was told of this token; in the DHT's process."""
        self._announced.write(_mark(token))

    @property
    def is_known(self) -> bool:
        """Whether the swarm was told of the present token."""
        return self._announced.read() == _mark(self.shown)

    @property
    def _refusals(self) -> tuple[float, float] | None:
        """When the present token was refused first and last, if nobody has answered since."""
        noted = self._refused.read()
        if not noted:
            return None
        first, last, mark = _REFUSED.unpack(noted)
        return (first, last) if mark == _mark(self.shown) else None


def _mark(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
