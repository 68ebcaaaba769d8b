"""A recorder or a publisher without a swarm: notes the tokens that it is given, ends at the end of its input."""

from pathlib import Path

from pydantic import TypeAdapter

from coordinator.messages import PeerReady, StartPublisher, StartRecorder
from core.children import child
from core.messages.children import Admit
from core.messages.lines import Channel

AnyStart = StartRecorder | StartPublisher
STARTS: TypeAdapter[AnyStart] = TypeAdapter(AnyStart)


def serve(start: AnyStart, channel: Channel) -> None:
    tokens = start.home / f"{start.type}.tokens"
    _note(tokens, start.admission)
    channel.send(PeerReady(peer_id="12D3KooWBxMw"))
    while (admit := channel.receive(TypeAdapter(Admit))) is not None:
        _note(tokens, admit.token)


def _note(tokens: Path, token: str | None) -> None:
    with tokens.open("a") as file:
        file.write(f"{token}\n")


if __name__ == "__main__":
    child.live(STARTS, serve)
