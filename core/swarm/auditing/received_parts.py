"""Keeps the contributions to the parts that a peer reduced in one round, so that it can account for them."""

import tempfile
import threading

from hivemind.proto import averaging_pb2

_MOST_IN_MEMORY = 128 << 20
"""Bytes of a round that are kept in memory; what is more goes to a temporary file.

All members together keep what all of them sent: as many bytes each as one sends, where all reduce alike. 128 MiB hold
the paper's model in 8 bits.
"""


class ReceivedParts:
    """The messages of senders by part and sender, as bytes in one file; it can be used from several threads."""

    def __init__(self, most_in_memory: int = _MOST_IN_MEMORY) -> None:
        """Keep nothing yet; more than ``most_in_memory`` bytes go to a temporary file without a name."""
        self._file = tempfile.SpooledTemporaryFile(most_in_memory)  # noqa: SIM115  (it is open as long as this is kept)
        self._lock = threading.Lock()
        self._places: dict[int, dict[int, tuple[int, int]]] = {}
        self._end = 0

    @property
    def bytes_kept(self) -> int:
        """Bytes of all messages."""
        return self._end

    def keep(self, part: int, sender: int, message: averaging_pb2.AveragingData) -> None:
        """Keep the ``message`` of the sender at that position for ``part``; a second one is not kept."""
        packed = message.SerializeToString()
        with self._lock:
            places = self._places.setdefault(part, {})
            if sender in places or self._file.closed:
                return
            self._file.seek(self._end)
            self._file.write(packed)
            places[sender] = self._end, len(packed)
            self._end += len(packed)

    def senders(self, part: int) -> tuple[int, ...]:
        """Return the positions of the senders whose messages for ``part`` are kept, ascending."""
        return tuple(sorted(self._places.get(part, {})))

    def message(self, part: int, sender: int) -> averaging_pb2.AveragingData | None:
        """Return the message of the sender at that position for ``part``; None if it is not kept."""
        with self._lock:
            place = self._places.get(part, {}).get(sender)
            if place is None or self._file.closed:
                return None
            self._file.seek(place[0])
            return averaging_pb2.AveragingData.FromString(self._file.read(place[1]))

    def close(self) -> None:
        """Forget all."""
        with self._lock:
            self._file.close()
