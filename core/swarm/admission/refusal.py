"""The refusal of a peer: the message it gets, and the way to read it out of an error of hivemind's."""

import base64
import binascii
import re
from typing import Self

_MESSAGE = re.compile(r"Refused: (?P<why>[^<]{1,200}) <(?P<proof>[A-Za-z0-9+/=]*)>")


class PeerRefused(Exception):
    """The refusal of a peer that is not admitted.

    ``proof`` is the gate's signed list that names the peer; empty if it was refused for another reason.
    """

    def __init__(self, why: str, proof: bytes = b"") -> None:
        """Refuse a peer, which gets the ``proof`` and the reason ``why``, in at most 200 characters without ``<``."""
        super().__init__(why)
        self.why, self.proof = why, proof

    def __repr__(self) -> str:
        """Return the text that hivemind sends to the caller."""
        return f"Refused: {self.why} <{base64.b64encode(self.proof).decode()}>"

    @classmethod
    def behind(cls, error: Exception) -> Self | None:
        """Return the refusal behind ``error``, with which a call ended, or None if it ended for another reason."""
        found = _MESSAGE.search(str(error))
        if found is None:
            return None
        try:
            return cls(found["why"], base64.b64decode(found["proof"], validate=True))
        except binascii.Error:
            return None
