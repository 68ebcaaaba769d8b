"""Lines between a trainer host and the agent in its distribution: a name and base64, ASCII alone, of bounded length.

What lies between may treat ends of lines and bytes above 127 as text, so neither occurs within a line. Standard
library only.
"""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any, Self, TypeVar

PROTOCOL = 2
"""Version of the lines, increased when one changes its meaning; host and agent must agree."""
GREETING = f"idlebrush-agent {PROTOCOL}\n".encode("ascii")
"""First line of the agent; whatever else comes first is from the program that should have started it."""
CHUNK = 32 * 1024
"""Most bytes that one line carries."""
MAX_FRAME = 48 * 1024
"""Bytes of the longest line, its end included."""
INPUT_WINDOW = 256 * 1024
"""Most bytes of the child's input that may be under way: the agent acknowledges what the child has taken."""


class FrameError(ValueError):
    """A line of the other side is not one that this version knows."""


class AgentOrder(StrEnum):
    """Names of lines to the agent. Each of them renews the lease."""

    START = "start"  # with a StartOrder; the first line, once
    INPUT = "input"  # with bytes for the child's standard input
    END_OF_INPUT = "end-of-input"
    FREEZE = "freeze"
    THAW = "thaw"
    SETTLE = "settle"  # limit all processes to the share of a settling round
    QUIET = "quiet"  # let all but the computing process answer
    RELEASE = "release"  # limit no more; what is stopped stays so
    READ = "read"  # asks for a AgentReading
    RENEW = "renew"
    END = "end"  # end the child and all that it has started


class AgentReport(StrEnum):
    """Names of lines of the agent."""

    STARTED = "started"  # with the child's process id
    OUTPUT = "output"  # with bytes of the child's standard output
    END_OF_OUTPUT = "end-of-output"
    TAKEN = "taken"  # with the number of bytes of the input that the child has taken since the last such line
    READING = "reading"  # with a AgentReading
    RENEWED = "renewed"  # answers an order to renew
    GONE = "gone"  # with the child's exit status; nothing of it is left, and the agent ends


@dataclass(frozen=True)
class _Fields:
    """Base of what travels as the fields of a JSON object."""

    def encode(self) -> bytes:
        """Return the object as JSON."""
        return json.dumps(asdict(self)).encode("ascii")

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Return the object in ``data``; raises FrameError if it is none of this version."""
        try:
            values: dict[str, Any] = json.loads(data)
            if values.keys() != {field.name for field in fields(cls)}:
                raise ValueError("other fields")
            return cls(**values)
        except (ValueError, TypeError, AttributeError) as error:
            raise FrameError(f"a {cls.__name__} is not understood: {error}") from error


@dataclass(frozen=True)
class StartOrder(_Fields):
    """Program that the agent starts, with its surroundings."""

    python: str
    """Interpreter of the child, as the distribution sees it; empty: the agent's own."""
    module: str
    rank: str
    """Priority: ``idle`` or a niceness."""
    environment: Mapping[str, str]
    """Variables that differ from the agent's own; never a secret, because other processes can read them."""
    lease: float
    """Seconds without a line of the host after which the agent ends everything."""


@dataclass(frozen=True)
class AgentReading(_Fields):
    """State of the child's processes."""

    memory: int
    """Bytes of RAM that they hold together."""
    is_exact: bool
    """True if a page that several of them share counts once."""
    starved: float
    """Seconds for which the child's threads have waited for the processor so far."""


E = TypeVar("E", bound=StrEnum)


def frame(name: StrEnum, data: bytes = b"") -> bytes:
    """Return the line ``name`` that carries ``data``; raises FrameError if that has more than `CHUNK` bytes."""
    if len(data) > CHUNK:
        raise FrameError(f"{len(data)} bytes are too many for a line")
    return name.encode("ascii") + (b" " + base64.b64encode(data) if data else b"") + b"\n"


def chunks(data: bytes) -> list[bytes]:
    """Return ``data`` in pieces that a line can carry each."""
    return [data[start : start + CHUNK] for start in range(0, len(data), CHUNK)]


def parse(line: bytes, names: type[E]) -> tuple[E, bytes]:
    """Return the name and the data of ``line``; raises FrameError if it is cut off or none of ``names``."""
    if not line.endswith(b"\n") or len(line) > MAX_FRAME:
        raise FrameError("a line is cut off or too long")
    name, _, data = line.rstrip(b"\r\n").partition(b" ")
    try:
        return names(name.decode("ascii")), base64.b64decode(data, validate=True)
    except (ValueError, binascii.Error) as error:
        raise FrameError(f"a line is not understood: {error}") from None


def number(data: bytes) -> int:
    """Return the number in ``data``, which a line carries; raises FrameError if it is none."""
    if not data.isdigit() or len(data) > 18:
        raise FrameError("a line carries no number")
    return int(data)
