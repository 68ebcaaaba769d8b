"""Starts a contained child, prints the line that the child prints, and waits until it is killed."""

import asyncio
import sys
from pathlib import Path
from typing import Literal

from core.children.containment import containment
from core.children.program import Patience, Program
from core.messages.lines import Message, encode

CHILD = "tests.core.children.stand_in_contained"


class ContainedDeed(Message):
    """First message of the child: what it is to do."""

    type: Literal["deed"] = "deed"
    deed: str


def program(deed: str, log: Path) -> Program:
    """Return the program of a child that does that."""
    beside = {"PYTHONPATH": str(Path(__file__).parents[3])}
    return Program("stand-in", CHILD, ContainedDeed(deed=deed), log, environment=beside)


async def main(deed: str, log: str) -> None:
    child = await containment()(program(deed, Path(log)), Patience())
    child.input.write(encode(ContainedDeed(deed=deed)))
    print((await child.output.readline()).decode().strip(), flush=True)
    await asyncio.sleep(600)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
