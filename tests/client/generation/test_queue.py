"""Requests for pictures, one after the other: by the trainer while it trains, else by processes of their own."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import psutil
import pytest

from client.api.errors import ClientError
from client.api.gallery import GalleryIndex
from client.api.messages import StartGenerator, Traffic
from client.api.snapshot import DrawingStage
from client.generation.gallery import PictureGallery
from client.generation.queue import MOST_WAITING, PictureQueue
from client.service.trainer.running_trainer import RunningTrainer
from core.children.program import Program
from core.generation.records import FILE, Albums
from core.messages.events import PictureOrder, PicturesFailed, PicturesProgress, PicturesSaved, TrainingBudget
from core.messages.pictures import GenerationRequest
from tests.client.generation.stand_in_generator import RECEIVED, write
from tests.volunteer import ROOT
from tests.waiting import eventually

NOW = datetime(2026, 3, 1, 14, 30, tzinfo=UTC)


@dataclass
class NotingTrainer:
    """A trainer that notes what it is to draw."""

    orders: list[PictureOrder | None] = field(default_factory=list)

    def draw(self, order: PictureOrder | None) -> None:
        self.orders.append(order)


@dataclass
class Studio:
    """A queue and all that it deals with; generators do what prompts say."""

    folder: Path
    trainer_now: NotingTrainer | None = None
    has_model: bool = True
    holds: bool = False
    """True if there is a trainer that holds memory."""
    is_crowded: bool = False
    """True if generators have too little memory."""
    started: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    cap: int | None = None
    counted: list[tuple[str, int]] = field(default_factory=list)
    """Names of processes, and what each said that it had downloaded."""

    def __post_init__(self) -> None:
        self.gallery = PictureGallery(self.folder / "gallery")
        self.queue = PictureQueue(self, self.gallery, self.notices.append, lambda: None, lambda: NOW)

    def trainer(self) -> RunningTrainer | None:
        return cast("RunningTrainer | None", self.trainer_now)

    def program(self, order: PictureOrder) -> Program:
        if not self.has_model:
            raise ClientError("There is no model.", "Train one.")
        self.started.append(order.request.prompt)
        start = StartGenerator(
            manifest=Path("run.toml"),
            checkpoint=Path("peer"),
            order=order,
            threads=1,
            ram=1 if self.is_crowded else None,
            budget=self.budget(),
        )
        module, log = "tests.client.generation.stand_in_generator", self.folder / "log"
        return Program("generator", module, start, log, environment={"PYTHONPATH": str(ROOT)})

    def holds_memory(self) -> bool:
        return self.holds or self.trainer_now is not None

    def budget(self) -> TrainingBudget:
        return TrainingBudget(download=self.cap)

    def count_traffic(self, life: str, traffic: Traffic) -> None:
        self.counted.append((life, traffic.bytes_received))

    def ask(self, prompt: str) -> str:
        return self.queue.ask(GenerationRequest(prompt=prompt))

    @property
    def done(self) -> list[str]:
        return [album.id for album in GalleryIndex.read(self.gallery.folder).albums]

    @property
    def sentences(self) -> list[str]:
        return [view.text for view in self.queue.views(in_use=False)]

    async def until(self, condition: Callable[[], bool], otherwise: str) -> None:
        await eventually(condition, f"{otherwise}: {self.sentences}, {self.notices}", 30)

    async def until_empty(self) -> None:
        await self.until(lambda: not self.queue.views(in_use=False), "it is not done")

    def left(self) -> set[str]:
        """Return the names of the gallery's entries, including hidden ones, except the index."""
        return {path.name for path in self.gallery.folder.glob("*")} - {"index.json"}


@asynccontextmanager
async def studio(folder: Path) -> AsyncIterator[Studio]:
    made = Studio(folder)
    try:
        yield made
    finally:
        await made.queue.close()
    assert made.queue.child is None or not psutil.pid_exists(made.queue.child)


def played(folder: Path, play: Callable[[Studio], Awaitable[None]]) -> None:
    async def in_studio() -> None:
        async with studio(folder) as made:
            await play(made)

    asyncio.run(in_studio())


