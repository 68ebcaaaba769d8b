"""How a peer is refused: what it is told, and how it reads that out of an error of hivemind's."""

import base64
import binascii
import re
from typing import Self

_TOLD = re.compile(r"Refused: (?P<why>[^<]{1,200}) <(?P<proof>[A-Za-z0-9+/=]*)>")


class Refused(Exception):
    """A peer that is not admitted is not answered; ``proof`` is the gate's list that names it, where one does."""

    def __init__(self, why: str, proof: bytes = b"") -> None:
        super().__init__(why)
        self.why, self.proof = why, proof

    def __repr__(self) -> str:
        """What hivemind sends to whoever called."""
        return f"Refused: {self.why} <{base64.b64encode(self.proof).decode()}>"

    @classmethod
    def told_by(cls, error: Exception) -> Self | None:
        """The refusal behind an error that a call ended with, or None where it ended for another reason."""
        found = _TOLD.search(str(error))
        if found is None:
            return None
        try:
            return cls(found["why"], base64.b64decode(found["proof"], validate=True))
        except binascii.Error:
            return None
