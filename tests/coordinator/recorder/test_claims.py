"""What peers say of an epoch: the most that each said, at the place where most stand, and bounded."""

from typing import Any

from coordinator.ledger.credit import Claim
from coordinator.recorder.claims import Claims
from core.swarm.agreement import leading_place
from core.swarm.device_class import DeviceClass
from core.swarm.records import ProgressRecord
from tests.coordinator.recorder.stand_in_swarm import name_of
from tests.core.swarm.builders import digest_of, peer_bytes, progress

HEAD, OTHER = digest_of("head"), digest_of("other")


def said(number: int, samples: int, rate: float = 2.0, **changed: Any) -> ProgressRecord:
    return progress(number, samples=samples, samples_per_second=rate, device=DeviceClass.GPU_8, **changed)


def claims_of(*looks: list[ProgressRecord]) -> Claims:
    claims = Claims()
    for records in looks:
        claims.note(records, leading_place(records))
    return claims


def test_the_highest_count_and_the_highest_rate_stay() -> None:
    claims = claims_of([said(0, 10, 3.0)], [said(0, 30, 1.0)], [said(0, 20, 2.0)])
    assert claims.of(7, HEAD) == {name_of(0): Claim(30, 3.0, DeviceClass.GPU_8)}


def test_epochs_and_branches_are_kept_apart() -> None:
    claims = claims_of([said(0, 10)], [said(0, 5, epoch=8, head=OTHER)])
    assert claims.of(7, HEAD)[name_of(0)].samples == 10
    assert claims.of(8, OTHER)[name_of(0)].samples == 5
    assert not claims.of(8, HEAD)


def test_who_is_the_first_at_the_next_epoch_is_heard() -> None:
    peers = [said(0, 10), said(1, 20), said(2, 4, epoch=8, head=OTHER)]
    assert claims_of(peers).of(8, OTHER)[name_of(2)].samples == 4


def test_peers_that_only_help_claim_nothing() -> None:
    assert set(claims_of([said(0, 10), said(1, 99, auxiliary=True)]).of(7, HEAD)) == {name_of(0)}


def test_places_that_somebody_makes_up_push_out_no_true_one() -> None:
    true = [said(0, 10), said(1, 10)]
    false = [said(2, 1, epoch=50 + n, head=digest_of(f"{n}")) for n in range(40)]
    stray = [said(3, 1, head=digest_of(f"{n}")) for n in range(40)]
    claims = claims_of(true, *([*true, one, two] for one, two in zip(false, stray, strict=True)))
    assert set(claims.of(7, HEAD)) == {name_of(0), name_of(1)}
    assert not any(claims.of(item.epoch, item.head) for item in (*false, *stray))


def test_the_memory_is_bounded() -> None:
    claims = claims_of(*([said(0, 10, epoch=epoch)] for epoch in range(40)))
    assert [epoch for epoch in range(40) if claims.of(epoch, HEAD)] == list(range(24, 40))
    crowd = [progress(0).model_copy(update={"peer_id": peer_bytes(number)}) for number in range(5_000)]
    assert len(claims_of(crowd).of(7, HEAD)) == 4096
