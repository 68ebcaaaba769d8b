"""Finds out again, while a peer runs, how others reach it: now and then, and soon after it has moved."""

import logging
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any

import hivemind
from hivemind.p2p import PeerID

from core.swarm.neighbours import entrances
from core.swarm.reach.finder import MOST_ENTRANCES, answers_of
from core.swarm.reach.own_places import own_address, own_address6, own_addresses
from core.swarm.reach.questions import MOST_PORTS
from core.swarm.reach.reachability import (
    Reachability,
    ReachByIp6,
    ReachObservations,
    judge,
    needs_restart,
    outer_ports,
)
from core.swarm.wire.addresses import by_ip4, place_of

_log = logging.getLogger(__name__)

_CHECK_SECONDS = 1800.0
_DOUBT_SECONDS = 60.0
"""Seconds after which another verdict is looked at again before it is believed."""
_GLANCE_SECONDS = 300.0
"""Seconds between questions for the observed address alone, for which nothing is dialled."""
_ADRIFT_SECONDS = 10.0
"""Seconds until the next question after one that no entrance answered, once the computer has moved."""
_ADRIFT_AT_MOST_SECONDS = 600.0
"""Seconds after a move for which a peer that no entrance answers counts as unreachable."""
_OWN_ADDRESS_SECONDS = 1.0
"""Seconds between looks at this computer's own address, which take no message at all."""

_Look = Callable[[bool], "Future[ReachObservations]"]


class ReachWatch:
    """Watches how a running peer is reached; `turn` never waits."""

    def __init__(
        self,
        look: _Look,
        started_with: Reachability,
        *,
        clock: Callable[[], float] = time.monotonic,
        own_address: Callable[[], tuple[str | None, str | None] | None] = own_addresses,
    ) -> None:
        """Watch from now on.

        Args:
            look: begins to ask the entrances, about this peer's ports if it is given true, or for the observed
                address alone; returns the observations to come.
            started_with: the verdict that the peer was started with.
            clock: seconds that only rise.
            own_address: returns the addresses of IPv4 and IPv6 from which this computer's packets leave; None if it
                is offline.
        """
        self._look, self._started_with = look, started_with
        self.found = started_with
        """The last verdict."""
        self._clock, self._own_address, self._own = clock, own_address, own_address()
        self._looking: tuple[bool, Future[ReachObservations]] | None = None
        self._last = self._own
        """The addresses with which this computer was last online."""
        self._is_adrift = False
        self._moved_at: float | None = None
        self._is_doubted = False
        now = self._started = clock()
        self._glance_at, self._own_at = now + _GLANCE_SECONDS, now + _OWN_ADDRESS_SECONDS
        has_verdict = started_with.observed is not None
        self._check_at = now + (_CHECK_SECONDS if has_verdict else _GLANCE_SECONDS)

    @property
    def is_adrift(self) -> bool:
        """True from a move until it is known how others reach this peer where it is now, for some minutes at most.

        Later the verdict from before counts again: entrances that are gone for good will never tell.
        """
        return (
            self._is_adrift
            and self._moved_at is not None
            and self._clock() - self._moved_at < _ADRIFT_AT_MOST_SECONDS
        )

    @property
    def needs_restart(self) -> bool:
        """True if the peer has to start again, since it is reached in another way than it was started for."""
        now = self._clock()
        there = None if self._moved_at is None else now - self._moved_at
        return not self.is_adrift and needs_restart(
            self._started_with, self.found, now - self._started, there
        )

    def turn(self) -> Reachability | None:
        """Do what is due, and return a new verdict if there is one."""
        if self._looking is not None:
            return self._collect()
        now = self._clock()
        if now >= self._own_at:
            self._own_at = now + _OWN_ADDRESS_SECONDS
            self._look_at_own(now)
        if now >= self._check_at:
            self._looking, self._check_at = (True, self._look(True)), now + _CHECK_SECONDS
            self._glance_at = now + _GLANCE_SECONDS
        elif now >= self._glance_at:
            self._looking, self._glance_at = (False, self._look(False)), now + _GLANCE_SECONDS
        return None

    def _look_at_own(self, now: float) -> None:
        before, self._own = self._own, self._own_address()
        if self._own is None or self._own == before:
            return
        self._check_at = now
        if self._last is not None and self._own[0] != self._last[0]:
            self._moved_at = now
            self._is_adrift = self._started_with.observed is not None  # else no entrance has ever told
        self._last = self._own

    def _collect(self) -> Reachability | None:
        assert self._looking is not None
        is_check, looking = self._looking
        if not looking.done():
            return None
        self._looking = None
        if looking.exception() is not None:
            _log.warning("How this peer is reached could not be looked at: %r", looking.exception())
            self._ask_soon_if_adrift()
            return None
        found = judge(looking.result())
        if found.observed is None or self._is_half(found):
            self._ask_soon_if_adrift()  # the entrances are gone: others may still reach this peer as before
            return None
        if is_check:
            return self._confirm(found)
        if found.observed != self.found.observed:
            self._check_at = self._clock()
        return None

    def _ask_soon_if_adrift(self) -> None:
        if self.is_adrift:
            self._check_at = min(self._check_at, self._clock() + _ADRIFT_SECONDS)

    def _is_half(self, found: Reachability) -> bool:
        """Return true if only IPv6 was asked about: a running peer is connected to an entrance by one of both."""
        by_ip6 = found.by_ip6
        is_by_few = by_ip6 is not None and found.observed == by_ip6.address != self._started_with.observed
        return is_by_few and self._moved_at is None

    def _as_before_by_ip6(self) -> ReachByIp6 | None:
        """Return the way by IPv6 of the start with the address of now: in the same network, it is the same way."""
        before, own = self._started_with.by_ip6, self._own[1] if self._own else None
        if before is None or own is None or place_of(own) != place_of(before.address):
            return None
        port = self._started_with.port
        return replace(before, address=own, opens_at=(own, port) if before.opens_at and port else None)

    def _confirm(self, found: Reachability) -> Reachability | None:
        """Believe a verdict for the other mode once it has been found twice: one check may fail by chance."""
        if found.client_mode != self.found.client_mode and not self._is_doubted:
            self._is_doubted, self._check_at = True, self._clock() + _DOUBT_SECONDS
            return None
        self._is_doubted = self._is_adrift = False
        if found.observed == self._started_with.observed and found.client_mode:
            # A running peer is not asked by UDP again.
            found = replace(found, opens_at=self._started_with.opens_at)
            found = replace(found, by_ip6=found.by_ip6 or self._as_before_by_ip6())
        before, self.found = self.found, found
        if (before.reach, before.observed) == (found.reach, found.observed):
            return None
        _log.info("Others reach this computer: %s, before: %s", found, before)
        return found


