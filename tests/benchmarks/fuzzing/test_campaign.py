"""What libFuzzer wrote is understood, and planted faults are found where atheris is installed."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.fuzzing.campaign import NoFuzzerError, fuzz, require_fuzzer
from benchmarks.fuzzing.work_folder import FuzzingLimits, FuzzingOutcome, RoomOrder, TargetOrder

has_atheris = pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed")
QUIET = """\
#3 INITED cov: 48 ft: 48 corp: 2/339b exec/s: 0 rss: 345Mb
#9 DONE   cov: 66 ft: 70 corp: 16/3563b lim: 1698 exec/s: 13161 rss: 349Mb
stat::number_of_executed_units: 144772
stat::peak_rss_mb:              351
"""
RAISED = """
 === Uncaught Python exception: ===
TypeError: unhashable type: 'list'
Traceback (most recent call last):
"""
LIMITS = FuzzingLimits(seconds=20, input_seconds=3, mebibytes=512)
GROWN = QUIET.replace("rss: 349Mb", "rss: 700Mb")


@pytest.fixture
def order(tmp_path: Path) -> TargetOrder:
    made = TargetOrder(tmp_path / "target", "target", LIMITS)
    made.write([b"a", b"b"], [b'\0"'])
    return made


def test_an_order_is_read_as_it_was_written(tmp_path: Path) -> None:
    order = RoomOrder("records", ("progress_record",), LIMITS)
    order.write(tmp_path)
    assert RoomOrder.read(tmp_path) == order


def test_seeds_and_dictionary_are_laid_out_for_the_fuzzer(order: TargetOrder) -> None:
    assert sorted(path.read_bytes() for path in (order.folder / "corpus").iterdir()) == [b"a", b"b"]
    assert (order.folder / "words.txt").read_text() == '"\\x00\\x22"\n'
    assert f"-dict={order.folder / 'words.txt'}" in order.options()


def test_a_run_without_a_fault_is_counted(order: TargetOrder) -> None:
    order.log.write_text(QUIET)
    assert order.outcome() == FuzzingOutcome("target", 144_772, 66, 351, 4, "", ())


@pytest.mark.parametrize(
    ("log", "found", "fault"),
    [
        (QUIET + RAISED, "crash-1", "TypeError: unhashable type: 'list'"),
        (QUIET, "timeout-1", "An input took too long."),
        (QUIET, "crash-1", "The process ended"),
        ("Killed", None, "The process ended: Killed"),
        ("", None, "The process ended: without a word"),
        (GROWN, None, "The process grew by 355 MiB."),
    ],
)
def test_every_fault_is_told_in_words(order: TargetOrder, log: str, found: str | None, fault: str) -> None:
    order.log.write_text(log)
    if found:
        (order.found / found).write_bytes(b"harm")
    outcome = order.outcome()
    assert outcome.fault.startswith(fault)
    assert [path.name for path in outcome.inputs] == ([found] if found else [])


@has_atheris
def test_planted_faults_are_found_and_their_inputs_kept(tmp_path: Path) -> None:
    names = ["undocumented", "greedy", "endless"]
    outcomes = fuzz({"planted": names}, LIMITS, crashes=tmp_path)
    found = {outcome.name: outcome.fault for outcome in outcomes}
    assert found["undocumented"].startswith("IndexError")
    assert found["greedy"].startswith("MemoryError")
    assert found["endless"] == "An input took too long."
    assert {path.name.partition("-")[0] for path in tmp_path.iterdir()} == set(names)


@pytest.mark.skipif(find_spec("atheris") is not None, reason="atheris is installed")
def test_without_the_fuzzer_the_remedy_is_named() -> None:
    with pytest.raises(NoFuzzerError) as caught:
        require_fuzzer()
    assert "benchmarks/environments/fuzzing.txt" in caught.value.remedy
