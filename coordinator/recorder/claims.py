"""What peers said of themselves while an epoch was gathered, in the records that they signed."""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from hivemind.p2p import PeerID

from coordinator.ledger.credit import Claim
from core.swarm.agreement import leading_place
from core.swarm.records import ProgressRecord

_EPOCHS = 16
_PEERS = 4096
"""Of an epoch: more are not looked at, so that nobody fills the memory."""
_NONE: Mapping[str, Claim] = MappingProxyType({})


class Claims:
    """Of the epochs seen last; bounded whatever the swarm says."""

    def __init__(self) -> None:
        self._places: OrderedDict[tuple[int, bytes], dict[str, Claim]] = OrderedDict()

    def note(self, records: Sequence[ProgressRecord]) -> None:
        """Take in records as they are now; of each peer and epoch the highest count and rate stay.

        Only those count that stand where most do: at the epoch of half of the trainers, and at the next.
        """
        leading = leading_place(records)
        for epoch in () if leading is None else (leading[0], leading[0] + 1):
            here = [item for item in records if item.epoch == epoch and item.samples and not item.auxiliary]
            for head, _ in Counter(item.head for item in here).most_common(1):
                claims = self._places.setdefault((epoch, head), {})
                _note(claims, (item for item in here if item.head == head))
        while len(self._places) > _EPOCHS:
            self._places.popitem(last=False)

    def of(self, epoch: int, head: bytes) -> Mapping[str, Claim]:
        """What was claimed towards the epoch that leads from there, by peer id in base58.

        ``epoch`` are those done before it, ``head`` the root of the commit that led there.
        """
        return self._places.get((epoch, head), _NONE)


def _note(claims: dict[str, Claim], records: Iterable[ProgressRecord]) -> None:
    for record in records:
        peer = PeerID(record.peer_id).to_base58()
        known = claims.get(peer) or Claim(0, 0.0, record.device)
        if peer in claims or len(claims) < _PEERS:
            rate = max(known.samples_per_second, record.samples_per_second)
            claims[peer] = Claim(max(known.samples, record.samples), rate, record.device)