def look_through(dht: "hivemind.DHT", port: int, announced: Sequence[str]) -> _Look:
    """Return what asks the entrances of a running peer, for its watch.

    Args:
        dht: the DHT of the peer, in whose process the entrances are asked.
        port: the port at which it listens.
        announced: the multiaddresses that it was configured to announce.
    """
    asked = list(dict.fromkeys(entrances(dht)))
    ip6_only = not any(by_ip4(str(item)) for item in dht.initial_peers or ())

    def look(with_ports: bool) -> "Future[ReachObservations]":
        some = random.sample(asked, min(MOST_ENTRANCES if with_ports else 1, len(asked)))
        asking = partial(_look, entrances=some, port=port, announced=tuple(announced), ip6_only=ip6_only)
        work = partial(asking, with_ports=with_ports)
        looking: Future[ReachObservations] = dht.run_coroutine(work, return_future=True)
        return looking

    return look


async def _look(
    _: "hivemind.DHT",
    node: Any,
    *,
    entrances: Sequence[PeerID],
    port: int,
    announced: Sequence[str],
    with_ports: bool,
    ip6_only: bool,
) -> ReachObservations:
    """Ask the ``entrances``; called in the process of the DHT ``node``."""
    visible = [str(item) for item in await node.p2p.get_visible_maddrs(latest=True)]
    mapped = outer_ports(visible, port=port, announced=announced)
    ports = (port, *sorted(mapped))[:MOST_PORTS] if with_ports else ()
    answers = await answers_of(node.p2p, entrances, ports)
    seen = ReachObservations(port, own_address(), answers, mapped, has_entrances=bool(entrances))
    return replace(seen, own_address6=own_address6(), ip6_only=ip6_only)
