"""The verbs of `coordinator evidence`: list, save, uphold, lift, and verify, which needs no coordinator."""

import base64
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from client.verbs.options import HERE, AsJson, HomeOption

Number = Annotated[int, typer.Argument(min=1, help="Number of the evidence, as `list` shows it.")]
Why = Annotated[str, typer.Option(metavar="REASON", help="Reason, which the audit log keeps.")]
_MOST_FILE_BYTES = 16_384
_FORGED = 1
"""Exit status for evidence that does not hold."""


def list_evidence(home: HomeOption = HERE, as_json: AsJson = False) -> None:
    """List the evidence by which the swarm sets users aside."""
    from coordinator.gate.evidence import listed
    from coordinator.home import Home
    from coordinator.opened import opened

    with opened(Home(home)) as opened_run:
        with opened_run.database.reading() as session:
            found = listed(session)
        run = opened_run.manifest.training_digest
    if not found and not as_json:
        print("No computer has been caught.")
    for row in found:
        if as_json:
            from coordinator.gate.evidence import document

            print(json.dumps({"number": row.id, "standing": row.standing, **document(row, run)}))
        else:
            print(
                f"{row.id}  {row.name}  {row.standing}  {row.seen:%Y-%m-%d %H:%M}  …{row.peer_id[-6:]} {row.words}"
            )


def save(
    number: Number,
    file: Annotated[Path, typer.Argument(help="File to write, in JSON.")],
    home: HomeOption = HERE,
) -> None:
    """Save a piece of evidence, for anyone to verify."""
    from coordinator.gate.evidence import document, evidence_by
    from coordinator.home import Home
    from coordinator.opened import opened
    from core.storage.files import write_atomically

    with opened(Home(home)) as opened_run, opened_run.database.reading() as session:
        content = document(evidence_by(session, number), opened_run.manifest.training_digest)
    write_atomically(file, json.dumps(content, indent=1).encode())
    print(f"Saved in {file}.")


def uphold(number: Number, home: HomeOption = HERE, why: Why = "") -> None:
    """Ban the user whom the evidence sets aside; the swarm has left them out before."""
    from coordinator.gate.moderation import COMMAND_LINE
    from coordinator.gate.moderation import uphold as ban
    from coordinator.home import Home
    from coordinator.opened import opened

    with opened(Home(home)) as opened_run, opened_run.database.session() as session:
        name = ban(session, number, why, actor=COMMAND_LINE, now=datetime.now(UTC))
    print(f"{name} is banned.")


def lift(number: Number, home: HomeOption = HERE, why: Why = "") -> None:
    """Grant the appeal against evidence: the swarm takes the user back within half a minute."""
    from coordinator.gate.moderation import COMMAND_LINE, grant
    from coordinator.home import Home
    from coordinator.opened import opened

    with opened(Home(home)) as opened_run, opened_run.database.session() as session:
        name = grant(session, number, why, actor=COMMAND_LINE, now=datetime.now(UTC))
        is_served = opened_run.home.is_served
    when = (
        "The swarm takes them back within half a minute"
        if is_served
        else "The swarm learns of it once `serve` runs"
    )
    print(f"The evidence against {name} is lifted. {when}.")


def verify(
    file: Annotated[Path, typer.Argument(help="File of the evidence.")],
    manifest: Annotated[Path, typer.Argument(metavar="MANIFEST", help="The manifest run.toml of the run.")],
) -> None:
    """Check evidence by the public key of the run's gate alone; the exit status is 0 only if it holds."""
    from core.run.manifest import RunManifest
    from core.storage.files import read_bounded
    from core.swarm.evidence.evidence import verified

    run = RunManifest.load(manifest)
    packed = _packed(read_bounded(file, _MOST_FILE_BYTES))
    gate = run.contact.gate.key if run.contact.gate is not None else ""
    found = verified(packed, gate=gate, run=run.training_digest)
    if found is None:
        print(f"{file}: it does not hold in this run.")
        raise typer.Exit(_FORGED)
    print(f"{file}: it holds. Computer {found.peer} of {found.user} {found.proof.in_words()}.")


def _packed(content: bytes) -> bytes:
    """Return the bytes of the evidence in a file's ``content``; empty if there are none."""
    try:
        document: Any = json.loads(content)
        return base64.b64decode(document["evidence"], validate=True)
    except (ValueError, TypeError, KeyError, RecursionError):
        return b""
