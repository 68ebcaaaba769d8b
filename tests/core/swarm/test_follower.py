"""A follower goes with the trainers along the chain, never back, and by no claim of peers that do not train."""

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch
from hivemind.p2p import PeerID

from core.model.transformer import Transformer
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.swarm.follower import FollowerStep, StateFollower, bytes_to_follow, follower_step
from core.swarm.initial_model import initial_model
from core.swarm.state.beginning import Beginning
from core.swarm.state.pieces import outline_of
from core.swarm.state.replica import Place
from core.swarm.state.state import PARAMETERS, SwarmState
from core.swarm.wire.records import ProgressRecord
from tests.core.swarm.builders import HandClock, digest_of, identity, peer_bytes, progress
from tests.swarms.tiny_run import write_tiny_run
from tests.waiting import wait_until

PLACE = Place(7, digest_of("head"), digest_of("parameters").hex(), (3.0, -4.0, 0.0))
BEGINNING = Beginning(digest_of("genesis"))
CLIENT: dict[str, Any] = {"reducing": False}
HELPER: dict[str, Any] = {"auxiliary": True}
OTHER: dict[str, Any] = {"head": digest_of("a branch")}


@pytest.mark.parametrize(
    ("others", "step", "donors"),
    [
        ([], FollowerStep.STAY, ()),
        ([progress(1, epoch=9, **HELPER)], FollowerStep.STAY, ()),
        ([progress(1, epoch=9, synchronised=False)], FollowerStep.STAY, ()),
        ([progress(1, epoch=0), progress(2, epoch=0)], FollowerStep.STAY, ()),
        ([progress(1, **CLIENT), progress(2, **CLIENT)], FollowerStep.AGREE, ()),
        ([progress(1, epoch=8, **CLIENT), progress(2, epoch=8, **CLIENT)], FollowerStep.APPLY, ()),
        ([progress(1, epoch=20), progress(2, epoch=20)], FollowerStep.APPLY, (1, 2)),
        ([progress(1, epoch=20), progress(2), progress(3)], FollowerStep.AGREE, ()),
        ([progress(1, epoch=20), progress(2)], FollowerStep.APPLY, ()),
        ([progress(1, epoch=20), progress(2, epoch=9), progress(3, epoch=9)], FollowerStep.APPLY, (2, 3)),
        ([progress(1, epoch=20)], FollowerStep.APPLY, (1,)),
        ([progress(1, **OTHER), progress(2, **OTHER)], FollowerStep.DOWNLOAD, (1, 2)),
        ([progress(1, **OTHER, **CLIENT)], FollowerStep.DOWNLOAD, ()),
        ([progress(1, parameters=digest_of("strayed"), sketch=[9.0, 0.0, 0.0])], FollowerStep.DOWNLOAD, (1,)),
        ([progress(1, parameters=digest_of("rounded"), sketch=[3.0, -4.0001, 0.0])], FollowerStep.AGREE, ()),
    ],
)
def test_the_next_step(others: Sequence[ProgressRecord], step: FollowerStep, donors: tuple[int, ...]) -> None:
    found, verdict = follower_step(
        PLACE, others, peer_id=peer_bytes(0), sketch_tolerance=1e-3, beginning=BEGINNING
    )
    assert (found, set(verdict.donors)) == (step, {peer_bytes(number) for number in donors})


def test_records_of_another_generation_do_not_count() -> None:
    beginning = Beginning(digest_of("genesis"), epoch=9, parameters=digest_of("parameters").hex())
    others = [progress(1, epoch=8), progress(2, epoch=9, head=digest_of("of the old generation"))]
    step, _ = follower_step(PLACE, others, peer_id=peer_bytes(0), sketch_tolerance=1e-3, beginning=beginning)
    assert step == FollowerStep.STAY


def test_following_takes_memory_in_proportion_to_the_model(tmp_path: Path) -> None:
    manifest = RunManifest.load(write_tiny_run(tmp_path))
    parameters = sum(
        item.numel() for item in Transformer(picture_rules(manifest.training).model).parameters()
    )
    assert 20 * parameters < bytes_to_follow(manifest) - (256 << 20) < 24 * parameters


