"""Receipts that a volunteer keeps: only what the run's gate has signed, and never less than what was kept."""

import json
from datetime import date
from pathlib import Path

import pytest
from pydantic import SecretStr

from client.admission.coordinator import CoordinatorClient
from client.admission.fetching import keep_receipts
from client.admission.membership import RunMembership
from client.admission.tasks import KeepReceiptsTask
from client.api.errors import CoordinatorAway, GateError, StateError
from core.admission.receipts import Receipt, SignedReceipt
from core.signing import SigningKey
from tests.gate.served_gate import Instead, ServedGate


@pytest.fixture
def task(gate: ServedGate, tmp_path: Path) -> KeepReceiptsTask:
    membership = RunMembership(
        name="anna", coordinator=gate.address, run=gate.run, secret=SecretStr("a" * 43)
    )
    return KeepReceiptsTask(
        coordinator=gate.address, membership=membership, gate=gate.gate, folder=tmp_path / "receipts"
    )


def receipt(gate: ServedGate, samples: int, key: SigningKey | None = None, run: str = "") -> SignedReceipt:
    given = Receipt(
        run=run or gate.run, name="anna", samples=samples, compute_seconds=1.0, epochs=1, day=date(2026, 6, 1)
    )
    return SignedReceipt.sign(given, key or gate.context.gate_key)


def fetch(gate: ServedGate, task: KeepReceiptsTask, *given: SignedReceipt) -> int:
    body = {"receipts": [json.loads(item.model_dump_json()) for item in given]}
    gate.instead["/api/receipts"] = Instead(200, json.dumps(body).encode())
    return keep_receipts(task, CoordinatorClient(gate.address))


def test_receipts_are_kept_and_can_be_verified_without_the_coordinator(
    gate: ServedGate, task: KeepReceiptsTask
) -> None:
    assert fetch(gate, task, receipt(gate, 64)) == 1
    (file,) = task.folder.iterdir()
    assert file.name == "2026-06-01.json"
    assert SignedReceipt.parse(file.read_bytes()).verify(gate=gate.gate, run=gate.run).samples == 64


def test_a_receipt_that_says_less_of_its_day_replaces_none(gate: ServedGate, task: KeepReceiptsTask) -> None:
    for samples, kept in ((64, 64), (32, 64), (96, 96)):
        fetch(gate, task, receipt(gate, samples))
        (file,) = task.folder.iterdir()
        assert SignedReceipt.parse(file.read_bytes()).receipt.samples == kept


def test_what_the_gate_has_not_signed_for_this_run_is_not_kept(
    gate: ServedGate, task: KeepReceiptsTask
) -> None:
    for bad in (receipt(gate, 64, SigningKey.generate()), receipt(gate, 64, run="f" * 64)):
        with pytest.raises(GateError, match="invalid receipt"):
            fetch(gate, task, receipt(gate, 32), bad)
        assert not task.folder.exists()


def test_garbage_and_a_folder_that_cannot_be_used_are_reported(
    gate: ServedGate, task: KeepReceiptsTask
) -> None:
    gate.instead["/api/receipts"] = Instead(200, b'{"receipts": 7}')
    with pytest.raises(CoordinatorAway):
        keep_receipts(task, CoordinatorClient(gate.address))
    task.folder.write_text("not a folder")
    with pytest.raises(StateError):
        fetch(gate, task, receipt(gate, 64))
