"""Has a trainer find out how others reach it, before it enters the swarm and while it trains."""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial

import hivemind

from core.messages.events import Event
from core.messages.reach import Reach, ReachChanged, ReachFound
from core.run.manifest import RunManifest
from core.swarm.dht import Network
from core.swarm.p2pd import everywhere, listening_at
from core.swarm.reach.board import look_at_meeting
from core.swarm.reach.contacts import OwnContact
from core.swarm.reach.finder import FoundReach, find_reach
from core.swarm.reach.meeting import MeetingState
from core.swarm.reach.own_places import listening_port
from core.swarm.reach.reachability import Reachability, reach_now
from core.swarm.reach.watch import ReachWatch, look_through
from core.swarm.wire.addresses import by_ip4, version_of
from core.swarm.wire.identity import PeerIdentity
from core.trainer.settings import TrainerSettings

_Report = Callable[[Event], None]
_log = logging.getLogger(__name__)

_LOOK_SECONDS = 3.0
"""Seconds between looks at the places that relays give this peer."""


def entering(settings: TrainerSettings, manifest: RunManifest) -> tuple[Network, FoundReach | None]:
    """Return how a trainer enters the swarm, and how others reach it if that is to be found out, which takes seconds.

    Args:
        settings: Settings of this peer's trainer.
        manifest: Manifest of the run.

    Raises:
        SwarmError: The address to listen on is malformed.
    """
    network = settings.network
    network = replace(network, initial_peers=network.initial_peers or manifest.contact.initial_peers)
    if not settings.finds_reach:
        return network, None
    host, preferred = listening_at(network.listen[0])
    settings.state_dir.mkdir(parents=True, exist_ok=True)
    listen = everywhere(host, listening_port(host, preferred, settings.port))
    identity = PeerIdentity.load_or_create(settings.identity)
    found = find_reach(listen, network.initial_peers, identity.path, upnp=network.upnp)
    verdict = found.reachability
    address, port = verdict.opens_at or ("", 0)
    address6, port6 = (verdict.by_ip6 and verdict.by_ip6.opens_at) or ("", 0)
    entered = replace(
        network,
        listen=listen,
        initial_peers=_entered_by(network.initial_peers, verdict),
        client_mode=verdict.client_mode,
        announce=found.announce,
        udp=bool(address or address6),
        contact=OwnContact(not verdict.client_mode, address, port, address6, port6),
    )
    return entered, found


def _entered_by(initial_peers: tuple[str, ...], found: Reachability) -> tuple[str, ...]:
    """Return the addresses to enter by: those of IPv4 where that works, as later checks use the same connections."""
    known = tuple(filter(None, map(by_ip4, initial_peers)))
    works = found.observed is not None and version_of(found.observed) == 4
    return known if known and works else initial_peers


def watch_of(dht: "hivemind.DHT", found: FoundReach | None) -> "NetworkWatch | None":
    """Return the watch over how others reach a trainer, through its ``dht``; None if nothing was ``found`` before."""
    if found is None or found.reachability.port is None:
        return None
    watch = ReachWatch(look_through(dht, found.reachability.port, found.announce), found.reachability)
    return NetworkWatch(watch, partial(look_at_meeting, dht))


class NetworkWatch:
    """Watches how others reach a trainer: by itself, and with the help of routers that are opened, or of relays."""

    def __init__(
        self,
        watch: ReachWatch,
        look: Callable[[], "Future[MeetingState]"],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Watch from now on.

        Args:
            watch: what the entrances say.
            look: begins to ask for the state of this peer's meeting with peers behind routers.
            clock: seconds that only rise.
        """
        self._watch, self._look, self._clock = watch, look, clock
        self._state, self._look_at = MeetingState(), clock()
        self._looking: Future[MeetingState] | None = None

    @property
    def verdict(self) -> Reachability:
        """The last verdict of the entrances."""
        return self._watch.found

    @property
    def reach(self) -> Reach:
        """The way in which others reach the trainer at present; after a move that is first to be found out again."""
        if self._watch.is_adrift:
            return Reach.OUTGOING
        return reach_now(self._watch.found, relays=self._state.relays, punched=self._state.punched)

    @property
    def needs_restart(self) -> bool:
        """True if the trainer has to start again, since it is reached in another way than it was started for."""
        return self._watch.needs_restart

    def turn(self) -> bool:
        """Do what is due, without waiting; return true if others reach the trainer in another way than before."""
        before = self.reach
        is_news = self._watch.turn() is not None
        self._collect()
        if self._looking is None and self._clock() >= self._look_at:
            self._looking, self._look_at = self._look(), self._clock() + _LOOK_SECONDS
        return is_news or self.reach is not before

    def _collect(self) -> None:
        if self._looking is None or not self._looking.done():
            return
        looking, self._looking = self._looking, None
        if looking.exception() is not None:
            _log.warning("The state of the relays could not be looked at: %r", looking.exception())
            return
        before, self._state = self._state, looking.result()
        if before != self._state:
            text = "Relays with a place for this peer: %d; peers connected by opened routers: %d."
            _log.info(text, self._state.relays, self._state.punched)


class ReachReports:
    """Reports how others reach the trainer, now and when that changes."""

    def __init__(self, watch: NetworkWatch | None, report: _Report, publish: Callable[[Reach], None]) -> None:
        """Report what ``watch`` knows from the start; None: there is nothing to report.

        ``report`` is called with each event; ``publish`` with what is announced to the swarm.
        """
        self._watch, self._report, self._publish = watch, report, publish
        if watch is not None:
            self._pass_on(watch)

    def must_restart(self) -> bool:
        """Return true, after a report, if the trainer has to start again for it; never waits."""
        if self._watch is None:
            return False
        if self._watch.turn():
            self._pass_on(self._watch)
        if not self._watch.needs_restart:
            return False
        self._report(ReachChanged(reach=self._watch.reach))
        return True

    def _pass_on(self, watch: NetworkWatch) -> None:
        self._publish(watch.reach)
        found = watch.verdict
        address6, _ = (found.by_ip6 and found.by_ip6.opens_at) or ("", 0)
        self._report(
            ReachFound(reach=watch.reach, port=found.port, address=found.observed or "", address6=address6)
        )
