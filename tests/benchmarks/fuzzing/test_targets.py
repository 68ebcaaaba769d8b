"""Every parser of bytes from others takes valid bytes, and refuses mutated ones as it documents.

``python -m benchmarks.fuzzing`` mutates them for as long as it is let, guided by the branches that they take.
"""

import warnings
from pathlib import Path

import pytest

from benchmarks.fuzzing.catalogue import ROOMS, all_targets, room_of, targets_in
from benchmarks.fuzzing.noise import faults, mutations
from benchmarks.fuzzing.target import FuzzTarget

TARGETS = all_targets()
MUTATIONS = 300


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_parser_accepts_what_our_own_packers_make(target: FuzzTarget) -> None:
    assert [target.accepts(seed) for seed in target.seeds] == [True] * len(target.seeds)


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_parser_refuses_mutated_bytes_as_it_documents(target: FuzzTarget) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of a picture that is then refused
        assert faults(target, MUTATIONS, seed=1) == []


def test_every_room_is_listed_and_no_name_is_used_twice() -> None:
    folder = Path(__file__).parents[3] / "benchmarks" / "fuzzing" / "targets"
    assert {path.stem for path in folder.glob("*.py")} == {*ROOMS, "planted"}
    assert len(TARGETS) == sum(len(targets_in(room)) for room in ROOMS)
    assert room_of("run_manifest") == "run_files"
    with pytest.raises(KeyError):
        room_of("nothing")


def test_an_error_that_is_not_documented_is_found() -> None:
    found = faults(targets_in("planted")["undocumented"], MUTATIONS, seed=0)
    assert {type(fault.error) for fault in found} == {IndexError}


def test_mutations_are_the_same_for_the_same_seed() -> None:
    target = TARGETS["progress_record"]
    assert list(mutations(target, 50, seed=1)) == list(mutations(target, 50, seed=1))
    assert list(mutations(target, 50, seed=1)) != list(mutations(target, 50, seed=2))
