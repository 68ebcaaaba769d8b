"""Keeps this computer admitted to the run that it trains, with an access token that is renewed in time.

A coordinator that does not answer is asked at growing intervals. Once it reports that the membership has ended, it
is not asked again until the volunteer signs in again.
"""

import asyncio
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import SecretStr

from client.account.credentials import KEPT_IN_WORDS
from client.admission.membership import Access, RunMembership
from client.admission.memberships import Memberships, no_member
from client.admission.tasks import AccessRenewal, RenewAccess
from client.api.errors import (
    ClientError,
    CoordinatorAway,
    MembershipEnded,
    NoKeyring,
    SetAsideByEvidence,
    StateError,
)
from client.api.snapshot import MembershipView
from client.service.trainer.restarts import pause_after

_log = logging.getLogger(__name__)

RENEW_AFTER = 2 / 3
"""Share of an access token's life after which it is renewed; the rest allows for a coordinator that is away."""
_JITTER = 0.1
"""Share of the life by which renewals are randomly early, so that members who joined together do not renew
together.
"""
_LONGEST_LOOK = timedelta(minutes=1)
"""Longest wait between two looks at the clock: timers stand still while a machine sleeps."""
_RENEW_SECONDS = 60.0


@dataclass(frozen=True)
class JoinedGate:
    """Gate of one run, and the identity that is admitted by it."""

    run: str
    """Training digest of the run."""
    coordinator: str
    key: str
    """Public key that signs access tokens, in hex."""
    identity: Path
    """File of the peer's key."""


class RunAdmission:
    """Admission to one run; `run` continues in the background for as long as that run is trained."""

    def __init__(
        self,
        gate: JoinedGate,
        memberships: Memberships,
        changed: Callable[[], None],
        now: Callable[[], datetime],
        draw: Callable[[], float] = random.random,
    ) -> None:
        """Prepare the admission; ``changed`` is called after each change, once a new token is in `token`."""
        self._gate, self._memberships, self._changed = gate, memberships, changed
        self._now, self._draw = now, draw
        self._membership: RunMembership | None = None
        self._access = memberships.take_access(gate.run)
        self._share = self._drawn_share()
        self._wanted, self._failures = False, 0
        self._asked, self._pause = now(), timedelta()
        self._news = asyncio.Event()
        self.problem: ClientError | None = None
        """Error that needs the volunteer: no token is requested until they sign in again or retry."""
        self.trouble: ClientError | None = None
        """Error of the last attempt, where another attempt may succeed."""

    @property
    def token(self) -> SecretStr | None:
        """The access token, while it is good."""
        return self._access.token if self._access and self._access.is_good(self._now()) else None

    @property
    def view(self) -> MembershipView | None:
        note = self._memberships.where(self._gate.run)
        if not note.name:
            return None
        return MembershipView(name=note.name, kept=KEPT_IN_WORDS[note.keep], text=self.text)

    @property
    def text(self) -> str:
        """State of admission, as a sentence for the volunteer."""
        if self.problem:
            return self.problem.what
        if isinstance(self.trouble, SetAsideByEvidence):
            return str(self.trouble)
        if self.token is None:
            return (
                self.trouble.what
                if self.trouble
                else "This computer has no access token now, because it does not train."
            )
        if self.trouble:
            assert self._access is not None
            left = (self._access.expires - self._now()).total_seconds() / 60
            return f"Admitted for another {left:.0f} min. {self.trouble.what}"
        return "Admitted."

    async def membership(self) -> RunMembership:
        """Return the membership, for tasks that call the coordinator.

        Raise GateError if the volunteer is no member.
        """
        found = await self._memberships.load(self._gate.run)
        if found is None:
            raise no_member()
        return found

    def want(self, wanted: bool) -> None:
        """Set whether training is wanted: while it is not, no token is requested."""
        if wanted and not self._wanted:
            self._news.set()
        self._wanted = wanted

    def refused(self) -> None:
        """React to a refused token: ask the coordinator for another one, or for the reason why there is none."""
        self._access = None
        self._news.set()

    def again(self) -> None:
        """Try again, as the volunteer has signed in or asks for it."""
        self.problem = self.trouble = self._membership = None
        self._failures, self._pause = 0, timedelta()
        if access := self._memberships.take_access(self._gate.run):
            self._take(access)
        self._news.set()
        self._changed()

    async def run(self) -> None:
        """Keep the access token renewed, until cancelled."""
        while True:
            self._news.clear()
            if await self._quiet_for(self._wait()) and self._is_due():
                await self._attend()

    def _due(self) -> datetime | None:
        """Return the time of the next action; None: there is nothing to do until something changes."""
        if self.problem is not None or not (self._wanted or self._membership is None):
            return None
        if self._membership is None or self._access is None or self.token is None:
            return self._not_before
        life = self._access.expires - self._access.issued
        return max(self._access.issued + life * self._share, self._not_before)

    @property
    def _not_before(self) -> datetime:
        """End of the pause after the last failure; now if the clock was set back since, as the pause cannot be
        computed then.
        """
        return self._asked + self._pause if self._asked <= self._now() else self._now()

    def _is_due(self) -> bool:
        due = self._due()
        return due is not None and due <= self._now()

    def _wait(self) -> timedelta | None:
        due = self._due()
        return None if due is None else min(max(due - self._now(), timedelta()), _LONGEST_LOOK)

    async def _quiet_for(self, span: timedelta | None) -> bool:
        """Return true if no news arrives within ``span``; None waits without a limit."""
        try:
            async with asyncio.timeout(None if span is None else span.total_seconds()):
                await self._news.wait()
        except TimeoutError:
            return True
        return False

    async def _attend(self) -> None:
        try:
            if self._membership is None:
                self._membership = await self.membership()
            else:
                await self._renew(self._membership)
        except ClientError as error:
            self._fail(error)
        self._changed()

    async def _renew(self, membership: RunMembership) -> None:
        task = RenewAccess(
            coordinator=self._gate.coordinator,
            membership=membership,
            gate=self._gate.key,
            identity=self._gate.identity,
        )
        renewed = await self._memberships.tasks.run(task, AccessRenewal, _RENEW_SECONDS)
        self._take(self._memberships.access(renewed.token, renewed.seconds))

    def _take(self, access: Access) -> None:
        self._access, self.problem, self.trouble = access, None, None
        self._failures, self._pause, self._share = 0, timedelta(), self._drawn_share()

    def _fail(self, error: ClientError) -> None:
        if isinstance(error, MembershipEnded | NoKeyring | StateError):
            _log.warning("No access token is requested until the volunteer acts: %s", error)
            self.problem, self.trouble = error, None
            return
        self._failures += 1
        asked = error.seconds if isinstance(error, CoordinatorAway) else 0.0
        seconds = max(asked, pause_after(self._failures, self._draw()))
        self.trouble, self._asked, self._pause = error, self._now(), timedelta(seconds=seconds)
        _log.warning(
            "Attempt %d to get an access token failed; the next in %.0f s: %s", self._failures, seconds, error
        )

    def _drawn_share(self) -> float:
        return RENEW_AFTER * (1 - _JITTER * self._draw())
