"""An auditor of work without any: notes its start, and ends at the end of its input."""

from pydantic import TypeAdapter

from coordinator.messages import AuditorReady, StartAuditor
from core.children import child
from core.messages.children import Admit
from core.messages.lines import Channel


def serve(start: StartAuditor, channel: Channel) -> None:
    with (start.home / "start_auditor.starts").open("a") as file:
        file.write(f"{start.seconds_an_hour}\n")
    channel.send(AuditorReady())
    while channel.receive(TypeAdapter(Admit)) is not None:
        pass


if __name__ == "__main__":
    child.live(TypeAdapter(StartAuditor), serve)
