"""The line of a simulated machine: its rates, and the bytes that have passed."""

from dataclasses import dataclass

from core.run.control_traffic import OVERHEAD


@dataclass(eq=False)
class SimulatedLine:
    """A line with its rates, and the bytes that have passed, headers included."""

    down: float
    """Bytes a second towards the machine."""
    up: float
    """Bytes a second from the machine."""
    delay: float
    """Seconds to the Internet's middle and back."""
    sent: float = 0.0
    """Bytes sent so far."""
    received: float = 0.0
    """Bytes received so far."""
    busy: int = 0
    """Number of states that are being given by the line now."""

    def count(self, *, sent: float = 0.0, received: float = 0.0) -> None:
        """Count bytes that were ``sent`` and ``received``, on the wire."""
        self.sent += sent
        self.received += received

    def seconds_of(self, sent: float, received: float) -> float:
        """Return the seconds in which ``sent`` and ``received`` bytes of messages pass, both ways at once."""
        return OVERHEAD * max(sent / self.up, received / self.down)
