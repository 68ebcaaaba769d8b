"""Entry point of the auditor's process: recomputes some of the trainers' work, at the lowest priority.

It ends at the end of its input. A generation of a run has a process of its own.
"""

import threading
from contextlib import closing
from typing import NoReturn

from pydantic import TypeAdapter

from coordinator.auditing.budget import AuditBudget
from coordinator.database.connect import Database
from coordinator.errors import HomeError
from coordinator.home import Home
from coordinator.messages import AuditorReady, StartAuditor
from core.children import child
from core.messages.children import Admit
from core.messages.lines import Channel
from core.run.manifest import RunManifest


def main() -> NoReturn:
    child.live(TypeAdapter(StartAuditor), audit)


def audit(start: StartAuditor, channel: Channel) -> None:
    """Audit until the input ends; CoreError where that cannot be gone on with."""
    home = Home(start.home)
    manifest = RunManifest.load(home.manifest)  # at once, as imports take seconds
    with closing(Database.open(start.database)) as database:
        with child.importing():  # once the channel is ours, since importing prints
            import torch

            from coordinator.auditing.auditor import WorkAuditing
            from coordinator.auditing.handover import AuditFolder
            from coordinator.auditing.workplace import Workplace

        torch.set_num_threads(1)
        ended = threading.Event()
        channel.listen(TypeAdapter(Admit), lambda order: None, ended.set)
        workplace = Workplace(manifest, home.manifest.parent, home.audits / "out-of-memory.json")
        try:
            auditing = WorkAuditing(
                manifest.state.generation,
                AuditFolder(home.audits),
                workplace,
                database,
                AuditBudget(start.seconds_an_hour),
                is_ended=ended.is_set,
            )
            channel.send(AuditorReady())
            pause = 0.0
            while not ended.wait(pause):
                pause = auditing.turn()
        except OSError as error:
            raise HomeError(
                f"{home.audits} cannot be used: {error.strerror or error}.",
                "See that the disk has space and that you may write there.",
            ) from error


if __name__ == "__main__":
    main()
