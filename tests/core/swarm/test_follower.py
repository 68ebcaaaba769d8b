"""A follower goes with the trainers along the chain, never back, and by no claim of peers that do not train."""

from collections.abc import Sequence
from typing import Any

import pytest

from core.swarm.follower import FollowerStep, follower_step
from core.swarm.state.beginning import Beginning
from core.swarm.state.replica import Place
from core.swarm.wire.records import ProgressRecord
from tests.core.swarm.builders import digest_of, peer_bytes, progress

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
        ([progress(1, **OTHER), progress(2, **OTHER)], FollowerStep.DOWNLOAD, (1, 2)),
        ([progress(1, **OTHER, **CLIENT)], FollowerStep.DOWNLOAD, ()),
        ([progress(1, parameters=digest_of("strayed"), sketch=[9.0, 0.0, 0.0])], FollowerStep.DOWNLOAD, (1,)),
        ([progress(1, parameters=digest_of("rounded"), sketch=[3.0, -4.0001, 0.0])], FollowerStep.AGREE, ()),
    ],
)
def test_the_next_step(others: Sequence[ProgressRecord], step: FollowerStep, donors: tuple[int, ...]) -> None:
    found = follower_step(PLACE, others, sketch_tolerance=1e-3, beginning=BEGINNING)
    assert found == (step, tuple(peer_bytes(number) for number in donors))


def test_records_of_another_generation_do_not_count() -> None:
    beginning = Beginning(digest_of("genesis"), epoch=9, parameters=digest_of("parameters").hex())
    others = [progress(1, epoch=8), progress(2, epoch=9, head=digest_of("of the old generation"))]
    step, _ = follower_step(PLACE, others, sketch_tolerance=1e-3, beginning=beginning)
    assert step == FollowerStep.STAY
