"""Makes the coordinator of a demo's run; it is the one place of the client that knows the coordinator."""

from collections.abc import Callable

from client.demo.folder import DemoFolder
from coordinator.home import Home
from coordinator.loopback import adopt, beside_trainers
from coordinator.serving.coordinator import Coordinator
from coordinator.serving.view import ServingView


def coordinate(folder: DemoFolder, show: Callable[[ServingView], None]) -> Coordinator:
    """Return the coordinator of a demo's run; ``show`` receives its state."""
    return beside_trainers(adopted(folder), show)


def adopted(folder: DemoFolder) -> Home:
    """Return the coordinator's home in a demo's folder, made around its run."""
    home = Home(folder.coordinator)
    adopt(home, folder.manifest, folder.key, folder.bootstrap_identity)
    return home
