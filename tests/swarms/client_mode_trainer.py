"""A trainer's process whose peer accepts no connections, as at homes that nobody can reach: ``python -m`` runs it."""

from collections.abc import Callable

from client.api.messages import Start
from client.trainer import Commands, main
from core.children import child
from core.messages.events import Event


def train(start: Start, report: Callable[[Event], None], commands: Commands) -> None:
    """Train as the real trainer does, in client mode."""
    with child.importing():
        from core.memory.search import PlanChoices
        from core.swarm.dht import Network
        from core.trainer.placement import Resources
        from core.trainer.settings import TrainerSettings
        from core.trainer.train import run

    settings = TrainerSettings(
        manifest=start.manifest,
        state_dir=start.state_dir,
        network=Network(initial_peers=start.initial_peers, client_mode=True, check_identity=False),
        seed=start.seed,
        resources=Resources(choices=PlanChoices(micro_batches=(4,))),
    )
    run(settings, report, commands)


if __name__ == "__main__":
    main(train)
