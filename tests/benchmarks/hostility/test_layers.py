"""The cost of a layer is what its swarms take beyond those without any, and each case has rules that there are."""

from pathlib import Path

import pytest

from benchmarks.hostility.layers import CASES, line
from benchmarks.hostility.run_files import write_run
from core.run.aggregation import Aggregation
from core.run.manifest import RunManifest


def figures(seconds: float, processor: float, sent: float) -> dict[str, float]:
    return {"seconds": seconds, "processor_seconds": processor, "bytes": sent}


def test_a_layer_costs_what_its_swarms_take_beyond_those_without_any() -> None:
    found = {
        "none": [figures(2.0, 1.0, 100.0), figures(4.0, 1.0, 100.0)],
        "both": [figures(3.0, 1.5, 104.0), figures(3.6, 1.5, 104.0)],
    }
    row = line("both", found)
    assert row["seconds_over"] == pytest.approx(0.1)
    assert row["processor_seconds_over"] == pytest.approx(0.5)
    assert row["bytes_over"] == pytest.approx(0.04)
    assert line("none", found)["seconds_over"] == 0.0


@pytest.mark.parametrize("case", CASES)
def test_each_case_leaves_the_layers_that_it_names(case: str, tmp_path: Path) -> None:
    swarm = RunManifest.load(write_run("tiny", tmp_path / "run", **CASES[case]).manifest).training.swarm
    assert (swarm.recomputed_share is not None) is (case in ("recomputed work", "both"))
    assert (swarm.aggregation is not Aggregation.MEAN) is (case in ("clipping", "both"))
