"""The folder between the coordinator's processes has what an audit needs, and nothing where nothing is wanted."""

import math
import os
import time
from pathlib import Path

import numpy as np
import pytest

from coordinator.auditing.handover import HEADS_KEPT, AuditFolder
from core.swarm.auditing.row_spans import RowClaim, RowSpan, WindowPlace
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import WorkSample

PEER = b"\x12\x20" + b"p" * 32
SPAN = RowSpan(4, bytes([4]) * 32, WindowPlace(2, (1, 2, 3, 4), b"12345678"), 5, 24)
SAMPLE = WorkSample(
    PEER,
    4,
    bytes([4]) * 32,
    24.0,
    RowClaim((SPAN,)),
    {0: b"first", 7: b"\x00\xff"},
    {7: b"of another reducer"},
    "told another reducer of other rows or samples.",
    is_withheld=True,
)


def parameters(value: float) -> dict[str, np.ndarray]:
    return {"weight": np.full((2, 3), value, np.float32), "bias": np.zeros(3, np.float32)}


def head(epoch: int) -> bytes:
    return bytes([epoch]) * 32


@pytest.fixture
def folder(tmp_path: Path) -> AuditFolder:
    found = AuditFolder(tmp_path / "audits")
    found.clear()
    return found


def test_a_sample_arrives_as_it_was_put(folder: AuditFolder) -> None:
    folder.want()
    assert folder.sample() is None
    folder.put(SAMPLE, folder.wish)
    assert folder.sample() == SAMPLE


def test_a_wish_says_how_much_can_be_audited(folder: AuditFolder) -> None:
    assert folder.most_rows == math.inf
    folder.want()
    assert folder.most_rows == math.inf
    folder.want(640.0)
    assert folder.most_rows == 640.0


def test_a_sample_that_comes_late_is_not_one_of_the_next_wish(folder: AuditFolder, tmp_path: Path) -> None:
    folder.want()
    late = folder.wish
    folder.settle(PEER, None)
    folder.put(SAMPLE, late)
    folder.want()
    assert folder.sample() is None
    assert not (tmp_path / "audits" / "sample").exists()
    folder.put(SAMPLE, folder.wish)
    assert folder.sample() == SAMPLE


def test_what_is_owed_outlasts_the_auditor(folder: AuditFolder, tmp_path: Path) -> None:
    assert folder.paid_at == 0.0
    folder.owe_until(1.5e9)
    folder.clear()
    assert folder.paid_at == 1.5e9
    (tmp_path / "audits" / "paid-at").write_text("nan")
    assert folder.paid_at == 0.0


def test_the_newest_heads_are_kept_while_a_sample_is_wanted(folder: AuditFolder) -> None:
    folder.keep(1, head(1), parameters(1))
    assert folder.parameters() == {}, "nothing was wanted"
    folder.want()
    for epoch in range(2, 13):
        folder.keep(epoch, head(epoch), parameters(epoch))
    found = folder.parameters()
    assert list(found) == [(epoch, head(epoch)) for epoch in (10, 11, 12)]
    assert len(found) == HEADS_KEPT
    assert all((arrays["weight"] == epoch).all() for (epoch, _), arrays in found.items())


@pytest.mark.parametrize(
    ("wanted", "kept", "put", "needs_previous", "takes"),
    [
        (True, (3, 4), False, True, True),
        (True, (4,), False, False, True),
        (False, (3, 4), False, True, False),
        (True, (4,), False, True, False),
        (True, (3,), False, True, False),
        (True, (3, 4), True, True, False),
    ],
    ids=["all there", "no need of it", "not wanted", "none before", "not this head", "one is there"],
)
def test_a_sample_is_taken_where_its_parameters_are(
    folder: AuditFolder, wanted: bool, kept: tuple[int, ...], put: bool, needs_previous: bool, takes: bool
) -> None:
    folder.want()
    for epoch in kept:
        folder.keep(epoch, head(epoch), parameters(epoch))
    if put:
        folder.put(SAMPLE, folder.wish)
    if not wanted:
        folder.settle(PEER, None)
    assert folder.takes_sample_of(4, head(4), needs_previous=needs_previous) is takes


def test_nothing_is_kept_for_an_auditor_that_is_gone(folder: AuditFolder, tmp_path: Path) -> None:
    folder.want()
    then = time.time() - 3601
    os.utime(tmp_path / "audits" / "wanted", (then, then))
    folder.keep(4, head(4), parameters(4))
    assert folder.parameters() == {}
    folder.want()
    folder.keep(4, head(4), parameters(4))
    assert list(folder.parameters()) == [(4, head(4))]


@pytest.mark.parametrize("verdict", WorkVerdict)
def test_a_verdict_is_taken_once_and_leaves_nothing(folder: AuditFolder, verdict: WorkVerdict) -> None:
    folder.want()
    folder.keep(4, head(4), parameters(4))
    folder.put(SAMPLE, folder.wish)
    folder.settle(PEER, verdict)
    assert folder.take_verdict() == (PEER, verdict)
    assert folder.take_verdict() is None
    assert folder.sample() is None
    assert folder.parameters() == {}
    folder.keep(5, head(5), parameters(5))
    assert folder.parameters() == {}, "nothing is wanted any more"


def test_damaged_files_cost_one_audit(folder: AuditFolder, tmp_path: Path) -> None:
    folder.want()
    (tmp_path / "audits" / "sample").write_bytes(b"no sample")
    assert folder.sample() is None
    assert not (tmp_path / "audits" / "sample").exists()
    (tmp_path / "audits" / "verdict").write_bytes(b"no verdict")
    assert folder.take_verdict() is None


def test_a_folder_that_is_not_there_wants_nothing(tmp_path: Path) -> None:
    absent = AuditFolder(tmp_path / "absent")
    absent.keep(1, head(1), parameters(1))
    assert not absent.takes_sample_of(1, head(1), needs_previous=False)
    assert absent.take_verdict() is None
    assert not (tmp_path / "absent").exists()
