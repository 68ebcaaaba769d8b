"""The auditor's course of samples, pauses and verdicts, and the computing of one audit."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import pytest
from sqlalchemy import delete, select

from coordinator.auditing.auditor import VERDICTS, WorkAuditing
from coordinator.auditing.budget import AuditBudget
from coordinator.auditing.handover import Arrays, AuditFolder
from coordinator.auditing.workplace import Workplace
from coordinator.database.connect import Database
from coordinator.database.tables import WorkAudit
from core.errors import DataError
from core.run.manifest import RunManifest
from core.swarm.auditing.row_spans import RowClaim
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import WorkSample
from core.trainer.work_check import WorkCheck
from tests.coordinator.empty_database import empty_database
from tests.core.trainer.test_recomputation import NEW, OLD, ROWS, TinyTrainer, sample_of
from tests.swarms.tiny_run import write_tiny_run

Run = tuple[RunManifest, Path]
_LOOKS_LEFT_OUT = 30
"""Looks that an auditor of these tests makes as one: there are 100,000 in a day."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("run")
    return RunManifest.load(write_tiny_run(folder, recomputed_share=0.02)), folder


@pytest.fixture(scope="module")
def heads(run: Run) -> Mapping[tuple[int, bytes], Arrays]:
    trainer = TinyTrainer(*run, "any")
    names = [name for name, _ in trainer.model.named_parameters()]
    found = {
        head: {name: item.numpy() for name, item in zip(names, values, strict=True)}
        for head, values in trainer.heads.items()
    }
    trainer.shop.stream.close()
    return found


@dataclass(frozen=True)
class FaultyPlace(Workplace):
    """A workplace in which audits fail, or never end."""

    error: BaseException | None = None
    ends_after: int = 0
    """Looks after which the error comes."""

    def audit(self, sample: WorkSample, heads: Any, may_go_on: Callable[[], bool]) -> WorkCheck | None:
        looks = 0
        while self.error is None or looks < self.ends_after:
            looks += 1
            if not may_go_on():
                return None
        raise self.error


class AuditorsDay:
    """An auditor with clocks of the test's own."""

    def __init__(self, run: Run, folder: Path, place: Workplace, seconds_an_hour: float = 60.0) -> None:
        self.now, self._used, self.seconds_a_look = 0.0, 2.0, 0.0
        (folder / "coordinator.sqlite").write_bytes(empty_database())
        self.database = Database.open(f"sqlite:///{folder}/coordinator.sqlite")
        self.folder = AuditFolder(folder / "audits")
        self._place, self._seconds_an_hour = place, seconds_an_hour
        self.auditing = self._auditing()

    def _auditing(self) -> WorkAuditing:
        return WorkAuditing(
            0,
            self.folder,
            self._place,
            self.database,
            AuditBudget(self._seconds_an_hour),
            spent=self.spent,
            clock=self.clock,
            wall=lambda: 1e9 + self.now,
            draw=lambda: 0.5,
        )

    def again(self) -> Self:
        """The same day, with a new auditor in the place of the one that was."""
        self._used, self.auditing = 2.0, self._auditing()
        return self

    def clock(self) -> float:
        """The time: it may go on by some seconds at each look."""
        self.now += self.seconds_a_look
        return self.now

    def spent(self) -> float:
        """The processor seconds: each look at them costs one."""
        self._used += 1.0
        return self._used

    def put(self, sample: WorkSample) -> None:
        """Put a sample there for the present wish."""
        self.folder.put(sample, self.folder.wish)

    @property
    def wants(self) -> bool:
        return (self.folder._root / "wanted").exists()

    def until_wanting(self) -> float:
        """Let time pass until a sample is wanted, and return the seconds that it took."""
        began = self.now
        while not self.wants:
            self.now += _LOOKS_LEFT_OUT * self.auditing.turn()
        return self.now - began

    def forget(self) -> None:
        """Remove what was entered: work is audited once."""
        with self.database.session() as session:
            session.execute(delete(WorkAudit))

    def rows(self) -> list[WorkAudit]:
        with self.database.reading() as session:
            return list(session.scalars(select(WorkAudit)))


