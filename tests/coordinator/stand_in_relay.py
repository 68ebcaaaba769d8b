"""A bootstrap peer without a swarm: the relay of its first life has used up its total, until a file is there."""

import threading
from datetime import UTC, datetime

from pydantic import TypeAdapter

from client.api.messages import ORDERS
from core.children import child
from core.messages.children import BootstrapReady, StartBootstrap
from core.messages.lines import Channel
from core.messages.reach import RelayDue, RelayUsedUp
from tests.waiting import wait_until

USED_UP = RelayUsedUp(
    gigabytes=10.04,
    total=10.0,
    since=datetime(2026, 3, 1, 14, 32, tzinfo=UTC),
    until=datetime(2026, 3, 2, tzinfo=UTC),
)


def serve(start: StartBootstrap, channel: Channel) -> None:
    lives, next_day = start.manifest.with_name("lives"), start.manifest.with_name("next day")
    with lives.open("a") as file:
        file.write("1")
    is_first = lives.stat().st_size == 1

    def tell_of_the_next_day() -> None:
        wait_until(next_day.exists, "the day does not end")
        channel.send(RelayDue())

    if is_first:
        channel.send(USED_UP)
        threading.Thread(target=tell_of_the_next_day, daemon=True).start()
    addresses = ("/ip4/127.0.0.1/tcp/1/p2p/12D3KooWBxMw",)
    channel.send(BootstrapReady(peer_id="12D3KooWBxMw", addresses=addresses))
    channel.receive(ORDERS)


if __name__ == "__main__":
    child.live(TypeAdapter(StartBootstrap), serve)
