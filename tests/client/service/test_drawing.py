"""The trainer draws pictures while it trains; otherwise a process draws with the resources that are left."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from client.admission.coordination import Coordination
from client.api.errors import ClientError, JoinError
from client.api.messages import StartGenerator, Traffic
from client.contribution.stats import Contribution
from client.joining.embedded import ShippedModel
from client.joining.run_card import RunCard
from client.machine.readings import GpuReading
from client.policy.policy import Effect, PauseReason, Reason
from client.preferences.preferences import Preferences
from client.service.drawing import RunDrawingProcesses
from client.service.trainer.run import ActiveRun
from client.service.trainer.running_trainer import RunningTrainer
from client.service.trainer.state import State
from client.service.trainer.training import Training
from core.messages.events import PictureOrder, Progress
from core.messages.pictures import GenerationRequest
from tests.client.service.contexts import context_in, decided

GIB = 1 << 30
ORDER = PictureOrder(id="one", request=GenerationRequest(prompt="red heart"), folder=Path("gallery/one"))
NOW = datetime(2026, 3, 14, 12, 30, tzinfo=UTC)
CARD = RunCard(name="tiny", title="A tiny run", digest="d" * 64, fingerprint="f", total_epochs=10)
METERED = Reason(PauseReason.METERED, "the network connection is metered", Effect.PAUSE)
GPU = GpuReading(3, "a GPU", 0.0, 0, 8 * GIB, 16 * GIB, None, None)


@dataclass
class DrawingScene:
    """A daemon whose run's trainer holds some memory."""

    folder: Path
    preferences: Preferences = field(default_factory=Preferences)
    holds: tuple[int, int] | None = None
    """Bytes of RAM and on the GPU; None: there is no trainer."""
    gpus: tuple[GpuReading, ...] = ()
    state: State = State.FROZEN
    reasons: tuple[Reason, ...] = ()
    caps: tuple[int | None, int | None] = (None, None)
    trainer: RunningTrainer | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self.holds is not None:
            planned = SimpleNamespace(ram_bytes=self.holds[0], gpu_bytes=self.holds[1])
            self.trainer = cast(RunningTrainer, SimpleNamespace(planned=planned))
        training = cast(Training, SimpleNamespace(trainer=self.trainer, state=self.state))
        self.context = decided(
            context_in(self.folder, now=lambda: NOW), self.preferences, self.reasons, self.gpus, self.caps
        )
        self.context.run = ActiveRun(self.folder, CARD, training, cast(Coordination, SimpleNamespace()))

    @property
    def contribution(self) -> Contribution:
        return self.context.accounting.contribution

    def start(self) -> StartGenerator:
        """Add a model, and return the start message for a separate generator process."""
        (self.folder / "peer" / "checkpoint").mkdir(parents=True)
        start = RunDrawingProcesses(self.context).program(ORDER).start
        assert isinstance(start, StartGenerator)
        return start


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
    assert DrawingScene(tmp_path, Preferences(ram_limit=limit), holds).start().ram == left


@pytest.mark.parametrize(
    ("limit", "held", "left"), [(None, GIB, 7 * GIB), (5 * GIB, 0, 5 * GIB), (5 * GIB, 2 * GIB, 3 * GIB)]
)
def test_nor_is_what_it_holds_of_the_gpu(tmp_path: Path, limit: int | None, held: int, left: int) -> None:
    headroom = Preferences().gpu_headroom
    start = DrawingScene(tmp_path, Preferences(vram_limit=limit), (0, held), gpus=(GPU,)).start()
    assert start.gpus == (3,)
    assert start.gpu_memory == min(left, GPU.memory_free - headroom)


@pytest.mark.parametrize(
    ("state", "caps", "expected"),
    [
        (State.IDLE, (None, 5001), (None, 5001)),
        (State.FROZEN, (3000, 5001), (3000, 5001)),
        (State.TRAINING, (3000, 5001), (1500, 2500)),
        (State.STARTING, (None, 1), (None, 1)),
        (State.LEAVING, (3000, None), (1500, None)),
    ],
)
def test_a_process_of_its_own_has_half_of_the_line_beside_a_trainer_that_uses_it(
    tmp_path: Path, state: State, caps: tuple[int | None, int | None], expected: tuple[int | None, int | None]
) -> None:
    budget = DrawingScene(tmp_path, caps=caps, state=state).start().budget
    assert (budget.upload, budget.download) == expected


