"""`idlebrush join RUN --unattended`, whose daemon is the one of the tests; what follows the run is not looked at."""

import sys

from rich.console import Console

from client.joining.invitation import read_invitation
from client.paths import Paths
from client.unattended.joining import UnattendedJoin, UnattendedOptions, replace_process

if __name__ == "__main__":
    joining = UnattendedJoin(
        Console(),
        Paths.of_user(),
        UnattendedOptions(limits=("upload=2MB/s",)),
        module="tests.integration.loopback_daemon",
    )
    joining.in_foreground(read_invitation(sys.argv[1]), replace_process)
