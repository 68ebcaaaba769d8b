"""Entry point of the bootstrap peer, the process by which trainers enter a swarm, at an address that stays.

It keeps the swarm's records and computes no gradients; it ends at the end of its input.
"""

from multiprocessing.connection import wait
from typing import NoReturn

from pydantic import TypeAdapter

from core import child
from core.errors import SwarmError
from core.lines import Channel
from core.messages import BootstrapReady, StartBootstrap
from core.run import RunManifest


def main() -> NoReturn:
    child.live(TypeAdapter(StartBootstrap), serve)


def serve(start: StartBootstrap, channel: Channel) -> None:
    """Keep a DHT node of the run until the input ends; SwarmError if it cannot start or dies."""
    from core.swarm.dht import Network, start_dht  # once the channel is ours, since importing it prints
    from core.swarm.identity import PeerIdentity

    manifest = RunManifest.load(start.manifest)
    dht = start_dht(
        Network(listen=start.listen, initial_peers=start.initial_peers),
        PeerIdentity.load_or_create(start.identity),
        prefix=manifest.dht_prefix,
        total_epochs=manifest.training.schedule.total_epochs,
    )
    addresses = tuple(str(address) for address in dht.get_visible_maddrs())
    channel.send(BootstrapReady(peer_id=str(dht.peer_id), addresses=addresses))
    if dht.sentinel in wait([channel.fileno(), dht.sentinel]):
        raise SwarmError(
            "The bootstrap peer's network process has died.", "Start it again; its log may say why."
        )
    dht.shutdown()


if __name__ == "__main__":
    main()
