"""Stands in for a daemon that has an errand under way: `python -m tests.client.errand_in_flight HUB FOLDER`."""

import asyncio
import sys
from pathlib import Path

from pydantic import SecretStr

from client.account.errands import CheckToken, Granted, HubSettings
from client.errands import Errands


def main(endpoint: str, folder: str) -> None:
    errand = CheckToken(hub=HubSettings(endpoint=endpoint), token=SecretStr("hf_some_token"))
    print("asking", flush=True)
    asyncio.run(Errands(Path(folder) / "errands.log").run(errand, Granted, 60))


if __name__ == "__main__":
    main(*sys.argv[1:])
