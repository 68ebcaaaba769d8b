"""What peers said of their parameters at each epoch, to hold against a state that one of them gives."""

from collections import Counter, OrderedDict
from collections.abc import Iterable

from core.swarm.beginning import Beginning
from core.swarm.records import ProgressRecord
from core.swarm.replica import Place

_EPOCHS = 64
_PEERS = 4096
"""Remembered of each epoch, at most."""

Claim = tuple[bytes, bytes]
"""Head and digest of the parameters."""


class Witnesses:
    """The claims of the last epochs, one for each peer; a peer that changes its claim is counted for the newest."""

    def __init__(self, beginning: Beginning) -> None:
        self._beginning = beginning
        self._epochs: OrderedDict[int, dict[bytes, Claim]] = OrderedDict()

    def see(self, records: Iterable[ProgressRecord]) -> None:
        """Take in what trainers that stand behind their epoch say now."""
        for record in records:
            if record.synchronised and not record.auxiliary and self._beginning.admits(record):
                claims = self._epochs.setdefault(record.epoch, {})
                if len(claims) < _PEERS or record.peer_id in claims:
                    claims[record.peer_id] = (record.head, record.parameters)
        for epoch in sorted(self._epochs)[:-_EPOCHS]:
            del self._epochs[epoch]

    def donors(self, records: Iterable[ProgressRecord]) -> list[bytes]:
        """Who can give the newest state that most have, by what was seen; best first."""
        able = [
            item
            for item in records
            if item.synchronised and item.reducing and not (item.auxiliary or item.paused)
        ]
        able = [item for item in able if self._beginning.admits(item)]
        agreed = Counter((item.epoch, item.head, item.parameters) for item in able)
        ranked = sorted(able, key=lambda item: -agreed[item.epoch, item.head, item.parameters])
        return [item.peer_id for item in ranked]

    def refusal(self, place: Place) -> str | None:
        """Why a state is not what most peers say they had at its epoch, in words; None if no other has more of them.

        Unlike machines differ in the last bits, so that not even in an honest swarm all need to say the same.
        """
        claims = self._epochs.get(place.epoch)
        if not claims:
            return f"nobody said what the parameters are at epoch {place.epoch}"
        counts = Counter(claims.values())
        most = max(counts.values())
        ours = counts[place.head, bytes.fromhex(place.digest)]
        if ours == most:
            return None
        return f"{ours} of {len(claims)} peers stand behind it"
