"""Keeps the volunteer's signed receipts, a file for each day, so that they can show later what they gave.

Only `client.errand`'s process loads this.
"""

import json
from pathlib import Path

from client.admission.coordinator import Coordinator
from client.admission.errands import KeepReceipts
from client.api.errors import GateError, StateError
from core.errors import ReceiptError
from core.files import read_bounded, write_atomically
from core.receipts import MAX_RECEIPT_BYTES, Receipt, SignedReceipt

_OWNER_ONLY = 0o600


def keep(errand: KeepReceipts, coordinator: Coordinator) -> int:
    """How many receipts there are; all are in the folder then, unless one there says more of its day.

    Raises:
        GateError: the coordinator gives something that its gate has not signed for this run; nothing of it is kept.
        StateError: they cannot be written.
    """
    run = errand.membership.run
    given = [
        _read(json.dumps(item).encode(), errand.gate, run) for item in coordinator.receipts(errand.membership)
    ]
    try:
        errand.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for signed in given:
            _keep(signed, errand.folder / f"{signed.receipt.day.isoformat()}.json", errand.gate)
    except OSError as error:
        raise StateError(
            f"The receipts cannot be written to {errand.folder}: {error.strerror or error}.",
            "See that the disk has space and the folder can be used.",
        ) from error
    return len(given)


def _read(text: bytes, gate: str, run: str) -> SignedReceipt:
    try:
        signed = SignedReceipt.parse(text)
        signed.verify(gate=gate, run=run)
    except ReceiptError as error:
        raise GateError(
            f"The run's coordinator gave a receipt that is worth nothing: {error.what}",
            "Nothing was kept. Try again later; if it stays so, tell the run's organiser.",
        ) from error
    return signed


def _keep(signed: SignedReceipt, file: Path, gate: str) -> None:
    before = _kept(file, gate, signed.receipt.run)
    if before is None or before.samples <= signed.receipt.samples:
        write_atomically(file, signed.model_dump_json(indent=2).encode() + b"\n", mode=_OWNER_ONLY)


def _kept(file: Path, gate: str, run: str) -> Receipt | None:
    """What is there of that day, if it is still worth something."""
    try:
        return _read(read_bounded(file, MAX_RECEIPT_BYTES), gate, run).receipt
    except (GateError, ValueError, FileNotFoundError):
        return None
