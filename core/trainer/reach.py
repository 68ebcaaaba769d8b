"""Has a trainer find out how others reach it, before it enters the swarm and while it trains."""

from collections.abc import Callable
from dataclasses import replace

import hivemind

from core.messages.events import Event
from core.messages.reach import Reach, ReachChanged, ReachFound
from core.run.manifest import RunManifest
from core.swarm.dht import Network
from core.swarm.p2pd import listening_at
from core.swarm.reach.finder import FoundReach, find_reach, listening_port
from core.swarm.reach.reachability import Reachability
from core.swarm.reach.watch import ReachWatch, look_through
from core.swarm.wire.identity import PeerIdentity
from core.trainer.settings import TrainerSettings

_Report = Callable[[Event], None]


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
    listen = f"/ip4/{host}/tcp/{listening_port(host, preferred, settings.port)}"
    identity = PeerIdentity.load_or_create(settings.identity)
    found = find_reach(listen, network.initial_peers, identity.path, upnp=network.upnp)
    client_mode = found.reachability.client_mode
    return replace(network, listen=(listen,), client_mode=client_mode, announce=found.announce), found


def watch_of(dht: "hivemind.DHT", found: FoundReach | None) -> ReachWatch | None:
    """Return the watch over how others reach a trainer, through its ``dht``; None if nothing was ``found`` before."""
    if found is None or found.reachability.port is None:
        return None
    return ReachWatch(look_through(dht, found.reachability.port, found.announce), found.reachability)


class ReachReports:
    """Reports how others reach the trainer, now and when that changes."""

    def __init__(self, watch: ReachWatch | None, report: _Report, publish: Callable[[Reach], None]) -> None:
        """Report what ``watch`` knows from the start; None: there is nothing to report.

        ``report`` is called with each event; ``publish`` with what the swarm is told.
        """
        self._watch, self._report, self._publish = watch, report, publish
        if watch is not None:
            self._pass_on(watch.found)

    def must_restart(self) -> bool:
        """Return true, after a report, if the trainer has to start again for it; never waits."""
        if self._watch is None:
            return False
        if (found := self._watch.turn()) is not None:
            self._pass_on(found)
        if not self._watch.needs_restart:
            return False
        self._report(ReachChanged(reach=self._watch.found.reach))
        return True

    def _pass_on(self, found: Reachability) -> None:
        self._publish(found.reach)
        self._report(ReachFound(reach=found.reach, port=found.port, address=found.observed or ""))