@pytest.fixture
def make_day(run: Run, tmp_path: Path) -> Iterator[Callable[..., AuditorsDay]]:
    made: list[AuditorsDay] = []

    def make(kind: type[Workplace] = Workplace, **given: Any) -> AuditorsDay:
        place = kind(run[0], run[1], tmp_path / "failures", **given)
        made.append(AuditorsDay(run, tmp_path, place))
        return made[-1]

    yield make
    for day in made:
        day.database.close()


def lie(sample: WorkSample, run: Run) -> WorkSample:
    """The same sample with false values, as another peer's rows give."""
    other = sample_of(run, heads=(OLD, NEW), forge=lambda tensors: [-item for item in tensors])
    return replace(sample, parts=other.parts)


def test_each_verdict_has_one_in_the_database() -> None:
    assert {verdict for verdict in WorkVerdict if verdict not in VERDICTS} == set()


def test_an_audit_is_entered_handed_over_and_paid_for(
    run: Run, heads: Mapping[tuple[int, bytes], Arrays], make_day: Callable[..., AuditorsDay]
) -> None:
    day = make_day()
    assert day.until_wanting() == pytest.approx(3 * 1.5 * 60, abs=_LOOKS_LEFT_OUT), "the start was paid for"
    assert day.auditing.turn() == 1.0, "it waits for a sample"
    for place, arrays in heads.items():
        day.folder.keep(*place, arrays)
    sound = sample_of(run, heads=(OLD, NEW))
    day.put(sound)
    day.auditing.turn()
    assert day.folder.take_verdict() == (sound.peer, WorkVerdict.SOUND)
    assert not day.wants
    [first] = day.rows()
    day.forget()
    assert day.until_wanting() > 60.0
    for place, arrays in heads.items():
        day.folder.keep(*place, arrays)
    day.put(lie(sound, run))
    day.auditing.turn()
    assert day.folder.take_verdict() == (sound.peer, WorkVerdict.FALSE)
    [second] = day.rows()
    assert (first.verdict, first.epoch, first.rows, first.samples) == ("sound", NEW[0] + 1, ROWS, ROWS)
    assert first.difference is not None
    assert first.difference < 1e-3
    assert (second.verdict, second.peer_id) == ("false", sound.name)
    assert second.difference == pytest.approx(2.0, abs=0.05)


def test_work_that_cannot_be_computed_here_is_entered_without_figures(
    run: Run, heads: Mapping[tuple[int, bytes], Arrays], make_day: Callable[..., AuditorsDay]
) -> None:
    day = make_day()
    day.until_wanting()
    day.folder.keep(*NEW, heads[NEW])
    day.put(replace(sample_of(run), rows=RowClaim()))
    day.auditing.turn()
    (row,) = day.rows()
    assert (row.verdict, row.difference, row.words) == ("unverifiable", None, "it names no rows.")


def test_work_beyond_a_days_budget_is_given_up_once(
    run: Run, make_day: Callable[..., AuditorsDay], caplog: pytest.LogCaptureFixture
) -> None:
    day, sample = make_day(FaultyPlace), sample_of(run)
    for epoch, seconds in ((4, 24 * 60), (5, 0)):
        day.until_wanting()
        before = day._used
        day.put(replace(sample, epoch=epoch))
        day.auditing.turn()
        assert seconds <= day._used - before <= seconds + 5
        assert day.folder.take_verdict() == (sample.peer, WorkVerdict.UNVERIFIABLE)
    assert caplog.text.count("recomputed_seconds_an_hour") == 1
    assert [(row.verdict, row.words) for row in day.rows()] == 2 * [
        ("unverifiable", f"its {ROWS} rows take more than the budget of a day.")
    ]


