"""Who draws pictures: the trainer while it trains, else a process that keeps to what a paused trainer leaves."""

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from client.api.errors import ClientError, JoinError
from client.api.messages import DrawPictures, StartGenerator
from client.joining.run_card import RunCard
from client.machine.readings import GpuReading
from client.paths import Paths
from client.policy.policy import Budget
from client.preferences.preferences import Preferences
from client.service.launching import Modules
from client.service.life import Life
from client.service.painting import SessionPainters
from client.service.run import Run
from client.service.session import Session
from client.service.state import State
from client.service.training import Training
from core.generation.request import GenerationRequest

GIB = 1 << 30
ORDER = DrawPictures(id="one", request=GenerationRequest(prompt="red heart"), folder=Path("gallery/one"))
GPU = GpuReading(3, "a GPU", 0.0, 0, 8 * GIB, 16 * GIB, None, None)


@dataclass
class Somebody:
    """What painters see of a session, whose trainer holds some memory."""

    folder: Path
    ram_limit: int | None = None
    vram_limit: int | None = None
    holds: tuple[int, int] | None = None
    """Bytes of RAM and on the GPU; None: there is no trainer."""
    gpus: tuple[GpuReading, ...] = ()
    state: State = State.FROZEN
    life: Life | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self.holds is not None:
            planned = SimpleNamespace(ram_bytes=self.holds[0], gpu_bytes=self.holds[1])
            self.life = cast(Life, SimpleNamespace(planned=planned))
        training = cast(Training, SimpleNamespace(life=self.life, state=self.state))
        self.run: Run | None = Run(self.folder, cast(RunCard, None), training)

    def painters(self) -> SessionPainters:
        budget = Budget(2, 0.0, None, None, self.ram_limit, self.vram_limit)
        session = SimpleNamespace(
            run=self.run,
            training_gpus=self.gpus,
            decision=SimpleNamespace(budget=budget),
            preferences=Preferences(ram_limit=self.ram_limit, vram_limit=self.vram_limit),
            books=SimpleNamespace(memory_held=0),
            paths=Paths.of_user({"IDLEBRUSH_HOME": str(self.folder)}),
            modules=Modules(),
        )
        return SessionPainters(cast(Session, session))

    def start(self) -> StartGenerator:
        """What a process of its own is told, once there is a model."""
        (self.folder / "peer" / "checkpoint").mkdir(parents=True)
        told = self.painters().program(ORDER).start
        assert isinstance(told, StartGenerator)
        return told


@pytest.mark.parametrize(
    ("limit", "holds", "left"),
    [
        (None, None, None),
        (None, (3 * GIB, 0), None),
        (4 * GIB, None, 4 * GIB),
        (4 * GIB, (3 * GIB, 0), GIB),
        (4 * GIB, (5 * GIB, 0), 1),
    ],
)
def test_what_a_trainer_holds_is_not_taken_again(
    tmp_path: Path, limit: int | None, holds: tuple[int, int] | None, left: int | None
) -> None:
    assert Somebody(tmp_path, ram_limit=limit, holds=holds).start().ram == left


@pytest.mark.parametrize(
    ("limit", "held", "left"), [(None, GIB, 7 * GIB), (5 * GIB, 0, 5 * GIB), (5 * GIB, 2 * GIB, 3 * GIB)]
)
def test_nor_is_what_it_holds_of_the_gpu(tmp_path: Path, limit: int | None, held: int, left: int) -> None:
    somebody = Somebody(tmp_path, vram_limit=limit, holds=(0, held), gpus=(GPU,))
    headroom = Preferences().gpu_headroom
    told = somebody.start()
    assert told.gpus == (3,)
    assert told.gpu_memory == min(left, GPU.memory_free - headroom)


@pytest.mark.parametrize("state", [State.FROZEN, State.TRAINING, State.LEAVING])
def test_the_trainer_draws_while_it_trains_alone(tmp_path: Path, state: State) -> None:
    somebody = Somebody(tmp_path, holds=(0, 0), state=state)
    assert somebody.painters().trainer() is (somebody.life if state is State.TRAINING else None)


def test_without_a_run_or_a_model_it_says_so(tmp_path: Path) -> None:
    somebody = Somebody(tmp_path)
    with pytest.raises(ClientError, match="no trained model yet"):
        somebody.painters().program(ORDER)
    somebody.run = None
    assert somebody.painters().trainer() is None
    with pytest.raises(JoinError, match="No run was joined"):
        somebody.painters().program(ORDER)
