"""A process that serves no swarm: it fails if a file `fails` lies in the folder, and else can be entered at once."""

import threading

from pydantic import TypeAdapter

from client.api.errors import FolderError
from client.demo.messages import LIMITS, LocalSwarmNow, StartLocalSwarm
from core.children import child
from core.messages.lines import Channel


def serve(start: StartLocalSwarm, channel: Channel) -> None:
    if (start.folder / "fails").exists():
        raise FolderError("The folder is full of sand.", "Empty it.")
    ended = threading.Event()

    def tell(text: str) -> None:
        manifest = start.folder / "run" / "run.toml"
        channel.send(LocalSwarmNow(manifest=manifest, web="http://127.0.0.1:8080", notices=(text,)))

    channel.send(LocalSwarmNow())
    tell(f"paused at first: {start.limits.is_paused}")
    channel.listen(LIMITS, lambda limits: tell(str(limits.is_paused)), ended.set)
    ended.wait()


if __name__ == "__main__":
    child.live(TypeAdapter(StartLocalSwarm), serve)
