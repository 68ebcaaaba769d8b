"""Tests of receipts and certificates, and of the board that is rebuilt from them, on both databases."""

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from coordinator.database.connect import Database
from coordinator.database.tables import Day, Membership, User
from coordinator.ledger.board import HIDDEN, View, leaderboard
from coordinator.ledger.rebuild import Rebuilt, rebuild
from coordinator.ledger.receipts import certify, receipts
from coordinator.ledger.volunteer import Volunteer, volunteer
from core.admission.receipts import (
    MAX_RECEIPT_BYTES,
    Certificate,
    SignedCertificate,
    SignedReceipt,
)
from core.errors import ReceiptError
from core.signing import SigningKey
from tests.coordinator.forking import dies_at_statement
from tests.coordinator.ledger.filled_ledger import fill

KEY = SigningKey.generate()
GATE, RUN = KEY.public_key, "ab" * 32
TODAY = date(2026, 11, 22)
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
BEFORE, YESTERDAY = TODAY - timedelta(days=3), TODAY - timedelta(days=1)
PEOPLE = {"ada": {BEFORE: 900, TODAY: 100}, "bob": {YESTERDAY: 500}, "cleo": {BEFORE: 20, YESTERDAY: 20}}


def receipts_of(database: Database, name: str) -> list[str]:
    with database.reading() as session:
        user = session.scalars(select(User).where(User.name == name)).one()
        return [receipt.model_dump_json() for receipt in receipts(session, user, RUN, KEY)]


def all_receipts(database: Database) -> list[str]:
    return [text for name in PEOPLE for text in receipts_of(database, name)]


def restore(database: Database, texts: Sequence[str]) -> Rebuilt:
    return rebuild(database, texts, gate=GATE, run=RUN, now=NOW)


def board(database: Database) -> list[tuple[int, str, int, float]]:
    with database.reading() as session:
        rows = leaderboard(session, NOW, View()).rows
    return [(row.rank, row.name, row.samples, row.compute_seconds) for row in rows]


def page(database: Database, name: str) -> Volunteer:
    with database.reading() as session:
        found = volunteer(session, name, NOW)
    assert found is not None
    return found


@pytest.fixture
def lost(tmp_path: Path) -> Database:
    """The ledger as it was, whose receipts are all that is left."""
    database = Database.open(f"sqlite:///{tmp_path}/lost.sqlite")
    fill(database, PEOPLE, {"bob": 0.1234567})
    return database


def test_a_receipt_is_checked_with_the_gates_key_alone(lost: Database) -> None:
    first, second = (
        SignedReceipt.parse(text).verify(gate=GATE, run=RUN) for text in receipts_of(lost, "ada")
    )
    assert (first.name, first.day, first.samples, first.epochs) == ("ada", BEFORE, 900, 2)
    assert (second.day, second.samples) == (TODAY, 100)
    assert max(len(text) for text in all_receipts(lost)) < 600


@pytest.mark.parametrize(
    ("field", "value"),
    [("samples", 901), ("name", "eve"), ("day", "2026-11-18"), ("compute_seconds", 901.0), ("subject", "x")],
)
def test_a_receipt_that_was_changed_is_refused(lost: Database, field: str, value: object) -> None:
    changed = json.loads(receipts_of(lost, "ada")[0])
    changed["receipt"][field] = value
    with pytest.raises(ReceiptError, match="not signed by this run's"):
        SignedReceipt.parse(json.dumps(changed)).verify(gate=GATE, run=RUN)


def test_a_receipt_of_another_run_or_coordinator_is_refused(lost: Database) -> None:
    receipt = SignedReceipt.parse(receipts_of(lost, "ada")[0])
    with pytest.raises(ReceiptError, match="another run"):
        receipt.verify(gate=GATE, run="cd" * 32)
    with pytest.raises(ReceiptError, match="not signed"):
        receipt.verify(gate=SigningKey.generate().public_key, run=RUN)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "nonsense", b"\xff\xfe", "[" * 3000, "1" * 9999])
def test_what_is_no_receipt_is_reported_in_words(text: str | bytes) -> None:
    with pytest.raises(ReceiptError, match="receipt"):
        SignedReceipt.parse(text)


def test_a_certificate_does_not_pass_for_a_receipt(lost: Database) -> None:
    text = certify(page(lost, "ada"), "Emoji", RUN, KEY).model_dump_json()
    with pytest.raises(ReceiptError):
        SignedReceipt.parse(text)


def test_the_board_is_rebuilt_from_receipts(lost: Database, database: Database) -> None:
    assert restore(database, all_receipts(lost)) == Rebuilt(volunteers=3, days=5, refused=())
    assert board(database) == [(1, "ada", 1000, 1000.0), (2, "bob", 500, 61.728), (3, "cleo", 40, 40.0)]
    ada = page(database, "ada")
    assert ada.days == page(lost, "ada").days
    assert [(rank.day, rank.rank) for rank in ada.ranks] == [(BEFORE, 1), (YESTERDAY, 1)]


