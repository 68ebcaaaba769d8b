"""The time-lapse: one peer draws each frame, another where that one does not, and training never waits for it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import pytest
import torch
from torch import Tensor

from core.errors import CodecError
from core.families.text_to_image.specimens import PictureSpecimens
from core.generation.cache_layout import bytes_of_text, bytes_per_image
from core.generation.drawing import PromptDrawing, prompts_that_fit
from core.generation.frame_texts import TEXT_LETTERS, texts_in
from core.generation.frames import FrameFolder
from core.generation.requested_pictures import MOMENT_SECONDS
from core.generation.timelapse import (
    MOST_PROMPTS,
    TURN_SECONDS,
    Frames,
    FrameSharing,
    Scene,
    TimelapseDrawer,
    turn_of,
)
from core.messages.events import Event, Notice, SamplesDrawn
from core.messages.lines import encode
from core.messages.sampling import Sampling
from core.model.techniques import Precision
from core.model.transformer import Transformer
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.swarm.state.replica import Place
from core.text import CaptionTokenizer
from tests.swarms.drawable_run import PROMPTS, ROOM, untrained, write_drawable_run
from tests.swarms.tiny_run import MODEL
from tests.waiting import wait_until

PEERS = [bytes([number]) * 34 for number in range(5)]


def place(epoch: int) -> Place:
    return Place(epoch, sha256(bytes([epoch % 256])).digest(), "ab" * 32, ())


class TestTurns:
    def test_all_peers_agree_whose_turn_it_is(self) -> None:
        for epoch in range(50):
            turns = [turn_of(peer, PEERS, place(epoch).head) for peer in PEERS]
            assert sorted(turns) == [0, 1, 2, 3, 4]

    def test_every_peer_draws_about_as_often(self) -> None:
        drawn = Counter(
            peer for epoch in range(250) for peer in PEERS if turn_of(peer, PEERS, place(epoch).head) == 0
        )
        assert set(drawn) == set(PEERS)
        assert max(drawn.values()) < 2 * min(drawn.values())

    def test_who_leaves_changes_nothing_among_the_others(self) -> None:
        for epoch in range(20):
            order = sorted(PEERS, key=lambda peer: turn_of(peer, PEERS, place(epoch).head))
            left = order[1:]
            assert [turn_of(peer, left, place(epoch).head) for peer in left] == [0, 1, 2, 3]

    def test_those_whom_nobody_can_ask_come_last(self) -> None:
        behind = PEERS[1:3]
        for epoch in range(20):
            turns = {peer: turn_of(peer, PEERS, place(epoch).head, unreachable=behind) for peer in PEERS}
            assert {turns[peer] for peer in behind} == {3, 4}
            assert sorted(turns.values()) == [0, 1, 2, 3, 4]


@dataclass
class StandInBoard:
    """Announcements of frames to the swarm, and its answers."""

    announced: list[tuple[int, str, str, int]] = field(default_factory=list)
    newest: int | None = 0
    asked: int = 0

    def announce(self, epoch: int, parameters: str, frame: str, size: int) -> None:
        self.announced.append((epoch, parameters, frame, size))

    def newest_epoch(self, own: int) -> int | None:
        self.asked += 1
        return self.newest

    def renew(self) -> None:
        pass


@dataclass
class TimelapseStage:
    """A time-lapse of a tiny run, and the clock that it lives by."""

    run: Path
    folder: Path
    turn: int | None
    """The turn of this peer at the first frame; None means that it draws all frames."""
    free: int = ROOM
    now: float = 0.0
    tick: float = 0.0
    """Seconds that each look at the clock takes."""
    reported: list[Event] = field(default_factory=list)
    board: StandInBoard = field(default_factory=StandInBoard)
    model: Transformer = field(default_factory=untrained)
    frames: Frames | None = None
    maker: type[PictureSpecimens] = PictureSpecimens

    def __post_init__(self) -> None:
        manifest = RunManifest.load(self.run)
        base, training = self.run.parent, picture_rules(manifest.training)
        tokenizer = CaptionTokenizer.of_run(training.text, base)
        shared = None
        if self.turn is not None:
            order = sorted(PEERS, key=lambda peer: turn_of(peer, PEERS, place(10).head))
            shared = FrameSharing(order[self.turn], self.board)
        self.lapse = TimelapseDrawer(
            Scene(self.maker(PROMPTS, tokenizer, training.codec, base), 10),
            self.frames or FrameFolder(self.folder, PROMPTS),
            self.report,
            shared,
            clock=self.clock,
        )

    def report(self, event: Event) -> None:
        encode(event)
        self.reported.append(event)

    def clock(self) -> float:
        self.now += self.tick
        return self.now

    def turn_over(self, at: Place, turns: int) -> None:
        """Take ``turns`` turns of a training loop."""
        for _ in range(turns):
            self.lapse.draw_on(self.model, at, self.free)

    def draw(self, at: Place) -> None:
        """Turns of a training loop, until there is something to report."""

        def is_reported() -> bool:
            self.lapse.draw_on(self.model, at, self.free)
            return bool(self.reported)

        wait_until(is_reported, "nothing is reported")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_drawable_run(tmp_path_factory.mktemp("run"))


def test_whose_turn_it_is_draws_at_once_and_tells_of_it(run: Path, tmp_path: Path) -> None:
    stage = TimelapseStage(run, tmp_path, turn=0)
    stage.lapse.pass_epoch(place(10), PEERS)
    assert stage.lapse.unfinished
    stage.draw(place(10))
    path = tmp_path / "epoch-0000010.webp"
    assert stage.reported == [SamplesDrawn(epoch=10, path=path)]
    frame = path.read_bytes()
    assert stage.board.announced == [(10, "ab" * 32, sha256(frame).hexdigest(), len(frame))]
    assert stage.board.asked == 0
    assert not stage.lapse.unfinished


def test_epochs_between_have_no_frame_but_the_last_has(run: Path, tmp_path: Path) -> None:
    stage = TimelapseStage(run, tmp_path, turn=None)
    for epoch in (9, 11, 19):
        stage.lapse.pass_epoch(place(epoch), ())
        assert not stage.lapse.unfinished
    stage.lapse.pass_epoch(place(23), (), is_last=True)
    stage.draw(place(23))
    assert stage.reported == [SamplesDrawn(epoch=23, path=tmp_path / "epoch-0000023.webp")]
    assert not stage.board.announced, "nobody takes turns with it"


def test_the_next_in_order_waits_and_draws_only_if_nobody_has(run: Path, tmp_path: Path) -> None:
    stage = TimelapseStage(run, tmp_path, turn=2)
    stage.lapse.pass_epoch(place(10), PEERS)
    assert not stage.lapse.unfinished
    stage.now = 2 * TURN_SECONDS - 1
    stage.turn_over(place(12), 10)
    assert stage.board.asked == 0
    stage.now, stage.board.newest = 2 * TURN_SECONDS, None
    stage.turn_over(place(12), 10)
    assert stage.board.asked == 10, "the swarm has not answered"
    stage.board.newest = 0
    stage.draw(place(12))
    assert stage.reported == [SamplesDrawn(epoch=12, path=tmp_path / "epoch-0000012.webp")], (
        "of what the model is by then"
    )


@pytest.mark.parametrize("newest", [10, 11])
def test_a_frame_that_another_peer_has_drawn_is_not_drawn_again(
    run: Path, tmp_path: Path, newest: int
) -> None:
    stage = TimelapseStage(run, tmp_path, turn=1)
    stage.lapse.pass_epoch(place(10), PEERS)
    stage.now, stage.board.newest = TURN_SECONDS, newest
    stage.turn_over(place(12), 100)
    assert (stage.board.asked, stage.reported) == (1, [])
    assert not list(tmp_path.iterdir())


def test_the_frame_is_of_the_model_as_it_was(run: Path, tmp_path: Path) -> None:
    saved = []
    for deed in ("still", "learns on"):
        stage = TimelapseStage(run, tmp_path / deed, turn=None)
        stage.lapse.pass_epoch(place(10), ())
        stage.turn_over(place(10), 1)
        if deed == "learns on":
            for parameter in stage.model.parameters():
                parameter.data.normal_()
        stage.draw(place(11))
        saved.append((tmp_path / deed / "epoch-0000010.webp").read_bytes())
    assert saved[0] == saved[1]


def test_a_moment_passes_at_most_between_two_micro_steps(run: Path, tmp_path: Path) -> None:
    stage = TimelapseStage(run, tmp_path, turn=None, tick=MOMENT_SECONDS / 1.5)
    stage.lapse.pass_epoch(place(10), ())
    computed = 0
    while stage.lapse.draw_on(stage.model, place(10), stage.free):
        computed += 1
    assert computed > 16, "one code of each picture, or a part of the text, at a time"


class NoSpace:
    def save(self, images: Tensor, epoch: int, texts: Sequence[str] = ()) -> Path:
        raise OSError(28, "No space left on device")


class NoCodec:
    def save(self, images: Tensor, epoch: int, texts: Sequence[str] = ()) -> Path:
        raise CodecError("The codec broke.", "Mend it.")


class NoMemory:
    def save(self, images: Tensor, epoch: int, texts: Sequence[str] = ()) -> Path:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory")


@pytest.mark.parametrize(
    ("frames", "why"),
    [(NoSpace(), "No space left"), (NoCodec(), "The codec broke."), (NoMemory(), "too little memory")],
)
def test_a_frame_that_cannot_be_saved_is_reported_and_training_goes_on(
    run: Path, tmp_path: Path, frames: Frames, why: str
) -> None:
    stage = TimelapseStage(run, tmp_path, turn=0, frames=frames)
    stage.lapse.pass_epoch(place(10), PEERS)
    stage.draw(place(10))
    (notice,) = stage.reported
    assert isinstance(notice, Notice)
    assert why in notice.text
    assert (stage.board.announced, stage.lapse.unfinished) == ([], False)


class WordySpecimens(PictureSpecimens):
    def texts(self, codes: Tensor) -> Sequence[str]:
        return ["\x01" * 100_000] * MOST_PROMPTS


def test_long_texts_are_cut_to_what_a_message_carries(run: Path, tmp_path: Path) -> None:
    stage = TimelapseStage(run, tmp_path, turn=0, maker=WordySpecimens)
    stage.lapse.pass_epoch(place(10), PEERS)
    stage.draw(place(10))
    (drawn,) = stage.reported
    assert isinstance(drawn, SamplesDrawn)
    assert [len(text) for text in drawn.texts] == [TEXT_LETTERS] * MOST_PROMPTS
    assert texts_in(drawn.path.read_bytes(), MOST_PROMPTS) == drawn.texts, "the frame's file has them as well"


class DeepFolder:
    def save(self, images: Tensor, epoch: int, texts: Sequence[str] = ()) -> Path:
        return Path("deep/" * 20_000)


def test_a_message_that_cannot_be_sent_costs_the_frame_and_not_the_training(
    run: Path, tmp_path: Path
) -> None:
    stage = TimelapseStage(run, tmp_path, turn=None, frames=DeepFolder())
    stage.lapse.pass_epoch(place(10), ())
    stage.draw(place(10))
    (notice,) = stage.reported
    assert isinstance(notice, Notice)
    assert "too long" in notice.text


def test_drawing_leaves_the_global_generator_alone(run: Path, tmp_path: Path) -> None:
    stage = TimelapseStage(run, tmp_path, turn=0)
    before = torch.get_rng_state()
    stage.lapse.pass_epoch(place(10), PEERS)
    stage.draw(place(10))
    assert torch.equal(before, torch.get_rng_state())


def test_where_memory_is_short_the_others_draw_and_it_says_so_once(run: Path, tmp_path: Path) -> None:
    stage = TimelapseStage(run, tmp_path, turn=0, free=1 << 20)
    for epoch in (10, 20):
        stage.lapse.pass_epoch(place(epoch), ())
        stage.turn_over(place(epoch), 10)
        assert not stage.lapse.unfinished
    (notice,) = stage.reported
    assert isinstance(notice, Notice)
    assert "of memory" in notice.text
    assert stage.board.announced == []


def test_whatever_goes_wrong_costs_the_frame_and_not_the_training(run: Path, tmp_path: Path) -> None:
    class UncopiableModel(Transformer):
        def __deepcopy__(self, memo: object) -> Transformer:
            raise ZeroDivisionError

    stage = TimelapseStage(run, tmp_path, turn=0, model=UncopiableModel(MODEL))
    stage.lapse.pass_epoch(place(10), ())
    stage.turn_over(place(10), 10)
    (notice,) = stage.reported
    assert isinstance(notice, Notice)
    assert (
        "not foreseen (ZeroDivisionError). The time-lapse lacks pictures; training continues." in notice.text
    )
    assert not stage.lapse.unfinished


def test_a_frame_that_is_put_off_is_drawn_again_by_the_model_of_then(run: Path, tmp_path: Path) -> None:
    stage = TimelapseStage(run, tmp_path, turn=None, tick=MOMENT_SECONDS / 1.5)
    assert stage.lapse.put_off(), "there is nothing to put off"
    stage.lapse.pass_epoch(place(10), ())
    stage.turn_over(place(10), 5)
    assert stage.lapse.put_off()
    assert stage.lapse.unfinished
    stage.tick = 0.0
    stage.turn_over(place(11), 2)  # begun, and drawn as the clock stands still
    assert not stage.lapse.put_off(), "it is written already"
    stage.draw(place(12))
    assert stage.reported == [SamplesDrawn(epoch=11, path=tmp_path / "epoch-0000011.webp")]


def test_a_frame_does_not_depend_on_how_many_pictures_fit_at_once(run: Path) -> None:
    base, training = run.parent, picture_rules(RunManifest.load(run).training)
    text = CaptionTokenizer.of_run(training.text, base).encode(PROMPTS)
    drawn = []
    for at_once in (1, 2, 3):
        drawing = PromptDrawing(untrained(), text, text[:1], Sampling(top_k=32, seed=1), at_once)
        while not drawing.done:
            drawing.step()
        drawn.append(drawing.codes())
    assert drawn[0].shape == (3, MODEL.grid, MODEL.grid)
    assert all(torch.equal(codes, drawn[0]) for codes in drawn)


def test_so_many_prompts_are_drawn_at_once_as_fit() -> None:
    image, full = bytes_per_image(MODEL), Precision.FLOAT32
    for count in range(1, 9):
        needed = bytes_of_text(MODEL, count) + count * image
        assert prompts_that_fit(MODEL, needed, 8, full) == count
        assert prompts_that_fit(MODEL, needed - 1, 8, full) == max(1, count - 1)
    assert prompts_that_fit(MODEL, 1 << 40, 8, full) == 8
