"""What needs the volunteer, as front ends show it: a code that stays, and words in English."""

from core.lines import Message


class ProblemView(Message):
    """What needs the volunteer."""

    code: str
    """Of the error (`client.api.errors`); front ends word the known ones in other languages by it."""
    what: str
    remedy: str
