"""States what a peer sends in one round, and keeps what it reduces with the statements of the senders.

Where work is recomputed, the first message to a reducer names the rows behind all that is sent. Each statement covers
them, so that a peer which names other rows to another reducer has signed both.
"""

from hivemind.proto import averaging_pb2, runtime_pb2

from core.swarm.auditing.received_parts import ReceivedParts
from core.swarm.auditing.row_spans import RowClaim
from core.swarm.auditing.statement import (
    SIGNATURE_BYTES,
    IntroducedKeys,
    PartStatement,
    StatementKey,
    digest_of,
)
from core.swarm.rounds.group import Group
from core.swarm.wire.encoding import MalformedPart

_LENGTH_BYTES = 2


class RoundWitness:
    """A `core.swarm.rounds.witness.PartWitness` by signed statements."""

    def __init__(
        self,
        run: str,
        epoch: int,
        parent: bytes,
        group: Group,
        *,
        key: StatementKey,
        keys: IntroducedKeys,
        rows: RowClaim | None = None,
    ) -> None:
        """Prepare for the exchange in ``group``.

        Args:
            run: DHT prefix of the run.
            epoch: epoch that the values were computed at.
            parent: root of the commit that led to it.
            group: the members of the round.
            key: signs the statements of this peer.
            keys: verifies those of others.
            rows: the rows behind what this peer sends; None in runs whose work is not recomputed.
        """
        self.run, self.epoch, self.parent, self.group = run, epoch, parent, group
        self._key, self._keys = key, keys
        self._rows = None if rows is None else rows.pack()
        self._introductions: dict[int, bytes] = {}
        """The introductions of senders by their positions: the key of each, after its rows if the run has them."""
        self.received = ReceivedParts()

    def state(self, part: int, tensor: runtime_pb2.Tensor, weight: float, *, first: bool) -> bytes:
        """Return the signature under what this peer states of a part, and at ``first`` the key for it.

        ``part`` is its index, ``tensor`` its encoded values of shape (values,), ``weight`` the samples behind them.
        """
        signature = self._key.sign(self._statement(part, tensor, weight, self._rows))
        return signature + self._own_introduction if first else signature

    @property
    def _own_introduction(self) -> bytes:
        if self._rows is None:
            return self._key.introduction
        return len(self._rows).to_bytes(_LENGTH_BYTES, "little") + self._rows + self._key.introduction

    def take(self, part: int, sender: int, message: averaging_pb2.AveragingData) -> None:
        """Keep the ``message`` for ``part`` of the sender at that position, with the key of its statements.

        Raises MalformedPart if the sender has not signed these values, this weight and this round.
        """
        introduced = message.peer_id[SIGNATURE_BYTES:] or self._introductions.get(sender, b"")
        kept = averaging_pb2.AveragingData()
        kept.CopyFrom(message)
        kept.peer_id = message.peer_id[:SIGNATURE_BYTES] + introduced
        self.require_stated(part, sender, kept)
        self._introductions[sender] = introduced  # only now: what is not signed must not stay for an audit
        self.received.keep(part, sender, kept)

    def require_stated(self, part: int, sender: int, message: averaging_pb2.AveragingData) -> None:
        """Require that the ``sender`` at that position has signed values and weight of the ``part`` in ``message``.

        Its field for the peer holds the signature and the introduction of the key. Raises MalformedPart if not.
        """
        signature, introduced = message.peer_id[:SIGNATURE_BYTES], message.peer_id[SIGNATURE_BYTES:]
        if len(signature) < SIGNATURE_BYTES or not introduced:
            raise MalformedPart("A part came without a statement of its sender.")
        rows, introduction = self._read(introduced)
        statement = self._statement(part, message.tensor_part, message.weight, rows)
        name = self.group.sender(sender).to_bytes()
        self._keys.require(name, introduction, statement, signature)

    def claim_of(self, sender: int) -> RowClaim:
        """Return the rows that the sender at that position named; none if it sent this peer nothing."""
        rows, _ = self._read(self._introductions.get(sender, b""))
        return RowClaim.unpack(rows) if rows else RowClaim()

    def rows_in(self, message: averaging_pb2.AveragingData) -> RowClaim:
        """Return the rows that a ``message`` names, which has the introduction of its sender."""
        rows, _ = self._read(message.peer_id[SIGNATURE_BYTES:])
        return RowClaim.unpack(rows) if rows else RowClaim()

    def _read(self, introduced: bytes) -> tuple[bytes | None, bytes]:
        """Return the packed rows in what a sender ``introduced``, None if the run has none, and the rest of it.

        Raises MalformedPart if the rows are no claim.
        """
        if self._rows is None:
            return None, introduced
        stop = _LENGTH_BYTES + int.from_bytes(introduced[:_LENGTH_BYTES], "little")
        rows = introduced[_LENGTH_BYTES:stop]
        RowClaim.unpack(rows)
        return rows, introduced[stop:]

    def _statement(
        self, part: int, tensor: runtime_pb2.Tensor, weight: float, rows: bytes | None
    ) -> PartStatement:
        digest = digest_of(tensor)
        return PartStatement(self.run, self.epoch, self.parent, self.group.id, part, weight, digest, rows)
