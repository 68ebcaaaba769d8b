"""A recorder or a publisher without a swarm: notes what it is told, and ends at the end of its input."""

from pathlib import Path

from pydantic import TypeAdapter

from coordinator.messages import FOR_RECORDER, PeerReady, RelaysNow, StartPublisher, StartRecorder
from core.children import child
from core.messages.lines import Channel

AnyStart = StartRecorder | StartPublisher
STARTS: TypeAdapter[AnyStart] = TypeAdapter(AnyStart)


def serve(start: AnyStart, channel: Channel) -> None:
    tokens = start.home / f"{start.type}.tokens"
    _note(tokens, start.admission)
    channel.send(PeerReady(peer_id="12D3KooWBxMw"))
    while (order := channel.receive(FOR_RECORDER)) is not None:
        if isinstance(order, RelaysNow):
            _note(start.home / f"{start.type}.relays", order.model_dump_json())
        else:
            _note(tokens, order.token)


def _note(noted: Path, text: str | None) -> None:
    with noted.open("a") as file:
        file.write(f"{text}\n")


if __name__ == "__main__":
    child.live(STARTS, serve)
