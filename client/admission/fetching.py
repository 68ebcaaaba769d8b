"""Keeps the volunteer's signed receipts, a file for each day, so that they can show later what they gave.

Only `client.task`'s process loads this.
"""

import json
from pathlib import Path

from client.admission.coordinator import CoordinatorClient
from client.admission.gate_info import base_of
from client.admission.tasks import FetchSuccessor, KeepReceiptsTask, SuccessorFound
from client.api.errors import GateError, StateError
from client.fetching.web_client import WebClient
from client.joining.invitation import RunInvitation
from client.joining.join import fetch_run, verified_offer
from client.joining.run_card import MANIFEST
from client.joining.run_files import RUN_WORDING
from core.admission.receipts import MAX_RECEIPT_BYTES, Receipt, SignedReceipt
from core.errors import ReceiptError, VersionError
from core.run.join_link import MANIFEST_PATH
from core.run.least_version import update_needed
from core.run.manifest import RunManifest
from core.storage.files import read_bounded, write_atomically
from core.swarm.bandwidth import Line

_OWNER_ONLY = 0o600


def keep_receipts(task: KeepReceiptsTask, coordinator: CoordinatorClient) -> int:
    """Fetch the receipts into the task's folder; a receipt there that states more of its day is kept.

    Returns:
        Number of receipts that the coordinator gave.

    Raises:
        GateError: The coordinator gave a receipt that its gate has not signed for this run; none of them is kept.
        StateError: They cannot be written.
    """
    run = task.membership.run
    given = [
        _read(json.dumps(item).encode(), task.gate, run) for item in coordinator.receipts(task.membership)
    ]
    try:
        task.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for signed in given:
            _keep(signed, task.folder / f"{signed.receipt.day.isoformat()}.json", task.gate)
    except OSError as error:
        raise StateError(
            f"The receipts cannot be written to {task.folder}: {error.strerror or error}.",
            "Check that the disk has space and that the folder can be used.",
        ) from error
    return len(given)


def _read(text: bytes, gate: str, run: str) -> SignedReceipt:
    try:
        signed = SignedReceipt.parse(text)
        signed.verify(gate=gate, run=run)
    except ReceiptError as error:
        raise GateError(
            f"The run's coordinator sent an invalid receipt: {error.what}",
            "No receipt was saved. Try again later. If the error persists, tell the run's organiser.",
        ) from error
    return signed


def _keep(signed: SignedReceipt, file: Path, gate: str) -> None:
    before = _kept(file, gate, signed.receipt.run)
    if before is None or before.samples <= signed.receipt.samples:
        write_atomically(file, signed.model_dump_json(indent=2).encode() + b"\n", mode=_OWNER_ONLY)


def _kept(file: Path, gate: str, run: str) -> Receipt | None:
    """Return the receipt of that day in the folder; None if there is none that is valid."""
    try:
        return _read(read_bounded(file, MAX_RECEIPT_BYTES), gate, run).receipt
    except (GateError, ValueError, FileNotFoundError):
        return None


def fetch_successor(task: FetchSuccessor) -> SuccessorFound:
    """Fetch the run's newest manifest and the files that it newly names, verified, into the run's folder.

    A manifest that this version cannot read stays where it is, if it says which version can. One of which only
    addresses or news have changed is kept whatever the task is for. At a regular look that does not count as a
    change: the next trainer enters by them.

    Raises:
        ManifestError: The served manifest is not the run's, or is older than the one here.
        DownloadError: A file cannot be fetched.
        JoinError: A file cannot be kept.
    """
    before = RunManifest.load(task.folder / MANIFEST)
    invitation = RunInvitation(base_of(task.coordinator) + MANIFEST_PATH, task.fingerprint)
    with WebClient.through(Line(), RUN_WORDING) as web:
        try:
            offer = verified_offer(invitation, web, lambda _: task.folder)
        except VersionError as error:
            return SuccessorFound(changed=False, least_version=error.least)
        needed = update_needed(offer.manifest.contact.least_version)
        least = needed.least if needed else None
        is_quiet = task.for_version and least is None
        if offer.manifest == before or (is_quiet and not _is_quiet_change(before, offer.manifest)):
            return SuccessorFound(changed=False, least_version=least)
        fetch_run(offer, lambda name, done, total: None)
    return SuccessorFound(changed=not is_quiet, refreshed=is_quiet, least_version=least)


def _is_quiet_change(before: RunManifest, after: RunManifest) -> bool:
    """Return true if nothing differs but the addresses by which the swarm is entered, and the news."""
    contact = after.contact
    moved = {
        "initial_peers": contact.initial_peers,
        "news": contact.news,
        "serial": contact.serial,
        "issued_at": contact.issued_at,
    }
    return after.state == before.state and before.contact.model_copy(update=moved) == contact
