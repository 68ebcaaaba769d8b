"""A drift lowers the loss on its peer's rows: one that does not is doubted first, and false in the end."""

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import torch

from core.data.streaming.sample_stream import WINDOW_ROWS
from core.data.streaming.walk import peer_seed
from core.run.manifest import RunManifest
from core.swarm.auditing.drift_scores import DriftOutcome, DriftOutcomes
from core.swarm.auditing.row_spans import RowClaim
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import WorkSample
from core.swarm.rounds.partition import Part
from core.trainer.drift_test import DriftTest
from tests.core.trainer.test_recomputation import NEW, PEER, TinyTrainer, as_it_is, packed
from tests.swarms.tiny_run import write_tiny_run

_STEPS = 12


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunManifest, Path]:
    folder = tmp_path_factory.mktemp("run")
    return RunManifest.load(write_tiny_run(folder, recomputed_share=1.0, row_group_rows=16)), folder


def sample_of(
    run: tuple[RunManifest, Path], factor: float, rows: int = 32, window_rows: int = WINDOW_ROWS
) -> WorkSample:
    """Return what a peer sends whose drift is some steps along the gradient of its rows, times ``factor``."""
    parts, inputs, claim = work_of(run[1], rows, window_rows)
    drift = [factor * _STEPS * 0.05 * item for item in inputs]
    return WorkSample(PEER.to_bytes(), *NEW, float(claim.rows), claim, packed(parts, drift))


@cache
def work_of(folder: Path, rows: int, window_rows: int) -> tuple[Sequence[Part], list[torch.Tensor], RowClaim]:
    """Return what a peer of the run in ``folder`` computes: its parts, their tensors, and the rows behind them."""
    target = TinyTrainer(RunManifest.load(folder / "run.toml"), folder, str(PEER.to_base58()))
    target.read_windows_of(window_rows)
    with closing(target.shop.stream):
        target.train(NEW, rows, as_it_is)
        return target.parts, *target.send()


def found_of(
    run: tuple[RunManifest, Path],
    sample: WorkSample,
    *before: DriftOutcome,
    window_rows: int = WINDOW_ROWS,
) -> tuple[WorkVerdict | None, DriftOutcomes]:
    """Return the verdict of an auditor that has won all tests of another peer, and the outcomes of this one's."""
    auditor = TinyTrainer(*run, "auditor")
    auditor.read_windows_of(window_rows)
    tests: dict[str, DriftOutcomes] = {sample.name: before, "another": (DriftOutcome.WON,) * 8}
    with closing(auditor.shop.stream):
        auditor.train(NEW, 4, as_it_is)
        values = auditor.values()
        seed = peer_seed(run[0].training.data_seed, sample.name)
        work = DriftTest(sample, auditor.heads[NEW], seed, auditor.shop, tests)
        while work.verdict is None:
            if not work.turn():
                time.sleep(0.001)  # its rows are being read
        assert all(one.equal(other) for one, other in zip(values, auditor.values(), strict=True))
    return work.verdict, tests[sample.name]


def test_an_honest_drift_gains_on_its_own_rows(run: tuple[RunManifest, Path]) -> None:
    verdict, outcomes = found_of(run, sample_of(run, 1.0))
    assert outcomes[0] is not DriftOutcome.USELESS
    assert verdict is (WorkVerdict.SOUND if outcomes[0] is DriftOutcome.WON else WorkVerdict.DOUBTFUL)


@pytest.mark.parametrize("factor", [0.0, -1.0], ids=["zeros", "the other sign"])
def test_a_drift_without_gain_is_doubted_first_and_false_in_the_end(
    run: tuple[RunManifest, Path], factor: float
) -> None:
    sample = sample_of(run, factor)
    assert found_of(run, sample) == (WorkVerdict.USELESS, (DriftOutcome.USELESS,))
    verdict, outcomes = found_of(run, sample, *[DriftOutcome.USELESS] * 3)
    assert (verdict, len(outcomes)) == (WorkVerdict.FALSE, 4)


def test_nothing_is_said_of_rows_that_cannot_be_read(run: tuple[RunManifest, Path]) -> None:
    sample = sample_of(run, 1.0)
    span = sample.rows.spans[0]
    other = replace(span, window=span.window._replace(digest=bytes(8)))
    whole = replace(span, count=256)
    for rows, weight in [(RowClaim((other,)), sample.weight), (RowClaim((whole,)), 256.0)]:
        assert found_of(run, replace(sample, rows=rows, weight=weight)) == (WorkVerdict.UNVERIFIABLE, ())
    assert torch.is_grad_enabled()


def test_a_peer_that_names_its_whole_window_is_tested_on_rows_of_another(
    run: tuple[RunManifest, Path],
) -> None:
    sample = sample_of(run, 0.0, rows=64, window_rows=64)
    assert sample.rows.spans[0].count == 64
    assert found_of(run, sample, window_rows=64) == (WorkVerdict.USELESS, (DriftOutcome.USELESS,))
