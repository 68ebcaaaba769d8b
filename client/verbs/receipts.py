"""The verb `receipts verify`: checks receipts and certificates without asking the run's coordinator."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import BaseModel

from client.paths import Paths
from client.verbs.options import AsJson

if TYPE_CHECKING:
    from core.admission.receipts import SignedCertificate, SignedReceipt
    from core.run.manifest import RunManifest

receipts = typer.Typer(help="Check signed receipts and certificates.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(receipts, name="receipts")


@receipts.callback()
def _several() -> None:
    """Keep `verify` a word of its own: typer drops the name of a single verb."""


@receipts.command()
def verify(
    files: Annotated[list[Path], typer.Argument(help="JSON files of receipts or certificates.")],
    run: Annotated[
        Path | None,
        typer.Option(
            metavar="MANIFEST", help="The manifest run.toml of their run. Without it, a joined run's is used."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check that the run's coordinator signed each file, and print what the files state.

    The exit status is 0 only if all of them are genuine.
    """
    given = None if run is None else _manifest(run)
    found = [_examined(file, given) for file in files]
    if as_json:
        print(json.dumps([each.model_dump() for each in found]))
    else:
        print("".join(each.text for each in found), end="")
    if not all(each.genuine for each in found):
        raise typer.Exit(1)


class ExaminedFile(BaseModel):
    """A file that was checked: what it states, or the reason why it is refused."""

    file: str
    genuine: bool
    states: dict[str, Any] = {}
    """Values that the file states, by name; empty if it is refused."""
    problem: str = ""
    remedy: str = ""

    @property
    def text(self) -> str:
        """Lines for a terminal."""
        if not self.genuine:
            return f"{self.file}: refused. {self.problem}\n  {self.remedy}\n"
        values = (f"  {name.replace('_', ' '):<16} {value}\n" for name, value in self.states.items())
        return f"{self.file}: genuine\n{''.join(values)}"


def _examined(file: Path, manifest: "RunManifest | None") -> ExaminedFile:
    """Check one file; None: by the manifest of the joined run that the file names."""
    from core.errors import ManifestError, ReceiptError

    try:
        signed = _read(file)
        states = _statement(signed, manifest or _joined(signed))
    except (ReceiptError, ManifestError) as error:
        return ExaminedFile(file=str(file), genuine=False, problem=error.what, remedy=error.remedy)
    return ExaminedFile(file=str(file), genuine=True, states=states)


def _read(file: Path) -> "SignedReceipt | SignedCertificate":
    from core.admission.receipts import MAX_RECEIPT_BYTES, parse_signed
    from core.errors import ReceiptError
    from core.storage.files import read_bounded

    try:
        return parse_signed(read_bounded(file, MAX_RECEIPT_BYTES))
    except OSError as error:
        reason = f"It cannot be read: {error.strerror or error}."
        raise ReceiptError(reason, "Give a file that you may read.") from error
    except ValueError as error:
        raise ReceiptError("It is too long for a receipt or a certificate.", "Give the JSON file.") from error


def _joined(signed: "SignedReceipt | SignedCertificate") -> "RunManifest":
    """Return the manifest of the run that the file names, if this computer has joined it."""
    from client.joining.run_card import MANIFEST
    from core.errors import ReceiptError

    place = Paths.of_user().run(signed.statement.run) / MANIFEST
    if not place.is_file():
        raise ReceiptError(
            f"This computer has not joined the run {signed.statement.run[:16]}, so its key is not known here.",
            "Give the run's manifest with --run; its organiser publishes it as run.toml.",
        )
    return _manifest(place)


def _manifest(place: Path) -> "RunManifest":
    from core.run.manifest import RunManifest

    return RunManifest.load(place)


def _statement(signed: "SignedReceipt | SignedCertificate", manifest: "RunManifest") -> dict[str, object]:
    """Return what a genuine file states, by name; ReceiptError if it is not genuine."""
    from core.admission.receipts import SignedCertificate
    from core.errors import ReceiptError

    if manifest.contact.gate is None:
        raise ReceiptError(
            f"The run {manifest.contact.title} has no gate, so nothing is signed for its volunteers.",
            "Give the manifest of the run that the file names.",
        )
    found = signed.verify(gate=manifest.contact.gate.key, run=manifest.training_digest)
    code = {"code": signed.code} if isinstance(signed, SignedCertificate) else {}
    return {**found.model_dump(mode="json"), **code, "organiser": manifest.fingerprint}
