"""A daemon to be killed: starts a child on a host, and prints the child's process id.

python -m tests.client.hosts.stand_in_daemon KIND LOG
"""

import asyncio
import json
import sys
from pathlib import Path

from tests.client.hosts.hosting import HostedRun, StandInWsl, local_host, program


async def main(kind: str, log: Path) -> None:
    wsl = StandInWsl(log.parent / "wsl")
    wsl.install()
    run = HostedRun(local_host() if kind == "local" else wsl.host(), program(log, "silent", family=True))
    print(json.dumps(await run.greeted()), flush=True)
    await run.outcome


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
