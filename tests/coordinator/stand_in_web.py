"""A website's process that serves nothing: listens where it is told, and ends at the end of its input."""

import os
import signal
import socket

from pydantic import TypeAdapter

from coordinator.errors import WebError
from coordinator.messages import StartWeb, WebReady
from core.children import child
from core.messages.lines import Channel, Message


def serve(start: StartWeb, channel: Channel) -> None:
    if (start.home / "refuse-web").exists():
        raise WebError("The website is not to be.", "Let it be.")
    if (start.home / "crash-web").exists():
        os.kill(os.getpid(), signal.SIGKILL)
    with socket.create_server(("127.0.0.1", start.port)) as server:
        channel.send(WebReady(address=f"http://127.0.0.1:{server.getsockname()[1]}"))
        channel.receive(TypeAdapter(Message))


if __name__ == "__main__":
    child.live(TypeAdapter(StartWeb), serve)
