"""Who draws pictures: the trainer while it trains, else a process that keeps to what a paused trainer leaves."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from client.admission.coordination import Coordination
from client.api.errors import ClientError, JoinError
from client.api.messages import DrawPictures, StartGenerator, Traffic
from client.contribution.stats import Contribution
from client.contribution.tally import Calendar
from client.joining.run_card import RunCard
from client.machine.readings import GpuReading
from client.paths import Paths
from client.policy.policy import Budget, Effect, PauseReason, Reason
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
NOW = datetime(2026, 3, 14, 12, 30, tzinfo=UTC)
CARD = RunCard(name="tiny", title="A tiny run", digest="d" * 64, fingerprint="f", total_epochs=10)
METERED = Reason(PauseReason.METERED, "the network connection is metered", Effect.PAUSE)
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
    caps: tuple[int | None, int | None] = (None, None)
    quota: int | None = None
    reasons: tuple[Reason, ...] = ()
    life: Life | None = field(init=False, default=None)
    session: SimpleNamespace = field(init=False)

    def __post_init__(self) -> None:
        if self.holds is not None:
            planned = SimpleNamespace(ram_bytes=self.holds[0], gpu_bytes=self.holds[1])
            self.life = cast(Life, SimpleNamespace(planned=planned))
        training = cast(Training, SimpleNamespace(life=self.life, state=self.state))
        self.run: Run | None = Run(self.folder, CARD, training, cast(Coordination, SimpleNamespace()))
        self.contribution = Contribution(
            self.folder / "stats.sqlite", lambda problem: pytest.fail(str(problem)), Calendar(UTC)
        )

    def painters(self) -> SessionPainters:
        budget = Budget(2, 0.0, *self.caps, self.ram_limit, self.vram_limit)
        self.session = SimpleNamespace(
            run=self.run,
            training_gpus=self.gpus,
            decision=SimpleNamespace(budget=budget, reasons=self.reasons),
            preferences=Preferences(
                ram_limit=self.ram_limit, vram_limit=self.vram_limit, monthly_quota=self.quota
            ),
            books=SimpleNamespace(memory_held=0, contribution=self.contribution),
            now=lambda: NOW,
            paths=Paths.of_user({"IDLEBRUSH_HOME": str(self.folder)}),
            modules=Modules(),
        )
        return SessionPainters(cast(Session, self.session))

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


@pytest.mark.parametrize(
    ("state", "caps", "told"),
    [
        (State.IDLE, (None, 5001), (None, 5001)),
        (State.FROZEN, (3000, 5001), (3000, 5001)),
        (State.TRAINING, (3000, 5001), (1500, 2500)),
        (State.STARTING, (None, 1), (None, 1)),
        (State.LEAVING, (3000, None), (1500, None)),
    ],
)
def test_a_process_of_its_own_has_half_of_the_line_beside_a_trainer_that_uses_it(
    tmp_path: Path, state: State, caps: tuple[int | None, int | None], told: tuple[int | None, int | None]
) -> None:
    budget = Somebody(tmp_path, caps=caps, state=state).start().budget
    assert (budget.upload, budget.download) == told


@pytest.mark.parametrize(
    ("quota", "booked", "reasons", "left"),
    [
        (None, GIB, (), None),
        (2 * GIB, 0, (), 2 * GIB),
        (2 * GIB, GIB, (), GIB),
        (2 * GIB, 3 * GIB, (), 0),
        (None, 0, (METERED,), 0),
        (2 * GIB, 0, (METERED,), 0),
    ],
)
def test_it_downloads_no_more_than_the_month_and_the_connection_allow(
    tmp_path: Path, quota: int | None, booked: int, reasons: tuple[Reason, ...], left: int | None
) -> None:
    somebody = Somebody(tmp_path, quota=quota, reasons=reasons)
    somebody.contribution.heard(CARD.trained, "earlier", Traffic(bytes_received=booked), NOW)
    assert somebody.start().may_fetch == left


def test_what_it_downloads_is_booked_for_the_run_even_once_that_is_left(tmp_path: Path) -> None:
    somebody = Somebody(tmp_path)
    painters = somebody.painters()
    (tmp_path / "peer" / "checkpoint").mkdir(parents=True)
    painters.program(ORDER)
    painters.book("one", Traffic(bytes_received=100))
    somebody.session.run = None
    painters.book("one", Traffic(bytes_received=250))
    assert somebody.contribution.summary(CARD.trained, NOW).bytes_received == 250
    assert somebody.contribution.month_bytes(NOW) == 250


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
