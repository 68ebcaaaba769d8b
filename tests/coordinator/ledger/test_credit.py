"""Tests of the rules by which an epoch's samples are credited."""

import math
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coordinator.errors import LedgerError
from coordinator.ledger.credit import (
    EVERY_PEER,
    MAX_CONTRIBUTORS,
    NO_PEER,
    PEAK_RATES,
    Audit,
    Claim,
    CommittedEpoch,
    CreditReason,
    KnownMachine,
    assess,
    fastest,
    of_unknown_class,
    operations_of,
)
from core.memory.parameters import count
from core.model.config import preset
from core.swarm.wire.device_class import DeviceClass
from tests.coordinator.ledger.evidence import OPERATIONS, PEERS, START, claim, epoch_of

A, B, C = PEERS[:3]


def credited(epoch: CommittedEpoch) -> dict[str, int]:
    return {item.peer_id: item.samples for item in assess(epoch, OPERATIONS).credits}


def doubted(epoch: CommittedEpoch) -> dict[str, CreditReason]:
    return {item.peer_id: item.why for item in assess(epoch, OPERATIONS).doubts}


def test_who_claims_the_truth_is_credited_all_of_it() -> None:
    epoch = epoch_of({A: 100, B: 60, C: 0})
    assert credited(epoch) == {A: 100, B: 60}
    assert doubted(epoch) == {}


# A's weight is 1000 of the epoch's 1,500 samples, in 10 seconds.
@pytest.mark.parametrize(
    ("claimed", "samples", "why"),
    [
        (claim(1000, 100), 1000, None),
        (claim(900, 10), 1000, None),  # it went on for a moment after it was last heard
        (claim(0, 100), 1000, None),  # it was heard only at the epoch's beginning
        (claim(300, 20), 500, CreditReason.ABOVE_CLAIM),
        (claim(0, 1), 10, CreditReason.ABOVE_CLAIM),
        (claim(math.nan, 100), 1000, None),  # nothing sensible was told: as much as the slowest class can
        (None, 1000, None),
    ],
)
def test_nobody_is_credited_more_than_its_own_records_claim(
    claimed: Claim | None, samples: int, why: CreditReason | None
) -> None:
    claims = {B: claim(500, 50)} | ({A: claimed} if claimed else {})
    epoch = epoch_of({A: 1000, B: 500}, claims=claims)
    assert credited(epoch) == {A: samples, B: 500}
    assert doubted(epoch).get(A) is why


@pytest.mark.parametrize(
    ("claimed", "samples", "why"),
    [
        (claim(2e6, 2e5, DeviceClass.CPU), 300_000, CreditReason.ABOVE_DEVICE),
        (claim(2e6, 2e5, DeviceClass.GPU_8), 2_000_000, None),
        (claim(2e6, 2e5, DeviceClass.UNKNOWN), 300_000, CreditReason.ABOVE_DEVICE),
        (None, 300_000, CreditReason.UNCLAIMED),
        (claim(0, 0, DeviceClass.GPU_LARGE), 300_000, CreditReason.UNCLAIMED),
    ],
)
def test_nobody_is_credited_more_than_its_machine_can_do_in_the_time(
    claimed: Claim | None, samples: int, why: CreditReason | None
) -> None:
    epoch = epoch_of({A: 2e6, B: 5}, claims={B: claim(5, 1)} | ({A: claimed} if claimed else {}))
    assert credited(epoch) == {A: samples, B: 5}
    assert doubted(epoch) == ({A: why} if why else {})


AUDITED, NOT_AUDITED = Audit(frozenset({A})), Audit(frozenset({B}))
CPU, GPU = KnownMachine(DeviceClass.CPU), KnownMachine(DeviceClass.GPU_8)


