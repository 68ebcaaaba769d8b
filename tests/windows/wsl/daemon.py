"""The daemon on Windows' Python, with a distribution behind the stand-in for wsl.exe that IDLEBRUSH_WSL names."""

import json
import os
import sys

from client.daemon import DaemonEnvironment, main
from client.environment.interpreter import TrainerPython
from client.environment.places import EnvironmentPlaces
from client.hosts.wsl.child import WslAccess
from client.hosts.wsl.command import WslCommand
from client.hosts.wsl.host import WslHost
from client.hosts.wsl.link import Lease
from client.hosts.wsl.paths import WslPaths
from client.paths import Paths
from client.service.trainer.launching import ChildModules

VARIABLE = "IDLEBRUSH_WSL"


def surroundings() -> DaemonEnvironment:
    """Return the surroundings of a daemon whose trainers live in the distribution."""
    settings = json.loads(os.environ[VARIABLE])
    command = WslCommand(program=(settings["program"],), agent=tuple(settings["agent"]))
    access = WslAccess(command, Lease(seconds=20.0, renewal=4.0))
    host = WslHost(access, paths=WslPaths(settings["mount"]), grace=600.0)
    paths = Paths.of_user()
    return DaemonEnvironment(
        paths,
        modules=ChildModules(host="127.0.0.1", trainer_host=host, is_idle=False),
        # Trainers run by the agent's Python, which has their packages; Windows' Python lacks them.
        python=TrainerPython(EnvironmentPlaces(paths.environment), is_own=True),
    )


if __name__ == "__main__":
    sys.exit(main(surroundings()))