def test_volunteers_are_entered_one_by_one_so_that_others_write_in_between(
    lost: Database, address: str, database: Database
) -> None:
    """A restoring process is killed every few statements: what was entered stays, and in the end nothing lacks."""

    def again() -> None:
        restore(Database.open(address), all_receipts(lost))

    number, entered = 1, {0}
    database.close()
    while dies_at_statement(number, again):
        entered.add(len(board(database)))
        database.close()
        number += 5
    assert entered & {1, 2}
    assert [row[:3] for row in board(database)] == [row[:3] for row in board(lost)]


def test_a_receipt_counts_once_and_the_newest_of_a_day_counts(lost: Database, database: Database) -> None:
    old = all_receipts(lost)
    with lost.session() as session:
        session.execute(update(User).where(User.name == "bob").values(hidden=True, name="bobby"))
    fill_more(lost, "ada", TODAY, 50)
    new = [*receipts_of(lost, "ada"), *receipts_of(lost, "bobby")]
    for texts in ([*old, *new, *old], [*new, *old]):
        restore(database, texts)
        assert [row[:3] for row in board(database)] == [(1, "ada", 1050), (2, HIDDEN, 500), (3, "cleo", 40)]


@pytest.mark.parametrize(("signed_in", "shown"), [(False, HIDDEN), (True, "bob")])
def test_a_receipt_that_hides_a_name_hides_it_until_the_volunteer_is_back(
    lost: Database, database: Database, signed_in: bool, shown: str
) -> None:
    restore(database, receipts_of(lost, "bob"))
    with lost.session() as session:
        session.execute(update(User).where(User.name == "bob").values(hidden=True))
    with database.session() as session:
        user = session.scalars(select(User.id)).one()
        if signed_in:
            session.add(Membership(user_id=user, secret_hash="x", created=NOW, expires=NOW))
    restore(database, receipts_of(lost, "bob"))
    assert [name for _, name, *_ in board(database)] == [shown]


def fill_more(database: Database, name: str, day: date, samples: int) -> None:
    """Add samples to a user's day as further epochs of that day do."""
    table = {"samples": samples, "compute_seconds": float(samples), "epochs": 1}
    with database.session() as session:
        user = session.scalars(select(User.id).where(User.name == name)).one()
        tally = session.get_one(Day, (user, day))
        for column, more in table.items():
            setattr(tally, column, getattr(tally, column) + more)


def test_receipts_add_to_a_ledger_that_knows_more_already(lost: Database, database: Database) -> None:
    fill(database, {"ada": {BEFORE: 950, YESTERDAY: 7}, "dan": {TODAY: 5}})
    restore(database, all_receipts(lost))
    found = {name: samples for _, name, samples, _ in board(database)}
    assert found == {"ada": 950 + 7 + 100, "bob": 500, "cleo": 40, "dan": 5}


def test_what_is_no_use_is_left_out_with_the_reason(lost: Database, database: Database) -> None:
    good = receipts_of(lost, "bob")
    forged = good[0].replace('"samples":500', '"samples":501')
    found = restore(database, ["nonsense", forged, *good, "x" * (MAX_RECEIPT_BYTES + 1)])
    assert (found.volunteers, found.days, len(found.refused)) == (1, 1, 3)
    assert board(database) == [(1, "bob", 500, 61.728)]


def test_a_name_that_has_changed_hands_inherits_nothing(lost: Database, database: Database) -> None:
    with database.session() as session:
        session.add(User(name="bob", subject="somebody else", created=NOW))
    restore(database, receipts_of(lost, "bob"))
    ((_, name, samples, _),) = board(database)
    assert (name.startswith("bob~"), samples) == (True, 500)


def test_a_certificate_is_checked_by_its_signature(lost: Database) -> None:
    signed = certify(page(lost, "bob"), "Emoji", RUN, KEY)
    found = SignedCertificate.parse(signed.model_dump_json()).verify(gate=GATE, run=RUN)
    assert found == Certificate(
        run=RUN,
        name="bob",
        samples=500,
        compute_seconds=62.0,
        epochs=2,
        title="Emoji",
        first=YESTERDAY,
        last=YESTERDAY,
    )


def test_another_signature_has_another_code(lost: Database) -> None:
    signed = certify(page(lost, "bob"), "Emoji", RUN, KEY)
    changed = signed.certificate.model_copy(update={"samples": 501})
    assert len(signed.code.replace("-", "")) == 16
    assert SignedCertificate.sign(changed, KEY).code != signed.code
    with pytest.raises(ReceiptError, match="not signed"):
        SignedCertificate(certificate=changed, signature=signed.signature).verify(gate=GATE, run=RUN)
