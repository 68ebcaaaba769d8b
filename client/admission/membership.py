"""A volunteer's membership of a run, and the access tokens that it brings: values that show no secret."""

from datetime import datetime

from pydantic import AwareDatetime

from client.account.credentials import Secret, SignedIn
from core.lines import Message


class Membership(SignedIn):
    """What a run's coordinator knows a volunteer by; it is sent to that coordinator and nowhere else."""

    coordinator: str
    """Its web address."""
    run: str
    """Training digest of the run's manifest."""
    secret: Secret

    @property
    def entry(self) -> str:
        return entry_of(self.run)


class Access(Message):
    """An access token: admits this computer's peer to the swarm until it expires."""

    token: Secret
    issued: AwareDatetime
    expires: AwareDatetime
    """By this computer's clock."""

    def is_good(self, now: datetime) -> bool:
        """Also not before it was issued: a clock that was set back says nothing of how long it is still good."""
        return self.issued <= now < self.expires


def entry_of(run: str) -> str:
    """What a membership of the run of that digest is called in a keyring."""
    return f"run {run}"
