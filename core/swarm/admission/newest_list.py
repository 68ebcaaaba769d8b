"""The newest list of one kind that the gate signed, as all processes of one peer see it."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from core.admission import signed_lists
from core.errors import AdmissionError
from core.swarm.admission.shared_message import SharedMessage


class SerialList(Protocol):
    """The part of a list that orders it among others of its kind."""

    @property
    def serial(self) -> int:
        """A list takes the place of those with lower serials."""

    @property
    def expires(self) -> int:
        """Time at which its DHT record ends, in Unix seconds."""


Listed = TypeVar("Listed", bound=SerialList)


class NewestList(Generic[Listed]):
    """The newest list that has arrived; make it before the processes that share it."""

    def __init__(self, read: Callable[[bytes], Listed]) -> None:
        """Begin without any; ``read`` reads a signed list, or raises AdmissionError."""
        self._read, self._signed = read, SharedMessage(signed_lists.MAX_BYTES)
        self._seen: tuple[bytes, Listed | None] = (b"", None)

    @property
    def signed(self) -> bytes:
        """The list as the gate signed it; empty before the first."""
        return self._signed.read()

    @property
    def content(self) -> Listed | None:
        """The list; None before the first."""
        signed = self.signed
        if signed != self._seen[0]:
            self._seen = signed, self._read_or_none(signed)
        return self._seen[1]

    def adopt(self, signed: bytes) -> None:
        """Take in a ``signed`` list if the gate signed it and it is newer than the last; only one process does."""
        listed, newest = self._read_or_none(signed), self.content
        if listed is not None and (newest is None or newest.serial < listed.serial):
            self._signed.write(signed)

    def accepts(self, signed: bytes, expires: float) -> bool:
        """Return true if the gate made the ``signed`` list, ending at ``expires``, and no later one has arrived."""
        listed, newest = self._read_or_none(signed), self.content
        if listed is None or listed.expires != expires:
            return False
        return newest is None or newest.serial <= listed.serial

    def _read_or_none(self, signed: bytes) -> Listed | None:
        try:
            return self._read(signed)
        except AdmissionError:
            return None
