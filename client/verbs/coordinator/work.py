"""The verbs of `coordinator work`: list what audits found false, and lift it."""

import json
from datetime import UTC, datetime
from typing import Annotated

import typer

from client.verbs.options import HERE, AsJson, HomeOption

_Number = Annotated[int, typer.Argument(min=1, help="Number of the audit, as `list` shows it.")]
_Why = Annotated[str, typer.Option(metavar="REASON", help="Reason, which the audit log keeps.")]


def list_false_work(home: HomeOption = HERE, as_json: AsJson = False) -> None:
    """List the audits that found work false, so that it is not credited."""
    from coordinator.home import Home
    from coordinator.ledger.checked_work import false_work
    from coordinator.opened import opened

    with opened(Home(home)) as opened_run, opened_run.database.reading() as session:
        found = false_work(session, limit=None)
    if not found and not as_json:
        print("No work was found false.")
    for one in found:
        if as_json:
            shown = {
                "number": one.number,
                "name": one.name,
                "standing": one.row.standing,
                "epoch": one.epoch,
                "rows": one.rows,
                "difference": one.difference,
                "withheld_samples": one.withheld_samples,
                "finding": one.finding,
            }
            print(json.dumps(shown))
        else:
            print(
                f"{one.number}  {one.name}  {one.row.standing}  {one.row.time:%Y-%m-%d %H:%M}  "
                f"{one.withheld_samples:,} samples withheld  …{one.peer_id[-6:]} {one.finding}"
            )


def lift(number: _Number, home: HomeOption = HERE, why: _Why = "") -> None:
    """Take back an audit's verdict, and credit what it alone withholds."""
    from coordinator.gate.moderation import COMMAND_LINE, lift_audit
    from coordinator.home import Home
    from coordinator.opened import opened

    with opened(Home(home)) as opened_run, opened_run.database.session() as session:
        name = lift_audit(session, number, why, by=COMMAND_LINE, now=datetime.now(UTC))
    print(f"The verdict on the work of {name} is lifted. What no other verdict withholds is credited.")
