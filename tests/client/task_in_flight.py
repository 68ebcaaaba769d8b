"""Stands in for a daemon that has an task under way: `python -m tests.client.task_in_flight HUB FOLDER`."""

import asyncio
import sys
from pathlib import Path

from pydantic import SecretStr

from client.account.tasks import CheckToken, HubSettings, SignInGrant
from client.tasks import TaskRunner


def main(endpoint: str, folder: str) -> None:
    task = CheckToken(hub=HubSettings(endpoint=endpoint), token=SecretStr("hf_some_token"))
    print("asking", flush=True)
    asyncio.run(TaskRunner(Path(folder) / "tasks.log").run(task, SignInGrant, 60))


if __name__ == "__main__":
    main(*sys.argv[1:])
