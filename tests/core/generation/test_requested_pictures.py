"""Pictures that a trainer is asked for: drawn a moment at a time, by the model as it was, and dropped at a word."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest
import torch

from core.generation.album import read_albums
from core.generation.requested_pictures import MOMENT_SECONDS, RequestedPictures
from core.messages.events import Event, PictureOrder, PicturesFailed, PicturesProgress, PicturesSaved
from core.messages.pictures import GenerationRequest
from core.model.transformer import Transformer
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.text import CaptionTokenizer
from tests.swarms.drawable_run import ORIGIN, ROOM, untrained, write_drawable_run
from tests.waiting import wait_until

REQUEST = GenerationRequest(prompt="red heart", count=3, top_k=32, temperature=1.0)


@dataclass
class DrawingTrainer:
    """The part of a training loop that draws, and the clock that it lives by."""

    run: Path
    model: Transformer = field(default_factory=untrained)
    now: float = 0.0
    tick: float = 0.0
    """Seconds that each look at the clock takes."""
    reported: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        manifest, base = RunManifest.load(self.run), self.run.parent
        tokenizer = CaptionTokenizer.of_run(picture_rules(manifest.training).text, base)
        self.pictures = RequestedPictures(manifest, base, tokenizer, self.reported.append, self.clock)

    def clock(self) -> float:
        self.now += self.tick
        return self.now

    def turn(self, order: PictureOrder | None) -> bool:
        """One turn of the loop; whether something was computed."""
        self.pictures.obey(order, self.model, ORIGIN, ROOM)
        return self.pictures.draw_on()

    def until(self, kind: type[Event], order: PictureOrder) -> None:
        def is_reported() -> bool:
            self.turn(order)
            return any(isinstance(event, kind) for event in self.reported)

        wait_until(is_reported, f"no {kind.__name__}")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_drawable_run(tmp_path_factory.mktemp("run"))


def order(folder: Path, name: str = "one", prompt: str = "red heart") -> PictureOrder:
    return PictureOrder(id=name, request=REQUEST.model_copy(update={"prompt": prompt}), folder=folder / name)


def test_an_order_is_carried_out_once_by_the_model_as_it_was(run: Path, tmp_path: Path) -> None:
    trainer = DrawingTrainer(run)
    trainer.turn(order(tmp_path))
    for parameter in trainer.model.parameters():
        parameter.data.normal_()  # it learns on
    trainer.until(PicturesSaved, order(tmp_path))
    assert not any(trainer.turn(order(tmp_path)) for _ in range(10)), "it draws them again"
    still = DrawingTrainer(run)
    still.until(PicturesSaved, order(tmp_path, "two"))
    for name in ("red-heart-seed0-0000.png", "red-heart-seed0-0002.png"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    (album,) = read_albums(tmp_path / "one").albums
    assert (album.run, album.epoch, album.request) == (ORIGIN.run, ORIGIN.epoch, REQUEST)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_a_turn_takes_a_moment_and_progress_is_reported(run: Path, tmp_path: Path) -> None:
    trainer = DrawingTrainer(run, tick=MOMENT_SECONDS / 1.5)
    trainer.until(PicturesSaved, order(tmp_path))
    shares = [event.progress for event in trainer.reported if isinstance(event, PicturesProgress)]
    assert len(shares) > 5, "it drew on for longer"
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_an_order_that_is_withdrawn_leaves_nothing(run: Path, tmp_path: Path) -> None:
    trainer = DrawingTrainer(run, tick=MOMENT_SECONDS / 1.5)
    wait_until(lambda: trainer.turn(order(tmp_path)), "it does not begin")
    assert not any(trainer.turn(None) for _ in range(10))
    assert not list(tmp_path.iterdir())
    trainer.until(PicturesSaved, order(tmp_path, "two"))
    assert [path.name for path in tmp_path.iterdir()] == ["two"]


def test_an_order_that_is_withdrawn_while_it_is_saved_leaves_nothing(run: Path, tmp_path: Path) -> None:
    trainer = DrawingTrainer(run)

    def is_drawn() -> bool:
        trainer.turn(order(tmp_path))
        return any(event.progress == 1 for event in trainer.reported if isinstance(event, PicturesProgress))

    wait_until(is_drawn, "it does not draw")  # and a thread writes the files
    trainer.turn(None)
    trainer.until(PicturesSaved, order(tmp_path, "two"))  # by the same thread
    assert [path.name for path in tmp_path.iterdir()] == ["two"]
    assert [event.id for event in trainer.reported if isinstance(event, PicturesSaved)] == ["two"]


@pytest.mark.parametrize(
    ("prompt", "code", "says"),
    [("violet", "text", "no word"), ("red green blue heart", "text", "too long")],
)
def test_what_cannot_be_drawn_is_reported_and_training_goes_on(
    run: Path, tmp_path: Path, prompt: str, code: str, says: str
) -> None:
    trainer = DrawingTrainer(run)
    assert not trainer.turn(order(tmp_path, prompt=prompt))
    (failed,) = trainer.reported
    assert isinstance(failed, PicturesFailed)
    assert (failed.id, failed.code) == ("one", code)
    assert says in failed.what
    trainer.until(PicturesSaved, order(tmp_path, "two"))


def test_pictures_that_cannot_be_saved_are_reported(run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    trainer = DrawingTrainer(run)
    trainer.until(PicturesFailed, order(tmp_path / "file"))
    failed = trainer.reported[-1]
    assert isinstance(failed, PicturesFailed)
    assert "cannot be saved" in failed.what


def test_without_memory_for_a_copy_of_the_model_it_says_so(run: Path, tmp_path: Path) -> None:
    class Huge(Transformer):
        def __deepcopy__(self, memo: object) -> Transformer:
            raise torch.OutOfMemoryError("CUDA out of memory.")

    huge = Huge(untrained().config)
    trainer = DrawingTrainer(run, model=huge)
    assert not trainer.turn(order(tmp_path))
    (failed,) = trainer.reported
    assert isinstance(failed, PicturesFailed)
    assert "too little memory" in failed.what


def test_whatever_goes_wrong_ends_the_order_and_not_the_training(run: Path, tmp_path: Path) -> None:
    class UncopiableTransformer(Transformer):
        def __deepcopy__(self, memo: object) -> Transformer:
            raise ZeroDivisionError

    trainer = DrawingTrainer(run, model=UncopiableTransformer(untrained().config))
    assert not any(trainer.turn(order(tmp_path)) for _ in range(3))
    (failed,) = trainer.reported
    assert isinstance(failed, PicturesFailed)
    assert "not foreseen (ZeroDivisionError)" in failed.what