def test_it_begins_with_the_parameters_that_all_peers_draw(tmp_path: Path) -> None:
    manifest = RunManifest.load(write_tiny_run(tmp_path))
    averager = SimpleNamespace(peer_id=identity(0).peer_id)
    follower = StateFollower(manifest, tmp_path, cast(Any, averager), lambda: (), None)
    drawn = initial_model(manifest, tmp_path)
    state, place = follower.state(), follower.place
    assert place is not None
    assert (place.epoch, place.head) == (0, manifest.genesis)
    for name, parameter in drawn.named_parameters():
        assert torch.equal(state.tensors[PARAMETERS + name], parameter), name
    assert follower.await_state(0, 0.0) is not None
    assert follower.await_state(1, 0.0) is None
    assert not follower.turn()


class RefusedDownloads:
    """An averager that is given the same state again and again, and notes whom it asked."""

    def __init__(self, state: SwarmState) -> None:
        self.peer_id, self.asked, self._state = identity(0).peer_id, list[set[PeerID]](), state

    def download_state(self, donors: Sequence[PeerID], **options: Any) -> Any:
        self.asked.append(set(donors))
        return SimpleNamespace(result=lambda seconds: (outline_of(self._state), None))

    def received_state(self, found: Any) -> SwarmState:
        return self._state


def test_donors_of_a_state_that_is_not_believed_are_set_aside(tmp_path: Path) -> None:
    manifest, clock = RunManifest.load(write_tiny_run(tmp_path)), HandClock()
    others: list[ProgressRecord] = []
    drawn = StateFollower(manifest, tmp_path, cast(Any, SimpleNamespace()), lambda: (), None).state()
    state = SwarmState(0, digest_of("a branch"), drawn.tensors)
    averager = RefusedDownloads(state)
    follower = StateFollower(
        manifest,
        tmp_path,
        cast(Any, averager),
        lambda: others,
        None,
        refusal=lambda place: "it is another",
        clock=clock,
    )
    place = follower.place
    assert place is not None
    fields: dict[str, Any] = {"epoch": 0, "head": manifest.genesis, "sketch": [9.0] * len(place.sketch)}
    root = outline_of(state).root
    others += [progress(1, state=root, **fields), progress(2, state=root, **fields), progress(3, **fields)]
    for _ in range(3):
        assert not follower.turn()
        clock.now += 0.25
    liars, other = {PeerID(peer_bytes(1)), PeerID(peer_bytes(2))}, {PeerID(peer_bytes(3))}
    assert averager.asked == [liars | other, other], "in the third turn nobody is left to be asked"
    clock.now += 300.0
    assert not follower.turn()
    assert averager.asked[2:] == [liars | other]


class SilentDonors:
    """An averager whose donors send nothing; once it has ended, its pipe is closed."""

    def __init__(self) -> None:
        self.peer_id, self.asked = identity(0).peer_id, list[Future[Any]]()

    def download_state(self, donors: Sequence[PeerID], **options: Any) -> Future[Any]:
        self.asked.append(Future())
        return self.asked[-1]

    def end(self) -> None:
        self.asked[-1].set_exception(BrokenPipeError("the averager has ended"))


def test_it_ends_while_a_donor_is_silent_and_its_thread_ends_with_the_averager(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed = list[object]()
    monkeypatch.setattr(threading, "excepthook", crashed.append)
    manifest, averager = RunManifest.load(write_tiny_run(tmp_path)), SilentDonors()
    others: list[ProgressRecord] = []
    follower = StateFollower(manifest, tmp_path, cast(Any, averager), lambda: others, None)
    place = follower.place
    assert place is not None
    strayed = {"epoch": 0, "head": manifest.genesis, "sketch": [9.0] * len(place.sketch)}
    others += [progress(1, **strayed), progress(2, **strayed)]
    follower.start()
    wait_until(lambda: bool(averager.asked), "it asks no donor")
    closing = threading.Thread(target=follower.close)
    closing.start()
    closing.join(20.0)
    assert not closing.is_alive(), "it waits for the donor"
    averager.end()
    wait_until(lambda: all(thread.name != "follower" for thread in threading.enumerate()), "its thread stays")
    assert not crashed
