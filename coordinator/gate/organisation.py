"""Membership of an organisation on the Hub, as far as the organiser's token, or the public, may see it."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated

from pydantic import BaseModel, Field, TypeAdapter

from coordinator.errors import HubAway
from coordinator.gate.fetching import WHOLE_SECONDS, Turns, fetch

_FRESH_SECONDS = 60.0
_STALE_SECONDS = 86_400.0
"""Seconds for which the last list is believed while the Hub does not answer."""


class _OrganisationMember(BaseModel):
    user: Annotated[str, Field(max_length=200)]


_PAGE = TypeAdapter(Annotated[list[_OrganisationMember], Field(max_length=10_000)])


class Organisation:
    """An organisation's members, requested from the Hub at most once a minute and by one thread at a time."""

    def __init__(
        self,
        name: str,
        hub: str,
        token: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to ask the API at ``hub``; ``token`` is the organiser's, which shows hidden members too."""
        self.name = name
        self._address = f"{hub}/api/organizations/{name}/members"
        self._token = token
        self._clock = clock
        self._asking = Turns()
        self._members: frozenset[str] = frozenset()
        self._asked: float | None = None
        self._known: float | None = None
        """Time at which the members were last received."""

    def has(self, name: str) -> bool:
        """Return true if the user belongs to it; raises HubAway if the Hub has not answered for a day."""
        if self._is_older(self._asked, _FRESH_SECONDS):
            self._ask()
        if self._is_older(self._known, _STALE_SECONDS):
            raise HubAway(f"The Hub does not say who belongs to {self.name}.", "Try again in some minutes.")
        return name.casefold() in self._members

    def _is_older(self, moment: float | None, seconds: float) -> bool:
        return moment is None or self._clock() - moment > seconds

    def _ask(self) -> None:
        """Learn the members, unless another thread does; wait for that thread if no members are known yet."""
        patience = WHOLE_SECONDS if self._known is None else 0
        with self._asking.turn(patience) as is_ours, suppress(HubAway):  # the last list holds for a while
            if is_ours and self._is_older(self._asked, _FRESH_SECONDS):
                self._asked = self._clock()
                self._members = self._listed()
                self._known = self._clock()

    def _listed(self) -> frozenset[str]:
        deadline = self._clock() + WHOLE_SECONDS
        members: set[str] = set()
        following: str | None = self._address
        while following:
            page = fetch(following, _PAGE, token=self._token, clock=self._clock)
            members.update(member.user.casefold() for member in page.value)
            following = page.following
            if self._clock() > deadline:
                raise HubAway("The Hub lists the members too slowly.", "Try again in some minutes.")
        return frozenset(members)
