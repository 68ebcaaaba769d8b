"""Parts of every message of the control channel: JSON lines, with a number for each request."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from core.messages.lines import Message

PROTOCOL = 1
"""Version of the protocol, raised when a message changes its meaning.

A daemon answers other versions with `Refused`, except for `Quit`.
"""
RECEIVED = ConfigDict(cache_strings="none")
"""Configuration without pydantic's cache of strings.

The cache would keep thousands of received strings, tokens among them.
"""

RequestNumber = Annotated[int, Field(ge=0, lt=2**53)]
Text = Annotated[str, Field(max_length=4096)]


class Request(Message):
    """Base of all requests."""

    id: RequestNumber = 0
    """Number that the sending connection gives the request; the answer carries it."""
    protocol: Literal[1] = 1


class ProblemView(Message):
    """Problem that needs the volunteer."""

    code: str
    """Code of the error (`client.api.errors`), by which front ends translate known ones."""
    what: str
    remedy: str
