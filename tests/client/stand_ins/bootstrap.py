"""A bootstrap peer without a swarm: says that it is ready, and ends at the end of its input."""

from pydantic import TypeAdapter

from client.api.messages import ORDERS
from core.children import child
from core.messages.children import BootstrapReady, StartBootstrap
from core.messages.lines import Channel


def serve(start: StartBootstrap, channel: Channel) -> None:
    addresses = ("/ip4/127.0.0.1/tcp/1/p2p/12D3KooWBxMw",)
    channel.send(BootstrapReady(peer_id="12D3KooWBxMw", addresses=addresses))
    channel.receive(ORDERS)


if __name__ == "__main__":
    child.live(TypeAdapter(StartBootstrap), serve)
