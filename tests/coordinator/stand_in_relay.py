"""A bootstrap peer without a swarm, whose relay has used up its total, and whose day is over, in its first life."""

from pydantic import TypeAdapter

from client.api.messages import ORDERS
from core.children import child
from core.messages.children import BootstrapReady, StartBootstrap
from core.messages.lines import Channel
from core.messages.reach import RelayDue, RelayUsedUp


def serve(start: StartBootstrap, channel: Channel) -> None:
    addresses = ("/ip4/127.0.0.1/tcp/1/p2p/12D3KooWBxMw",)
    channel.send(BootstrapReady(peer_id="12D3KooWBxMw", addresses=addresses))
    lives = start.manifest.with_name("lives")
    with lives.open("a") as file:
        file.write("1")
    if lives.stat().st_size == 1:
        channel.send(RelayUsedUp(gigabytes=10.04, total=10.0))
        channel.send(RelayDue())
    channel.receive(ORDERS)


if __name__ == "__main__":
    child.live(TypeAdapter(StartBootstrap), serve)
