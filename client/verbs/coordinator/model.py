"""The verbs of `coordinator` about the model and its records: rollback, publish, rebuild."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client.verbs.options import HERE, HomeOption

if TYPE_CHECKING:
    from coordinator.opened import OpenedRun

Wait = Annotated[float, typer.Option(min=0, help="Seconds to wait for the publisher.")]
_POLL = 0.2
NOT_DONE = 1
"""Exit status where the publisher has not done it in time."""


def rollback(
    epoch: Annotated[
        int | None, typer.Argument(min=0, help="Epoch of a kept checkpoint; `status` lists them.")
    ] = None,
    before: Annotated[
        int | None,
        typer.Option(min=1, metavar="EPOCH", help="Take the newest kept checkpoint before this epoch."),
    ] = None,
    why: Annotated[str, typer.Option(metavar="REASON", help="Reason, which the audit log keeps.")] = "",
    home: HomeOption = HERE,
    wait: Wait = 120.0,
) -> None:
    """Roll the run back to an earlier checkpoint: all peers load it and continue from it.

    What volunteers contributed since stays credited.
    """
    from coordinator.gate.moderation import COMMAND_LINE
    from coordinator.home import Home
    from coordinator.opened import opened
    from coordinator.rollback import epoch_before, request

    if (epoch is None) == (before is None):
        raise typer.BadParameter("give either the epoch of a checkpoint or --before EPOCH")
    with opened(Home(home)) as opened_run:
        chosen = epoch if before is None else epoch_before(opened_run.database, before)
        assert chosen is not None
        if before is not None:
            print(f"The newest checkpoint before epoch {before} is of epoch {chosen}.")
        _follow(opened_run, request(opened_run.database, chosen, by=COMMAND_LINE, why=why), wait)


def publish(
    home: HomeOption = HERE,
    epoch: Annotated[
        int | None, typer.Argument(min=0, help="Epoch of a kept checkpoint. Default: the newest.")
    ] = None,
    wait: Wait = 600.0,
) -> None:
    """Publish a checkpoint on the Hugging Face Hub now."""
    from coordinator.gate.moderation import COMMAND_LINE
    from coordinator.home import Home
    from coordinator.opened import opened
    from coordinator.publisher.orders import request_publication, require_publication

    with opened(Home(home)) as opened_run:
        training, settings = opened_run.manifest.training, opened_run.settings.checkpoints
        require_publication(opened_run.database, training, settings.publish_to, epoch)
        order = request_publication(opened_run.database, epoch, by=COMMAND_LINE)
        _follow(opened_run, order, wait, "with HF_TOKEN in its environment")


def rebuild(
    receipts: Annotated[
        list[Path], typer.Argument(help="Receipts that volunteers have kept: files, or folders of them.")
    ],
    home: HomeOption = HERE,
) -> None:
    """Enter volunteers' signed receipts after the database was lost; no receipt counts twice."""
    from coordinator.home import Home
    from coordinator.ledger.rebuild import rebuild as restore
    from coordinator.opened import opened
    from core.signing import SigningKey

    with opened(Home(home)) as opened_run:
        done = restore(
            opened_run.database,
            _texts(receipts),
            gate=SigningKey.load(opened_run.home.gate_key).public_key,
            run=opened_run.manifest.training_digest,
            now=datetime.now(UTC),
        )
    for why in done.refused:
        print(f"Refused: {why}")
    print(f"The ledger has {done.days} days of {done.volunteers} volunteers from these receipts.")


def _follow(opened_run: "OpenedRun", order: int, seconds: float, condition: str = "") -> None:
    """Wait until an order was carried out, and report its outcome."""
    from coordinator.publisher.orders import outcome

    if not opened_run.home.is_served:
        print(
            f"The order is executed once `idlebrush coordinator serve` runs{condition and f' {condition}'}."
        )
        return
    deadline = time.monotonic() + seconds
    while (known := outcome(opened_run.database, order)) is None:
        if time.monotonic() >= deadline:
            print(
                "The publisher is not finished yet. Check the result later with `idlebrush coordinator audit`."
            )
            raise typer.Exit(NOT_DONE)
        time.sleep(_POLL)
    print(known.text)


def _texts(places: list[Path]) -> list[bytes]:
    from core.admission.receipts import MAX_RECEIPT_BYTES
    from core.storage.files import read_bounded

    files = [
        file for place in places for file in (sorted(place.glob("*.json")) if place.is_dir() else [place])
    ]
    return [read_bounded(file, MAX_RECEIPT_BYTES) for file in files]
