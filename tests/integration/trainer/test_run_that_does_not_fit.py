"""A trainer of a run whose rows do not fit ends for good, with the reason, before it enters the swarm."""

import os
import subprocess
import sys
from pathlib import Path

from client.api.messages import FROM_TRAINER, SampleRequest, Start
from client.service.trainer.restarts import EndCause, fault_of
from core.children.outcome import Ending, Outcome
from core.messages.children import Failed
from core.messages.lines import decode, encode
from core.run.filters import FilterSettings
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.signing import SigningKey
from tests.swarms.tiny_run import write_tiny_run


def test_filters_that_drop_all_rows_end_a_trainer_for_good(tmp_path: Path) -> None:
    manifest = write_tiny_run(tmp_path / "run")
    run = RunManifest.load(manifest)
    data = picture_rules(run.training).data.model_copy(
        update={"filters": FilterSettings(min_caption_length=100_000)}
    )
    training = run.training.model_copy(update={"data": data})
    RunManifest.create(training, run.contact, SigningKey.generate()).save(manifest)
    start = Start(
        manifest=manifest,
        state_dir=tmp_path / "peer",
        initial_peers=(),
        listen=("/ip4/127.0.0.1/tcp/0",),
        seed=1,
        threads=1,
        micro_batch=4,
        checkpoint_every=1,
        samples=SampleRequest(every=10),
    )
    with (
        (tmp_path / "log").open("wb") as log,
        subprocess.Popen(
            [sys.executable, "-m", "client.trainer"],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
        ) as trainer,
    ):
        assert trainer.stdin is not None
        assert trainer.stdout is not None
        trainer.stdin.write(encode(start))
        trainer.stdin.flush()  # and left open: its end would be an order to stop
        last = trainer.stdout.readlines()[-1]
    failed = decode(last, FROM_TRAINER)
    assert isinstance(failed, Failed), (tmp_path / "log").read_text()
    assert failed.what.startswith("This run cannot be trained: its files do not fit its model. The filters")
    outcome = Outcome("trainer", Ending.FAILED, trainer.returncode, tmp_path / "log", failed)
    assert fault_of(outcome) is EndCause.LASTING
