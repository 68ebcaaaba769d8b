"""A trainer draws beside training, and rests as long as it has drawn while training could compute."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hivemind.p2p import PeerID

from core.memory.planning import MemoryPlan
from core.memory.search import PlanChoices
from core.messages.events import Event, PictureOrder, PicturesSaved, SamplesDrawn
from core.messages.pictures import GenerationRequest
from core.run.manifest import RunManifest
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.peer import Peer
from core.swarm.state.replica import Place
from core.trainer.pictures import Samples, TrainerPictures
from core.trainer.placement import Resources, plan_for
from tests.swarms.drawable_run import untrained, write_drawable_run
from tests.waiting import wait_until

PLACE = Place(10, bytes(32), "ab" * 32, ())


@dataclass
class PicturesTrainer:
    """A training loop without training, and the clock that it lives by."""

    run: Path
    samples: Samples | None = None
    times: Iterator[float] = field(default_factory=lambda: repeat(0.0))
    """Times that the clock shows, one for each look."""
    reported: list[Event] = field(default_factory=list)
    offered: list[Path] = field(default_factory=list)
    announced: list[dict[str, Any]] = field(default_factory=list)
    """Announcements of frames to the swarm."""

    def __post_init__(self) -> None:
        manifest, base = RunManifest.load(self.run), self.run.parent
        optimizer = SimpleNamespace(place=PLACE, view=SwarmView(0.0))
        resources = Resources(choices=PlanChoices((4,)))
        self.plan: MemoryPlan = plan_for(manifest.training, resources, base / "failures.json")
        self.beside = TrainerPictures(
            self.samples,
            manifest,
            base,
            untrained(),
            cast(Peer, self._peer(optimizer)),
            self.reported.append,
            lambda: next(self.times),
        )

    def _peer(self, optimizer: SimpleNamespace) -> SimpleNamespace:
        averager = SimpleNamespace(
            client_mode=False, offer_frame=lambda digest, file: self.offered.append(file)
        )
        return SimpleNamespace(
            optimizer=optimizer,
            averager=averager,
            identity=SimpleNamespace(peer_id=PeerID(b"\x12\x20" + bytes(32)), owner=b"owner"),
            admission=None,
            dht=SimpleNamespace(store=lambda key, **record: self.announced.append(record["value"])),
        )

    def turn(self, order: PictureOrder | None, *, computes: bool) -> bool:
        return self.beside.draw_on(order, self.plan, computes=computes)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_drawable_run(tmp_path_factory.mktemp("run"))


def order(folder: Path) -> PictureOrder:
    return PictureOrder(
        id="one", request=GenerationRequest(prompt="red heart", count=1), folder=folder / "one"
    )


@pytest.mark.parametrize(
    ("next_turn", "computes", "draws"),
    [(0.21, True, False), (0.39, True, False), (0.41, True, True), (0.21, False, True)],
)
def test_a_moment_of_drawing_is_followed_by_as_long_a_rest_while_training_computes(
    run: Path, tmp_path: Path, next_turn: float, computes: bool, draws: bool
) -> None:
    looks = iter(
        [0.0, 0.0, 0.2, next_turn, next_turn, 99.0]
    )  # the first at the start, the next two while it draws
    trainer = PicturesTrainer(run, times=looks)
    trainer.turn(order(tmp_path), computes=True)
    trainer.turn(order(tmp_path), computes=computes)
    assert next(looks) == (99.0 if draws else next_turn), "it looks at the clock before and after it draws"


def test_while_training_waits_drawing_has_all_of_the_time(run: Path, tmp_path: Path) -> None:
    trainer = PicturesTrainer(run)

    def is_saved() -> bool:
        trainer.turn(order(tmp_path), computes=False)
        return any(isinstance(event, PicturesSaved) for event in trainer.reported)

    wait_until(is_saved, "nothing is drawn")


def test_what_is_asked_for_goes_before_a_frame_and_never_takes_memory_beside_it(
    run: Path, tmp_path: Path
) -> None:
    sheet = tmp_path / "samples.png"
    trainer = PicturesTrainer(run, Samples(10, tmp_path / "frames", sheet))
    trainer.beside.pass_epoch(PLACE, is_last=False)
    trainer.turn(None, computes=False)  # the frame is begun

    def are_saved() -> bool:
        trainer.turn(order(tmp_path), computes=False)
        return any(isinstance(event, PicturesSaved) for event in trainer.reported)

    wait_until(are_saved, "nothing is drawn")
    assert not any(isinstance(event, SamplesDrawn) for event in trainer.reported)

    def is_drawn() -> bool:
        trainer.turn(order(tmp_path), computes=False)
        return trainer.reported[-1] == SamplesDrawn(epoch=10, path=sheet)

    wait_until(is_drawn, "the frame is forgotten")


def test_at_the_end_of_training_the_last_frame_is_waited_for(run: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "samples.png"
    trainer = PicturesTrainer(run, Samples(10, tmp_path / "frames", sheet))
    trainer.beside.finish(trainer.plan)
    assert trainer.reported == []
    trainer.beside.pass_epoch(PLACE, is_last=True)
    trainer.beside.finish(trainer.plan)
    assert trainer.reported == [SamplesDrawn(epoch=10, path=sheet)]
    assert sheet.read_bytes().startswith(b"\x89PNG")
    (frame,) = trainer.offered
    assert frame.parent == tmp_path / "frames"
    assert [record["frame"] for record in trainer.announced] == [sha256(frame.read_bytes()).digest()]