@pytest.mark.parametrize(
    ("quota", "counted", "reasons", "left"),
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
    tmp_path: Path, quota: int | None, counted: int, reasons: tuple[Reason, ...], left: int | None
) -> None:
    scene = DrawingScene(tmp_path, Preferences(monthly_quota=quota), reasons=reasons)
    scene.contribution.heard(CARD.trained, "earlier", Traffic(bytes_received=counted), NOW)
    assert scene.start().may_fetch == left


def test_what_it_downloads_is_counted_for_the_run_even_once_that_is_left(tmp_path: Path) -> None:
    scene = DrawingScene(tmp_path)
    processes = RunDrawingProcesses(scene.context)
    (tmp_path / "peer" / "checkpoint").mkdir(parents=True)
    processes.program(ORDER)
    processes.count_traffic("one", Traffic(bytes_received=100))
    scene.context.run = None
    processes.count_traffic("one", Traffic(bytes_received=250))
    assert scene.contribution.summary(CARD.trained, NOW).bytes_received == 250
    assert scene.contribution.month_bytes(NOW) == 250


@pytest.mark.parametrize("state", [State.FROZEN, State.TRAINING, State.LEAVING])
def test_the_trainer_draws_while_it_trains_alone(tmp_path: Path, state: State) -> None:
    scene = DrawingScene(tmp_path, holds=(0, 0), state=state)
    assert RunDrawingProcesses(scene.context).trainer() is (
        scene.trainer if state is State.TRAINING else None
    )


SHIPPED = ShippedModel(Path("assets/checkpoint"), CARD.digest, epoch=200)


def shipping(model: ShippedModel) -> Callable[[Path | None], ShippedModel | None]:
    """Return what finds that model shipped with the program, and none beside the run of the local swarm."""
    return lambda run: model if run is None else None


@pytest.mark.parametrize(
    ("digest", "epoch", "draws"), [("d" * 64, 199, True), ("d" * 64, 200, False), ("e" * 64, 3, False)]
)
def test_the_shipped_model_draws_until_the_own_one_has_learned_as_much(
    tmp_path: Path, digest: str, epoch: int, draws: bool
) -> None:
    scene = DrawingScene(tmp_path)
    assert scene.context.run is not None
    scene.context.run.progress = cast(Progress, SimpleNamespace(epoch=epoch))
    processes = RunDrawingProcesses(scene.context, shipping(replace(SHIPPED, digest=digest)))
    (tmp_path / "peer" / "checkpoint").mkdir(parents=True)
    start = processes.program(ORDER).start
    assert isinstance(start, StartGenerator)
    assert start.checkpoint == (SHIPPED.checkpoint if draws else tmp_path / "peer" / "checkpoint")
    assert start.is_shipped is draws


def test_the_shipped_model_draws_before_anything_was_trained(tmp_path: Path) -> None:
    start = RunDrawingProcesses(DrawingScene(tmp_path).context, shipping(SHIPPED)).program(ORDER).start
    assert isinstance(start, StartGenerator)
    assert start.checkpoint == SHIPPED.checkpoint


def test_while_a_run_makes_no_pictures_the_shipped_model_draws(tmp_path: Path) -> None:
    scene = DrawingScene(tmp_path, holds=(0, 0), state=State.TRAINING)
    assert scene.context.run is not None
    scene.context.run.card = CARD.model_copy(update={"makes_pictures": False})
    (tmp_path / "peer" / "checkpoint").mkdir(parents=True)
    processes = RunDrawingProcesses(scene.context, shipping(SHIPPED))
    assert processes.trainer() is None
    start = processes.program(ORDER).start
    assert isinstance(start, StartGenerator)
    assert (start.manifest, start.checkpoint) == (Path("assets/run.toml"), SHIPPED.checkpoint)
    assert (start.is_shipped, start.threads) == (True, 1)
    with pytest.raises(ClientError, match="makes no pictures"):
        RunDrawingProcesses(scene.context).program(ORDER)


@pytest.mark.parametrize("holds", [None, (3 * GIB, 0)])
def test_a_trainer_holds_memory_though_it_rests(tmp_path: Path, holds: tuple[int, int] | None) -> None:
    scene = DrawingScene(tmp_path, holds=holds)
    processes = RunDrawingProcesses(scene.context)
    assert processes.holds_memory() is (holds is not None)
    scene.context.run = None
    assert not processes.holds_memory()


def test_without_a_run_or_a_model_it_says_so(tmp_path: Path) -> None:
    scene = DrawingScene(tmp_path)
    processes = RunDrawingProcesses(scene.context)
    with pytest.raises(ClientError, match="has not saved a trained model"):
        processes.program(ORDER)
    scene.context.run = None
    assert processes.trainer() is None
    with pytest.raises(JoinError, match="No run was joined"):
        processes.program(ORDER)
