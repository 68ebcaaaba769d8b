"""A command that supervises one stand-in trainer in a real swarm of its own, and prints its fate."""

import asyncio
import sys
from pathlib import Path

from client.api.messages import FROM_TRAINER, Start, TrainerMessage
from core.children.program import Patience, Program
from core.children.supervisor import Supervisor
from core.messages.events import Joined

ROOT = Path(__file__).parents[3]
SWARM = 7  # Deed.SWARM of tests.client.stand_ins.trainer


def report(message: TrainerMessage) -> None:
    if isinstance(message, Joined):
        print("joined", flush=True)


async def supervise(folder: Path) -> None:
    start = Start(
        manifest=folder,
        state_dir=folder,
        initial_peers=(),
        listen=(),
        seed=SWARM,
        threads=1,
        micro_batch=1,
        checkpoint_every=1,
    )
    program = Program(
        "trainer",
        "tests.client.stand_ins.trainer",
        start,
        folder / "log",
        environment={"PYTHONPATH": str(ROOT)},
    )
    outcome = await Supervisor(program, FROM_TRAINER, Patience(silence=4.0)).run(report)
    print(outcome.sentence(), flush=True)


asyncio.run(supervise(Path(sys.argv[1])))
