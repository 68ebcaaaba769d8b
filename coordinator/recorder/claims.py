"""What peers said of themselves while an epoch was gathered, in the records that they signed."""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from hivemind.p2p import PeerID

from coordinator.ledger.credit import Claim
from core.swarm.records import ProgressRecord

_EPOCHS = 16
_PEERS = 4096
"""Of an epoch: more are not looked at, so that nobody fills the memory."""
_NONE: Mapping[str, Claim] = MappingProxyType({})


class Claims:
    """Of the epochs seen last; bounded whatever the swarm says."""

    def __init__(self) -> None:
        self._places: OrderedDict[tuple[int, bytes], dict[str, Claim]] = OrderedDict()

    def note(self, records: Sequence[ProgressRecord], leading: tuple[int, bytes] | None) -> None:
        """Take in records as they are now; of each peer and epoch the highest count and rate stay.

        Only those count that stand where the swarm does, ``leading``, or at its next epoch where most of those do.
        """
        working = [item for item in records if item.samples and not item.auxiliary]
        for place in _places(working, leading):
            claims = self._places.setdefault(place, {})
            _note(claims, (item for item in working if (item.epoch, item.head) == place))
        while len(self._places) > _EPOCHS:
            self._places.popitem(last=False)

    def of(self, epoch: int, head: bytes) -> Mapping[str, Claim]:
        """What was claimed towards the epoch that leads from there, by peer id in base58.

        ``epoch`` are those done before it, ``head`` the root of the commit that led there.
        """
        return self._places.get((epoch, head), _NONE)


def _places(
    working: Sequence[ProgressRecord], leading: tuple[int, bytes] | None
) -> Iterator[tuple[int, bytes]]:
    if leading is not None:
        yield leading
        ahead = Counter(item.head for item in working if item.epoch == leading[0] + 1)
        yield from ((leading[0] + 1, head) for head, _ in ahead.most_common(1))


def _note(claims: dict[str, Claim], records: Iterable[ProgressRecord]) -> None:
    for record in records:
        peer = PeerID(record.peer_id).to_base58()
        known = claims.get(peer) or Claim(0, 0.0, record.device)
        if peer in claims or len(claims) < _PEERS:
            rate = max(known.samples_per_second, record.samples_per_second)
            claims[peer] = Claim(max(known.samples, record.samples), rate, record.device)
