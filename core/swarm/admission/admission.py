"""What a peer shows of its own admission to a run, and how it judges what others show."""

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

REFUSED_SECONDS = 30.0
"""After which a peer that nobody in the swarm answers, with a token that it takes for good, is not welcome."""
_MOST_TOKENS = 4096
_REMEDY = "The run's organiser can say why."


class Refused(Exception):
    """A peer that is not admitted is not answered; ``proof`` is the signed list that names it, where one does."""

    def __init__(self, why: str, proof: bytes = b"") -> None:
        super().__init__(why)
        self.proof = proof


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
        self._gate, self._run, self._peer, self._clock = gate, run, peer.to_base58(), clock
        self._own, self._revoked = Cell(MAX_TOKEN_CHARACTERS), Cell(revocations.MAX_BYTES)
        self._refused_since = Cell(32)
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
        token = self._read(text)
        if token.peer != self._peer:
            raise AdmissionError(
                "The access token is for another peer.", "Sign in to the run again on this computer."
            )
        self._own_seen = token
        self._own.write(text.encode())

    @property
    def shown(self) -> str:
        """The token that is shown now, expired or not."""
        return self._own.read().decode()

    @property
    def own(self) -> AccessToken | None:
        """What it says; None once it cannot be read any more."""
        with suppress(AdmissionError):  # expired: what this process saw of it names the same user and peer
            self._own_seen = self._verified(self.shown)
        return self._own_seen

    @property
    def standing(self) -> Standing:
        """How this peer stands with its run now."""
        token, now = self.own, self._clock()
        if token is not None and (listed := self.revocations) is not None and listed.forbids(token):
            return Standing.REVOKED
        if token is None or token.expires <= now:
            return Standing.EXPIRED
        since = self._refused_since.read()
        refused = since and now - float(since) > REFUSED_SECONDS
        return Standing.REFUSED if refused else Standing.ADMITTED

    def require_welcome(self) -> None:
        """Raise AdmissionError where the swarm will not have this peer back; an expired token can be renewed."""
        if self.standing is Standing.REVOKED:
            raise AdmissionError("The run's organiser has excluded you from this run.", _REMEDY)
        if self.standing is Standing.REFUSED:
            raise AdmissionError("You are not admitted to this run any more: nobody in it answers.", _REMEDY)

    # --- the others' --------------------------------------------------------------------------------------------

    def examine(self, text: str, peer: PeerID) -> AccessToken:
        """The token of a peer whose key the connection has proved; Refused if it does not admit that peer now."""
        try:
            token = self._verified(text)
        except AdmissionError as error:
            raise Refused(error.what) from error
        if token.peer != peer.to_base58():
            raise Refused("The access token is another peer's.")
        self.require_not_revoked(token)
        return token

    def require_not_revoked(self, token: AccessToken) -> None:
        """Refused if the gate's list names the token's user or peer."""
        listed = self.revocations
        if listed is not None and listed.forbids(token):
            raise Refused("This user or peer is excluded from the run.", self._revoked.read())

    def _verified(self, text: str) -> AccessToken:
        token = self._known.get(text)
        if token is None:
            token = self._known[text] = self._read(text)
            while len(self._known) > _MOST_TOKENS:
                self._known.popitem(last=False)
        if token.expires <= self._clock():
            raise AdmissionError("The access token has expired.", _REMEDY)
        return token

    def _read(self, text: str) -> AccessToken:
        return access_token.read(text, gate=self._gate, run=self._run, now=self._clock())

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

    # --- how the others take ours -------------------------------------------------------------------------------

    def note_refusal(self, proof: bytes) -> None:
        """Another peer refused us; in the DHT's process."""
        self.adopt(proof)
        if not self._refused_since.read():
            self._refused_since.write(repr(self._clock()).encode())

    def note_answer(self) -> None:
        """Another peer answered us; in the DHT's process."""
        if self._refused_since.read():
            self._refused_since.write(b"")
