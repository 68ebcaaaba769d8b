"""The fixture that makes programs of a stand-in trainer, for tests that supervise processes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from client.api.messages import Start
from core.children.program import Program
from tests.client.stand_ins.trainer import Deed

MakeProgram = Callable[..., Program]


@pytest.fixture
def make_program(tmp_path: Path) -> MakeProgram:
    def make(
        deed: Deed, module: str = "tests.client.stand_ins.trainer", says: str = "", threads: int = 1
    ) -> Program:
        start = Start(
            manifest=tmp_path / "run.toml",
            state_dir=tmp_path,
            initial_peers=(says,),
            listen=("/ip4/127.0.0.1/tcp/0",),
            seed=deed,
            threads=threads,
            micro_batch=1,
            checkpoint_every=1,
        )
        beside = {"PYTHONPATH": str(Path(__file__).parents[2])}
        return Program("trainer", module, start, tmp_path / "trainer.log", environment=beside)

    return make
