"""Ships the model of a demo with the starter run: parameters in 16 bits, without the optimizer.

idlebrush demo --headless --out build/demo
python -m assets.embedded.recipe.ship_checkpoint --demo build/demo
"""

import argparse
from pathlib import Path

import torch

from client.demo.folder import DemoFolder
from core.run.manifest import RunManifest
from core.storage import checkpoint
from core.storage.checkpoint import TrainingState

EMBEDDED = Path(__file__).parents[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--demo", type=Path, required=True, help="folder of the demo")
    parser.add_argument("--embedded", type=Path, default=EMBEDDED, help="where the embedded run lies")
    arguments = parser.parse_args()
    ship(DemoFolder(arguments.demo), arguments.embedded)


def ship(demo: DemoFolder, embedded: Path) -> None:
    """Write the parameters of a ``demo`` to ``embedded``, whose starter run it must have trained.

    A demo signs the run with a key of its own, so that its digest is another; the rules must be the same.
    """
    trained, shipped = RunManifest.load(demo.manifest), RunManifest.load(embedded / "run.toml")
    state = checkpoint.load(demo.peer(0) / "checkpoint")
    if trained.training != shipped.training or state.training_digest != trained.training_digest:
        raise SystemExit(f"{demo.root} trained another run than {embedded / 'run.toml'}.")
    parameters = {name: tensor.to(torch.float16) for name, tensor in state.parameters.items()}
    saved = TrainingState(state.run, shipped.training_digest, state.epoch, parameters, {})
    checkpoint.save(embedded / "checkpoint", saved)


if __name__ == "__main__":
    main()
