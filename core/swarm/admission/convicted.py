"""The users whom evidence sets aside, unless the gate has pardoned them, as all processes of one peer see them.

No process needs the coordinator for that: the evidence holds by itself, and a pardon is signed.
"""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from core.admission import pardons
from core.swarm.admission.newest_list import NewestList
from core.swarm.admission.shared_message import SharedMessage
from core.swarm.evidence.evidence import LAST_PLACE, Evidence, PlaceInRun, verified
from core.swarm.evidence.proofs import Misdeed, what_was_done

_log = logging.getLogger(__name__)

MOST_USERS = 512
"""Users that are set aside at most; each has broken the rules by a key of his own, which the gate admitted."""
_MOST_BYTES = MOST_USERS * 160


@dataclass(frozen=True)
class Conviction:
    """A user, and the last misdeed that evidence shows."""

    user: str
    misdeed: Misdeed
    place: PlaceInRun

    @property
    def in_words(self) -> str:
        """The misdeed, in words after "this computer"."""
        return what_was_done(self.misdeed, self.place.epoch)


class ConvictedUsers:
    """The users whom one peer leaves out; only the process of its DHT takes evidence and pardons in."""

    def __init__(self, *, gate: str, run: str, last: PlaceInRun = LAST_PLACE) -> None:
        """Begin without any.

        Args:
            gate: the gate's public key in hex.
            run: the run's training digest.
            last: last place that this peer can come to. Later evidence is refused by it for good, so that what it
                once accepted stays acceptable.
        """
        self._gate, self._run, self._last = gate, run, last
        self._shared = SharedMessage(_MOST_BYTES)
        self._seen: tuple[bytes, dict[str, Conviction]] = (b"", {})
        self.pardons = NewestList(partial(pardons.read, gate=gate, run=run))
        """The users whose appeal was granted."""
        self._evidence: dict[str, Evidence] = {}
        """The last evidence against each user, in the process of the DHT."""

    @property
    def any(self) -> bool:
        """True if any evidence has been taken in, pardoned or not."""
        return bool(self._shared.read())

    def of(self, user: str) -> Conviction | None:
        """Return what ``user`` is set aside for; None for a user who is not."""
        found = self._all.get(user)
        return found if found is not None and not self._is_pardoned(found) else None

    def shown_by(self, evidence: Evidence) -> Conviction | None:
        """Return what ``evidence`` sets its user aside for; None if it is pardoned, or a later piece is known."""
        found = self.of(evidence.user)
        return found if found is not None and evidence.place >= found.place else None

    @property
    def standing(self) -> Mapping[Conviction, Evidence]:
        """The evidence that counts, by what it shows; only the process of the DHT has it."""
        each = ((self.shown_by(item), item) for item in self._evidence.values())
        return {conviction: item for conviction, item in each if conviction is not None}

    def proof_of(self, user: str) -> bytes:
        """Return the packed evidence that counts against ``user``; empty if this process has none."""
        found = self._evidence.get(user)
        return found.packed if found is not None and self.of(user) is not None else b""

    def verified(self, packed: bytes) -> Evidence | None:
        """Return ``packed`` evidence if it holds against a user of this run; None otherwise."""
        return verified(packed, gate=self._gate, run=self._run, last=self._last)

    def take(self, packed: bytes) -> Evidence | None:
        """Take in ``packed`` evidence; return it if it holds and shows something later than what was known."""
        found = self.verified(packed)
        if found is None:
            return None
        known = self._all.get(found.user)
        if known is not None and known.place >= found.place:
            if known.place == found.place:
                self._evidence.setdefault(found.user, found)  # this process had lost it
            return None
        if known is None and len(self._all) >= MOST_USERS:
            _log.warning(
                "Evidence against %s is not taken in: %d users are set aside.", found.user, MOST_USERS
            )
            return None
        conviction = Conviction(found.user, found.misdeed, found.place)
        self._evidence[found.user] = found
        self._write({**self._all, found.user: conviction})
        _log.warning(
            "Evidence against %s, peer %s: it %s. The user's computers are left out%s.",
            found.user,
            found.peer,
            conviction.in_words,
            " no more, as the organiser has granted an appeal" if self._is_pardoned(conviction) else "",
        )
        return found

    def has_pardoned(self, user: str, place: PlaceInRun) -> bool:
        """Return true if the organiser has pardoned what ``user`` did at a ``place`` in the run."""
        listed = self.pardons.content
        last = listed.pardons_at(user) if listed is not None else None
        return last is not None and place <= PlaceInRun(*last)

    def _is_pardoned(self, conviction: Conviction) -> bool:
        return self.has_pardoned(conviction.user, conviction.place)

    @property
    def _all(self) -> dict[str, Conviction]:
        written = self._shared.read()
        if written != self._seen[0]:
            rows = json.loads(written) if written else []
            self._seen = (
                written,
                {user: Conviction(user, Misdeed(kind), PlaceInRun(*place)) for user, kind, *place in rows},
            )
        return self._seen[1]

    def _write(self, found: Mapping[str, Conviction]) -> None:
        rows = [[item.user, item.misdeed.value, *item.place] for item in found.values()]
        self._shared.write(json.dumps(rows, separators=(",", ":")).encode())
