"""The benchmark of utilisation counts whole rounds, and its stand-in has the shapes of the real model."""

from pathlib import Path
from typing import Any

import pytest
import torch

from benchmarks.internet import utilisation
from benchmarks.internet.paced.marks import HomeMark, download_of, of_caps, rounds_of, row_of, summary_of
from benchmarks.internet.paced.run import swarm_rules, topology_of
from benchmarks.internet.paced.stand_in import (
    TimedSteps,
    Wandering,
    mapped_model,
    overlapping_model,
    shapes_of,
    write_parameters,
)
from benchmarks.internet.paced.swarm import LISTEN
from core.messages.reach import Reach
from core.model.transformer import Transformer
from core.run.aggregation import Aggregation
from core.run.encodings import TopK
from tests.swarms.tiny_run import MODEL


def _mark(cause: Any, epoch: int, at: float, **seen: Any) -> HomeMark:
    empty = {"computed": 0.0, "stalled": {}, "stalled_cpu": {}, "cpu": 0.0, "down": 0, "up": 0, "memory": 1}
    return HomeMark(cause=cause, epoch=epoch, at=at, **{**empty, **seen})


JOINED = _mark("joined", 0, 50.0)
FIRST = _mark("landed", 1, 100.0, computed=40.0, stalled={"updating": 2.0}, up=1_000_000, own_samples=7)
SECOND = _mark(
    *("landed", 2, 200.0),
    computed=136.0,
    stalled={"updating": 5.0, "waiting": 1.0},
    stalled_cpu={"updating": 0.5},
    cpu=6.0,
    up=13_500_000,
    own_samples=9,
    samples=9.0,
)
ENDED = _mark("ended", 2, 260.0, computed=150.0)


def test_a_row_counts_from_a_landing_to_the_last() -> None:
    row = row_of("home1", [JOINED, FIRST, SECOND, ENDED], skip=1)
    assert (row["epochs"], row["computing"], row["round_seconds"]) == (1, 0.96, 100.0)
    assert (row["waiting"], row["stalled"], row["stalled_cpu"]) == (1.0, 3.0, 0.5)
    assert (row["exchange_cpu"], row["up_mbit"], row["own_samples"]) == (6.0, 1.0, 9)


def test_a_home_whose_rounds_all_failed_has_the_time_since_it_joined() -> None:
    row = row_of("home1", [JOINED, ENDED], skip=1)
    assert (row["epochs"], row["round_seconds"], row["computing"]) == (0, 210.0, rounded_share(150, 210))


def rounded_share(part: float, whole: float) -> float:
    return round(part / whole, 4)


def test_a_home_without_samples_in_an_epoch_is_not_one_of_its_homes() -> None:
    late = _mark("landed", 2, 230.0, samples=9.0)
    seen = summary_of({"home1": [JOINED, FIRST, SECOND, ENDED], "home2": [JOINED, late]})
    assert (seen["epochs"], seen["contributed"], seen["seconds_between"]) == (2, [1, 1], [100.0])
    assert seen["one_head"]
    other = late.model_copy(update={"digest": "other"})
    assert not summary_of({"home1": [SECOND], "home2": [other]})["one_head"]


ASKED = _mark("recovering", 0, 50.0, down=1_000, up=100, told_down=500)
TAKEN = _mark(
    "recovered",
    3,
    90.0,
    down=8_001_000,
    up=400_100,
    told_down=7_600_500,
    busiest_down=2_080_000,
    busiest_up=9,
)


def test_a_download_is_what_passed_until_the_state_was_there() -> None:
    failed = _mark("recovered", 0, 60.0, down=500_000, busiest_down=1)
    seen = download_of([ASKED, JOINED, failed, ASKED.model_copy(update={"at": 70.0}), TAKEN, SECOND], 200.0)
    assert seen is not None
    assert (seen["epoch"], seen["seconds"], seen["down_mb"], seen["up_mb"]) == (3, 40.0, 8.0, 0.4)
    assert (seen["down_kb_a_second"], seen["of_cap_down"], seen["busiest_of_cap_down"]) == (200.0, 1.0, 1.04)
    assert seen["told_of_down"] == 0.95


def test_who_took_nothing_from_others_has_no_download() -> None:
    assert download_of([JOINED, FIRST, ENDED], 200.0) is None
    assert download_of([ASKED, JOINED, ENDED], 200.0) is None


def test_the_busiest_ten_seconds_are_compared_with_caps_that_there_are() -> None:
    assert of_caps([ASKED, TAKEN], 200.0, None) == {"busiest_of_cap_down": 1.04}
    assert of_caps([ASKED, TAKEN], None, None) == {}


def test_rounds_are_between_landings_whatever_is_fetched_meanwhile() -> None:
    assert rounds_of([ASKED, JOINED, TAKEN, FIRST, ASKED, TAKEN, SECOND, ENDED], skip=1) == [FIRST, SECOND]


def test_homes_send_drifts_in_the_form_that_is_asked_for() -> None:
    rules = swarm_rules(utilisation.parsed(["--kept", "512", "--aggregation", "mean_of_senders"]))
    assert rules.local_steps is not None
    assert rules.local_steps.drift_encoding == rules.local_steps.mean_encoding == TopK(kept=512)
    assert rules.aggregation is Aggregation.MEAN_OF_SENDERS


def test_only_homes_that_are_reached_directly_have_a_port_forwarded() -> None:
    for reach, listen in LISTEN.items():
        server, *homes = topology_of(utilisation.parsed(["--homes", "2", "--reach", reach])).sites
        ports = {home.forward for home in homes}
        assert server.forward is None
        assert ports == ({int(listen[0].rpartition("/")[2])} if reach is Reach.DIRECT else {None})


def test_the_mapped_model_has_the_real_shapes_and_keeps_its_file(tmp_path: Path) -> None:
    write_parameters(tmp_path / "parameters", MODEL)
    before = (tmp_path / "parameters").read_bytes()
    model = mapped_model(MODEL, tmp_path / "parameters")
    assert shapes_of(MODEL) == {name: item.shape for name, item in Transformer(MODEL).named_parameters()}
    assert {name: item.shape for name, item in model.named_parameters()} == shapes_of(MODEL)
    parameters = [item.data for item in model.parameters()]
    kept = [item.clone() for item in parameters]
    Wandering(1).move(parameters)
    assert all(bool((now != old).any()) for now, old in zip(parameters, kept, strict=True))
    assert (tmp_path / "parameters").read_bytes() == before


def test_overlapping_gradients_are_one_memory() -> None:
    model, flat = overlapping_model(MODEL)
    Wandering(1).move([flat])
    gradients = [item.grad for item in model.parameters()]
    assert all(item is not None and bool(item.any()) for item in gradients)
    assert len(flat) < sum(item.numel() for item in model.parameters())


@pytest.mark.parametrize(("lacking", "expected"), [(None, 0), (8, 0), (4, 5), (2, 5)])
def test_steps_change_once_a_local_step_is_whole(lacking: int | None, expected: int) -> None:
    changes: list[torch.Tensor] = []
    steps = TimedSteps(
        lambda: changes.append(torch.ones(1)),
        lacking=lambda: lacking,
        samples_per_second=4000,
        micro_batch=4,
    )
    for _ in range(5):
        steps.step()
    assert (len(changes), round(steps.computed, 6)) == (expected, 0.005)


def test_homes_begin_alike() -> None:
    (one, _), (other, _) = overlapping_model(MODEL), overlapping_model(MODEL)
    pairs = zip(one.parameters(), other.parameters(), strict=True)
    assert all(torch.equal(mine, theirs) for mine, theirs in pairs)
