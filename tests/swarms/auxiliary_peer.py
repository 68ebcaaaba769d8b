"""An auxiliary peer in a test's own process, as the bootstrap process has it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.run.manifest import RunManifest
from core.swarm.auxiliary import AuxiliaryPeer
from core.swarm.wire.identity import PeerIdentity
from tests.swarms.trainer_process import TrainerSwarm


@contextmanager
def auxiliary_peer(swarm: TrainerSwarm, manifest: Path, identity: Path) -> Iterator[AuxiliaryPeer]:
    """One on the swarm's own DHT node."""
    helper = AuxiliaryPeer.start(RunManifest.load(manifest), swarm.dht, PeerIdentity.load_or_create(identity))
    ended = threading.Event()

    def live() -> None:
        while not ended.wait(0.05):
            helper.turn()

    thread = threading.Thread(target=live)
    thread.start()
    try:
        yield helper
    finally:
        ended.set()
        thread.join()
        helper.close()