# In 10 s a processor can do 300,000 samples by its bound, and a GPU of 8 GB 6,000,000.
@pytest.mark.parametrize(
    ("audit", "weight", "claimed", "machine", "samples", "why"),
    [
        # whose records were looked for, for the same reasons as in a small swarm
        (AUDITED, 2e6, claim(2e6, 1e5, DeviceClass.GPU_8), None, 2_000_000, None),
        (AUDITED, 2e6, claim(5e5, 1e4, DeviceClass.GPU_8), None, 600_000, CreditReason.ABOVE_CLAIM),
        (AUDITED, 2e6, claim(2e6, 1e5), GPU, 300_000, CreditReason.ABOVE_DEVICE),
        (AUDITED, 2e6, None, GPU, 300_000, CreditReason.UNCLAIMED),
        (EVERY_PEER, 2e6, None, GPU, 300_000, CreditReason.UNCLAIMED),
        (AUDITED, 1e5, None, None, 100_000, None),
        # whose records were not looked for: the class alone bounds the weight
        (NOT_AUDITED, 2e6, None, GPU, 2_000_000, None),
        (NOT_AUDITED, 8e6, None, GPU, 6_000_000, CreditReason.ABOVE_DEVICE),
        (NOT_AUDITED, 2e6, None, CPU, 300_000, CreditReason.ABOVE_DEVICE),
        (NOT_AUDITED, 2e6, None, None, 300_000, CreditReason.ABOVE_DEVICE),
        (NO_PEER, 2e6, None, GPU, 2_000_000, None),
        (NO_PEER, 1e5, None, None, 100_000, None),
        # read long before the commit: it has worked on since
        (AUDITED, 2e6, Claim(5e5, 1e4, DeviceClass.GPU_8, 160.0), None, 2_000_000, None),
        (AUDITED, 2e6, Claim(5e5, 1e4, DeviceClass.GPU_8, 60.0), None, 1_100_000, CreditReason.ABOVE_CLAIM),
    ],
)
def test_own_records_bound_the_credit_of_those_alone_who_were_audited(
    audit: Audit,
    weight: float,
    claimed: Claim | None,
    machine: KnownMachine | None,
    samples: int,
    why: CreditReason | None,
) -> None:
    epoch = replace(
        epoch_of({A: weight, B: 5}, claims={B: claim(5, 1)} | ({A: claimed} if claimed else {})),
        audit=audit,
        machines={A: machine} if machine else {},
    )
    assert credited(epoch) == {A: samples, B: 5}
    assert doubted(epoch) == ({A: why} if why else {})


@pytest.mark.parametrize(
    ("machine", "seconds"),
    [
        (KnownMachine(DeviceClass.CPU, 20.0), 5.0),
        (KnownMachine(DeviceClass.CPU, 1.0), 10.0),
        (CPU, 0.01),  # its speed is not known: the time that is certain
        (KnownMachine(DeviceClass.CPU, 1e9), 0.01),
    ],
)
def test_compute_time_of_one_who_was_not_audited_is_by_the_speed_that_it_stated_before(
    machine: KnownMachine, seconds: float
) -> None:
    epoch = replace(epoch_of({A: 100}, claims={}), audit=NO_PEER, machines={A: machine})
    assert assess(epoch, OPERATIONS).credits[0].compute_seconds == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("audit", "claimed", "machine", "weight", "is_wanted"),
    [
        (NO_PEER, None, None, 2e6, True),
        (NO_PEER, None, None, 1e5, False),  # the slowest class could do as much
        (NO_PEER, None, CPU, 2e6, False),
        (NO_PEER, claim(10, 1), None, 2e6, False),
        (NO_PEER, None, None, math.nan, False),
        (EVERY_PEER, None, None, 2e6, False),  # there is none to be found
    ],
)
def test_the_class_is_looked_for_where_it_is_not_known_and_matters(
    audit: Audit, claimed: Claim | None, machine: KnownMachine | None, weight: float, is_wanted: bool
) -> None:
    made = epoch_of({A: weight, B: 5}, claims={A: claimed} if claimed else {})
    epoch = replace(made, audit=audit, machines={A: machine} if machine else {})
    assert list(of_unknown_class(epoch, OPERATIONS)) == ([A] if is_wanted else [])


@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf, -math.inf, 1e12])
def test_a_weight_that_is_no_number_of_samples_gives_nothing_to_anybody(weight: float) -> None:
    epoch = replace(epoch_of({A: 100, B: 50}), contributors={A: 100, B: weight})
    assert credited(epoch) == {A: 100}
    assert doubted(epoch) == {B: CreditReason.NONSENSE}


