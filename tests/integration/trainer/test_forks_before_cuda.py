"""A trainer forks its processes before anything in it asks for a GPU: CUDA does not work in a fork."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.swarms.tiny_run import write_tiny_run

SCRIPT = """
import json, os, sys, threading
from pathlib import Path
from client.trainer import Commands
from core.memory.search import PlanChoices
from core.trainer.placement import Resources
from core.trainer.train import run
from core.trainer.settings import TrainerSettings

seen = []

def watch(frame, kind, _):
    if kind == "call" and frame.f_code.co_filename.endswith("torch/cuda/__init__.py"):
        seen.append(frame.f_code.co_name)

def watched(stop_at_epoch):
    sys.addaudithook(lambda event, _: seen.append("fork") if event == "os.fork" else None)
    threading.setprofile(watch)
    sys.setprofile(watch)
    settings = TrainerSettings(
        manifest=Path(sys.argv[1]),
        state_dir=Path(sys.argv[2]),
        resources=Resources(choices=PlanChoices(micro_batches=(4,))),
        stop_at_epoch=stop_at_epoch,
        checkpoint_every=1,
        deterministic=True,
    )
    run(settings, lambda event: None, Commands())
    sys.setprofile(None)
    print(json.dumps(seen))
    sys.stdout.flush()
    os._exit(0)

for stop_at_epoch in map(int, sys.argv[3:]):
    if not (child := os.fork()):  # of a process that has imported all, and has not begun anything
        watched(stop_at_epoch)
    assert os.waitpid(child, 0)[1] == 0
"""
HARMLESS = {"is_initialized", "_is_compiled"}
"""Names of torch.cuda's functions that look at this process alone."""


def calls(manifest: Path, state: Path, *stops: int) -> list[list[str]]:
    """Forks, and what was called of torch.cuda, in their order, by trainers one after the other."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, manifest, state, *map(str, stops)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    assert len(found) == len(stops)
    return found


def test_a_trainer_asks_for_no_gpu_before_its_last_fork(tmp_path: Path) -> None:
    manifest = write_tiny_run(tmp_path / "run")
    # the second one goes on from a checkpoint, with its random state
    for seen in calls(manifest, tmp_path / "peer", 2, 4):
        last_fork = len(seen) - seen[::-1].index("fork")
        assert set(seen[:last_fork]) - {"fork"} <= HARMLESS, seen[:last_fork]
