"""Makes the code by which a computer is paired, and decides for how long and how often it may be tried."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from client.api.errors import RemoteError
from client.api.remote.control import PairingStage

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Characters of a code; those that look like others are left out."""
LENGTH = 8
"""Characters of a code: 31 ** 8 codes, of which a stranger may try `ATTEMPTS`."""
VALID_FOR = timedelta(minutes=2)
ATTEMPTS = 3


def new_code(choose: Callable[[str], str] = secrets.choice) -> str:
    """Return a code; ``choose`` picks one character of a text."""
    return "".join(choose(ALPHABET) for _ in range(LENGTH))


def written(code: str) -> str:
    """Return a code in two groups, to be read aloud."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def read_code(text: str) -> str:
    """Return the code that a person has typed; case, blanks and hyphens do not matter.

    Raises RemoteError if it cannot be a code.
    """
    code = "".join(text.upper().replace("-", " ").split())
    if len(code) != LENGTH or any(letter not in ALPHABET for letter in code):
        raise RemoteError(
            f"A code has {LENGTH} letters and digits, none of which is 0, 1, I, L or O.",
            "Type the code that the other computer shows.",
        )
    return code


@dataclass(frozen=True)
class PairingWindow:
    """The time in which one code may be tried; each method returns the state that follows."""

    code: str
    expires: datetime
    stage: PairingStage = PairingStage.OPEN
    attempts_left: int = ATTEMPTS
    paired: str = ""
    """Name of the computer that was paired."""

    @classmethod
    def opened(cls, now: datetime, code: str) -> "PairingWindow":
        """Return an open window for a new ``code``."""
        return cls(code, now + VALID_FOR)

    def at(self, now: datetime) -> "PairingWindow":
        """Return the window at a later time."""
        is_late = self.stage is PairingStage.OPEN and now >= self.expires
        return replace(self, stage=PairingStage.EXPIRED) if is_late else self

    def attempted(self, now: datetime) -> "PairingWindow":
        """Return the window once an attempt was begun, which counts whatever comes of it.

        Raises RemoteError if the code may not be tried any more.
        """
        current = self.at(now)
        if current.stage is not PairingStage.OPEN or not current.attempts_left:
            raise RemoteError(
                "The other computer accepts no code now.", "Have it show a new code, and type that one."
            )
        return replace(current, attempts_left=current.attempts_left - 1)

    def failed(self) -> "PairingWindow":
        """Return the window after an attempt by a wrong code; the last one makes the code void."""
        if self.stage is PairingStage.OPEN and not self.attempts_left:
            return replace(self, stage=PairingStage.VOID)
        return self

    def succeeded(self, name: str) -> "PairingWindow":
        """Return the window after an attempt by the right code: no other computer is paired by it.

        Raises RemoteError if the code was withdrawn or became void meanwhile.
        """
        if self.stage is not PairingStage.OPEN:
            raise RemoteError("The code is no longer valid.", "Have the other computer show a new code.")
        return replace(self, stage=PairingStage.PAIRED, paired=name)

    def closed(self) -> "PairingWindow":
        """Return the window after the user has withdrawn the code."""
        return replace(self, stage=PairingStage.CLOSED) if self.stage is PairingStage.OPEN else self