def test_weights_of_more_than_the_epoch_has_are_reduced_in_proportion() -> None:
    epoch = epoch_of({A: 100, B: 50, C: 51}, samples=100)
    assert credited(epoch) == {A: 49, B: 24, C: 25}
    assert set(doubted(epoch).values()) == {CreditReason.ABOVE_EPOCH}


@pytest.mark.parametrize(
    "change",
    [
        {"samples": math.nan},
        {"samples": math.inf},
        {"samples": 0.0},
        {"samples": -5.0},
        {"samples": 1e10},
        {"seconds": math.nan},
        {"seconds": math.inf},
        {"seconds": -1.0},
        {"epoch": -1},
        {"generation": -1},
        {"contributors": {str(number): 1.0 for number in range(MAX_CONTRIBUTORS + 1)}},
    ],
)
def test_an_epoch_that_makes_no_sense_is_refused(change: Mapping[str, float]) -> None:
    with pytest.raises(LedgerError):
        assess(replace(epoch_of({A: 100}), **change), OPERATIONS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("samples", "rate", "seconds"),
    [
        (100, 20, 5.0),
        (100, 10, 10.0),
        (100, 5, 10.0),  # never longer than the epoch took
        (1, 1e-9, 0.1),  # a claim to be slow earns no time: every machine does ten samples a second
        (100, 1e9, 0.01),
        (100, 0, 0.01),
    ],
)
def test_compute_time_is_what_the_samples_took_at_the_claimed_rate(
    samples: float, rate: float, seconds: float
) -> None:
    (credit,) = assess(epoch_of({A: samples}, claims={A: claim(samples, rate)}), OPERATIONS).credits
    assert credit.compute_seconds == pytest.approx(seconds)


def test_an_epoch_of_unknown_contributors_credits_nobody() -> None:
    assert credited(epoch_of({}, samples=100)) == {}


def test_every_class_has_a_bound_and_a_better_one_a_higher_bound() -> None:
    assert set(PEAK_RATES) == set(DeviceClass)
    known = [PEAK_RATES[device] for device in DeviceClass if device is not DeviceClass.UNKNOWN]
    assert known == sorted(known)
    assert fastest(DeviceClass.GPU_8, 1e9) == 2e5


def test_operations_of_a_sample_are_counted_from_the_model() -> None:
    """About six for each parameter and position (Kaplan et al., 2020)."""
    emoji = preset("emoji")
    assert operations_of(emoji) == pytest.approx(6 * count(emoji) * emoji.sequence_length, rel=0.25)


numbers = st.floats(allow_nan=True, allow_infinity=True) | st.floats(0, 1e6) | st.integers(0, 1000).map(float)
claims = st.builds(Claim, numbers, numbers, st.sampled_from(DeviceClass))


@settings(max_examples=300)
@given(
    weights=st.dictionaries(st.sampled_from(PEERS), numbers),
    claimed=st.dictionaries(st.sampled_from(PEERS), claims),
    audited=st.none() | st.frozensets(st.sampled_from(PEERS)),
    machines=st.dictionaries(st.sampled_from(PEERS), st.builds(KnownMachine, st.sampled_from(DeviceClass))),
    samples=st.floats(1e-3, 1e6),
    seconds=st.floats(0, 1e6),
)
def test_whatever_is_claimed_no_more_is_credited_than_was_committed(
    weights: Mapping[str, float],
    claimed: Mapping[str, Claim],
    audited: frozenset[str] | None,
    machines: Mapping[str, KnownMachine],
    samples: float,
    seconds: float,
) -> None:
    made = CommittedEpoch(0, 1, START, seconds, samples, "00" * 32, contributors=weights, claims=claimed)
    epoch = replace(made, audit=Audit(audited), machines=machines)
    found = assess(epoch, OPERATIONS)
    assert sum(item.samples for item in found.credits) <= samples
    assert len({item.peer_id for item in found.credits}) == len(found.credits)
    for item in found.credits:
        assert 0 < item.samples <= weights[item.peer_id]
        assert 0 <= item.compute_seconds <= seconds