def test_smaller_work_and_drifts_are_audited_all_the_same(
    run: Run, make_day: Callable[..., AuditorsDay]
) -> None:
    day, sample = make_day(FaultyPlace), sample_of(run)
    day.until_wanting()
    day.put(sample)
    day.auditing.turn()
    first = sample.rows.spans[0]
    smaller = replace(sample, epoch=5, rows=RowClaim((replace(first, count=first.count - 1),)))
    day.until_wanting()
    before = day._used
    day.put(smaller)
    day.auditing.turn()
    assert day._used - before >= 24 * 60, "it was tried"


def test_giving_up_costs_nothing_and_is_paused_for_all_the_same(
    run: Run, make_day: Callable[..., AuditorsDay]
) -> None:
    """Where most work is too large, the parameters of nearly every epoch would be written to the disk."""
    day, sample = make_day(FaultyPlace), sample_of(run)
    for epoch in (4, 5):
        day.until_wanting()
        day.put(replace(sample, epoch=epoch))
        day.auditing.turn()
    assert day.until_wanting() >= 1800


def test_an_auditor_that_is_killed_owes_what_it_had_spent(
    run: Run, make_day: Callable[..., AuditorsDay]
) -> None:
    class AuditCutShort(BaseException):
        """The end of a process in the middle of an audit."""

    day = make_day(FaultyPlace, ends_after=20, error=AuditCutShort())
    day.until_wanting()
    day.put(sample_of(run))
    day.seconds_a_look = 10.0
    with pytest.raises(AuditCutShort):
        day.auditing.turn()
    day.seconds_a_look = 0.0
    assert day.again().until_wanting() >= 10 * 60


def test_a_wish_is_repeated_however_long_an_epoch_takes(
    run: Run, heads: Mapping[tuple[int, bytes], Arrays], make_day: Callable[..., AuditorsDay], tmp_path: Path
) -> None:
    day = make_day()
    day.until_wanting()
    long_ago = time.time() - 7200
    os.utime(tmp_path / "audits" / "wanted", (long_ago, long_ago))
    day.auditing.turn()
    day.folder.keep(*NEW, heads[NEW])
    assert list(day.folder.parameters()) == [NEW]


def test_an_audit_that_waits_too_long_is_given_up_for_that(
    run: Run, make_day: Callable[..., AuditorsDay], caplog: pytest.LogCaptureFixture
) -> None:
    day = make_day(FaultyPlace)
    day.until_wanting()
    day.put(sample_of(run))
    day.seconds_a_look = 1e6
    day.auditing.turn()
    assert "the data came too slowly" in caplog.text
    assert "recomputed_seconds_an_hour" not in caplog.text
    assert (day.rows(), day.folder.take_verdict()) == ([], None)


def test_an_auditor_pays_for_those_before_it(run: Run, make_day: Callable[..., AuditorsDay]) -> None:
    day = make_day(FaultyPlace)
    day.until_wanting()
    day.put(sample_of(run))
    day.auditing.turn()
    later = day.again()
    assert later.until_wanting() > 24 * 3600
    assert later.again().until_wanting() < 3600


def test_an_audit_that_fails_costs_nobody_anything(run: Run, make_day: Callable[..., AuditorsDay]) -> None:
    day = make_day(FaultyPlace, error=DataError("The disk is broken.", "Replace it."))
    day.until_wanting()
    day.put(sample_of(run))
    day.auditing.turn()
    assert (day.rows(), day.folder.take_verdict(), day.wants) == ([], None, False)
    day.until_wanting()


def test_nothing_is_wanted_for_ever(
    heads: Mapping[tuple[int, bytes], Arrays], make_day: Callable[..., AuditorsDay]
) -> None:
    day = make_day()
    day.until_wanting()
    for epoch in range(12):
        day.folder.keep(epoch, bytes([epoch]) * 32, heads[NEW])
        day.now += 3600 + day.auditing.turn()  # however long an epoch takes
        assert day.wants
    day.folder.keep(12, bytes([12]) * 32, heads[NEW])
    day.auditing.turn()
    assert not day.wants
    assert not day.folder.parameters()
    assert day.until_wanting() >= 1800
