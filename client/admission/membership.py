"""A volunteer's membership of a run, and the access tokens that it brings: values that show no secret."""

from datetime import datetime

from pydantic import AwareDatetime

from client.account.credentials import SignedIn, StoredSecret
from core.messages.lines import Message


class RunMembership(SignedIn):
    """Membership by which a run's coordinator knows a volunteer; it is sent to that coordinator and nowhere else."""

    coordinator: str
    """Web address of the coordinator."""
    run: str
    """Training digest of the run's manifest."""
    secret: StoredSecret

    @property
    def entry(self) -> str:
        return entry_of(self.run)


class Access(Message):
    """An access token: admits this computer's peer to the swarm until it expires."""

    token: StoredSecret
    issued: AwareDatetime
    expires: AwareDatetime
    """End of its validity, by this computer's clock."""

    def is_good(self, now: datetime) -> bool:
        """Return true if the token is valid now.

        A token from the future is not valid, as the clock was set back by an unknown time.
        """
        return self.issued <= now < self.expires


def entry_of(run: str) -> str:
    """Name of a run's membership in the keyring, by the run's digest."""
    return f"run {run}"
