"""What every message of the control channel is made of: JSON lines, each request with a number of its own."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from core.lines import Message

PROTOCOL = 1
"""Raised when a message changes its meaning; a daemon answers others with `Refused`, but for `Quit`."""
RECEIVED = ConfigDict(cache_strings="none")
"""pydantic would keep thousands of the strings that it was sent, tokens among them."""

Number = Annotated[int, Field(ge=0, lt=2**53)]
Text = Annotated[str, Field(max_length=4096)]


class Request(Message):
    """Base of all requests."""

    id: Number = 0
    """Given by the connection that sends it; the answer carries it."""
    protocol: Literal[1] = 1