def test_requests_are_carried_out_in_their_order_and_end_in_the_gallery(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        names = [here.ask(prompt) for prompt in ("one", "two")]
        assert [view.id for view in here.queue.views(in_use=False)] == names
        await here.until_empty()
        assert here.started[-2:] == ["one", "two"]
        assert here.done == names[::-1]
        assert here.left() == set(names)
        assert here.notices == []

    played(tmp_path, play)


def test_it_tells_what_is_done_for_each_request(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        here.ask("hang")
        here.ask("two")
        await here.until(lambda: here.queue.views(in_use=False)[0].progress == 0.5, "no progress")
        assert here.sentences == ["It is drawn at the lowest priority.", "It waits for its turn."]
        assert "while you use the computer" in here.queue.views(in_use=True)[0].text
        assert psutil.pid_exists(here.queue.child or 0)

    played(tmp_path, play)


@pytest.mark.parametrize(
    ("deed", "says"), [("fail", "There is no paint left."), ("die", "ended unexpectedly")]
)
def test_a_generator_that_fails_leaves_nothing_and_holds_up_nobody(
    tmp_path: Path, deed: str, says: str
) -> None:
    async def play(here: Studio) -> None:
        here.ask(deed)
        second = here.ask("two")
        await here.until_empty()
        (notice,) = here.notices
        assert f"“{deed}”" in notice
        assert says in notice
        assert here.left() == {second}

    played(tmp_path, play)


@pytest.mark.parametrize("place", [0, 1], ids=["drawn now", "waiting"])
def test_a_request_that_is_cancelled_is_gone_and_the_other_is_carried_out(tmp_path: Path, place: int) -> None:
    async def play(here: Studio) -> None:
        names = [here.ask(prompt) for prompt in ("hang", "two")]
        await here.until(lambda: ".".join(names[:1]) in "".join(here.left()), "it does not begin")
        here.queue.cancel(names[place])
        if place == 1:
            here.queue.cancel(names[0])
        await here.until_empty()
        assert here.left() == set(names[1:] if place == 0 else [])
        assert here.notices == []

    played(tmp_path, play)


def test_what_is_downloaded_is_counted_for_each_process_by_itself(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        for _ in range(2):
            here.ask("download")
        await here.until_empty()
        lives = [life for life, _ in here.counted[:: len(RECEIVED)]]
        assert len(set(lives)) == 2
        assert here.counted == [(life, received) for life in lives for received in RECEIVED]

    played(tmp_path, play)


def test_a_cap_that_changes_holds_for_what_draws_already(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        here.cap = 2000
        here.ask("wait for another cap")
        await here.until(lambda: here.queue.child is not None, "it does not begin")
        here.queue.apply_budget()
        here.cap = 1000
        here.queue.apply_budget()
        await here.until_empty()
        assert here.notices == []

    played(tmp_path, play)


def test_closing_ends_what_draws_and_leaves_nothing(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        here.ask("hang")
        await here.until(lambda: bool(here.left()), "it does not begin")
        await here.queue.close()
        assert here.left() == set()

    played(tmp_path, play)


def test_the_trainer_draws_while_it_trains(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        here.trainer_now = trainer = NotingTrainer()
        life = cast(RunningTrainer, trainer)
        name = here.ask("one")
        await here.until(lambda: bool(trainer.orders), "the trainer gets no order")
        (order,) = trainer.orders
        assert order is not None
        assert order.id == name
        here.queue.heard(life, PicturesProgress(id=name, progress=0.25))
        (view,) = here.queue.views(in_use=False)
        assert (view.progress, view.text) == (0.25, "It is drawn between steps of training.")
        write(order)
        order.folder.with_name(f".{order.folder.name}").rename(order.folder)
        here.queue.heard(life, PicturesSaved(id=name))
        await here.until_empty()
        assert (here.done, here.started) == ([name], [])

    played(tmp_path, play)


def test_what_the_trainer_cannot_draw_is_reported(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        here.trainer_now = trainer = NotingTrainer()
        name = here.ask("one")
        await here.until(lambda: bool(trainer.orders), "the trainer gets no order")
        failed = PicturesFailed(id=name, code="text", what="It is too long.", remedy="Say less.")
        here.queue.heard(cast(RunningTrainer, trainer), failed)
        await here.until_empty()
        (notice,) = here.notices
        assert "It is too long. Say less." in notice

    played(tmp_path, play)


def test_where_the_trainer_ends_another_process_draws_on(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        here.trainer_now = trainer = NotingTrainer()
        name = here.ask("one")
        await here.until(lambda: bool(trainer.orders), "the trainer gets no order")
        here.trainer_now = None
        here.queue.trainer_is(None)
        await here.until_empty()
        assert (here.done, here.started) == ([name], ["one"])
        here.queue.heard(cast(RunningTrainer, trainer), PicturesSaved(id=name))  # too late to matter

    played(tmp_path, play)


def test_where_the_trainer_stands_still_another_process_draws_whatever_that_one_still_writes(
    tmp_path: Path,
) -> None:
    async def play(here: Studio) -> None:
        here.trainer_now = trainer = NotingTrainer()
        name = here.ask("one")
        await here.until(lambda: bool(trainer.orders), "the trainer gets no order")
        (order,) = trainer.orders
        assert order is not None
        here.trainer_now = None
        here.queue.trainer_is(None)
        await here.until_empty()
        assert trainer.orders == [order, None], "once it goes on, it draws them no more"
        write(order)  # it had just finished, and publishes them in the moment before it reads that
        order.folder.with_name(f".{order.folder.name}").rename(order.folder)
        assert (here.done, here.started, here.notices) == ([name], ["one"], [])
        assert Albums.model_validate_json((here.gallery.place(name) / FILE).read_bytes()).albums
        here.ask("two")
        await here.until_empty()
        assert here.left() == set(here.done)

    played(tmp_path, play)


@pytest.mark.parametrize("goes_on", [True, False], ids=["the trainer goes on", "the trainer leaves"])
def test_what_lacks_the_memory_that_a_trainer_holds_waits_for_it(tmp_path: Path, goes_on: bool) -> None:
    async def play(here: Studio) -> None:
        here.holds = here.is_crowded = True
        name = here.ask("one")
        await here.until(lambda: "too little memory" in here.sentences[0], "it does not wait")
        assert here.queue.views(in_use=True)[0].stage is DrawingStage.PAUSED
        trainer = NotingTrainer()
        here.is_crowded = here.holds = False
        here.trainer_now = trainer if goes_on else None
        here.queue.trainer_is(cast(RunningTrainer, trainer) if goes_on else None)
        if goes_on:
            await here.until(lambda: bool(trainer.orders), "the trainer gets no order")
            here.queue.cancel(name)
        await here.until_empty()
        assert (here.done, here.notices) == ([] if goes_on else [name], [])

    played(tmp_path, play)


def test_what_waits_for_memory_can_be_cancelled(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        here.holds = here.is_crowded = True
        name = here.ask("one")
        await here.until(lambda: "too little memory" in here.sentences[0], "it does not wait")
        here.queue.cancel(name)
        await here.until_empty()
        assert (here.left(), here.notices) == (set(), [])

    played(tmp_path, play)


def test_a_lack_of_memory_that_no_trainer_can_cure_is_reported(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        here.is_crowded = True
        here.ask("one")
        await here.until_empty()
        (notice,) = here.notices
        assert "takes a lot of memory" in notice

    played(tmp_path, play)


def test_a_trainer_learns_that_pictures_are_not_wanted_any_more(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        here.trainer_now = trainer = NotingTrainer()
        name = here.ask("one")
        await here.until(lambda: bool(trainer.orders), "the trainer gets no order")
        here.queue.cancel(name)
        await here.until_empty()
        assert trainer.orders[-1] is None
        assert here.started == []

    played(tmp_path, play)


def test_without_a_model_it_is_refused_at_once(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        here.has_model = False
        with pytest.raises(ClientError, match="There is no model"):
            here.ask("one")
        assert here.sentences == []

    played(tmp_path, play)


def test_what_is_quoted_of_a_prompt_does_not_turn_the_line_around(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        here.trainer_now = trainer = NotingTrainer()
        name = here.ask("red \u202eheart")
        await here.until(lambda: bool(trainer.orders), "the trainer gets no order")
        failed = PicturesFailed(id=name, code="text", what="It is too long.", remedy="Say less.")
        here.queue.heard(cast(RunningTrainer, trainer), failed)
        await here.until_empty()
        assert here.notices == ["The pictures of “red  heart” failed: It is too long. Say less."]

    played(tmp_path, play)


def test_there_is_an_end_to_what_may_wait(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        for _ in range(MOST_WAITING + 1):
            here.ask("hang")
        with pytest.raises(ClientError, match="wait already"):
            here.ask("hang")
        with pytest.raises(ClientError, match="No pictures"):
            here.queue.cancel("none of these")

    played(tmp_path, play)


def test_what_a_killed_daemon_left_is_removed_at_the_next_start(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        here.gallery.place(f".{here.gallery.new_id(NOW)}").mkdir(parents=True)
        await here.queue.open()
        assert (here.left(), here.notices) == (set(), [])

    played(tmp_path, play)


def test_a_gallery_that_cannot_be_used_is_reported(tmp_path: Path) -> None:
    async def play(here: Studio) -> None:
        here.gallery.folder.write_text("a file")
        await here.queue.open()
        here.ask("one")
        await here.until_empty()
        assert "cannot be used" in here.notices[0]
        assert "“one” failed" in here.notices[1]

    played(tmp_path, play)
