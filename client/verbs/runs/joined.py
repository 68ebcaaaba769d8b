"""The verbs `runs joined` and `runs share`: the runs that this computer trains in turns, and the share of each."""

from collections.abc import Sequence
from typing import Annotated

import typer

from client.api.runs import LARGEST_SHARE, JoinedRunView
from client.paths import Paths
from client.verbs.options import AsJson


def joined(as_json: AsJson = False) -> None:
    """Show the runs that you have joined: share, state, and the time that this computer has trained each."""
    import json
    from datetime import datetime

    runs = _joined_runs()
    if as_json:
        print(json.dumps({"runs": [run.model_dump(mode="json") for run in runs]}))
        return
    from rich.console import Console

    from client.console.run_cards import table_of_joined

    Console(highlight=False).print(table_of_joined(runs, datetime.now().astimezone()))


def share(
    run: Annotated[str, typer.Argument(help="Title, part of the title or digest of a joined run.")],
    number: Annotated[
        int,
        typer.Argument(
            metavar="SHARE",
            min=0,
            max=LARGEST_SHARE,
            help="A run has its share of the sum of all shares. 0: it trains only while no other run can.",
        ),
    ],
) -> None:
    """Set a joined run's share of the training time. Each run has 100 at first."""
    from client.api.answers import Done
    from client.api.runs import SetShare
    from client.verbs.status import daemon_with_run

    digest = run_named(_joined_runs(), run).digest
    with daemon_with_run(Paths.of_user()) as daemon:
        answer = daemon.ask(SetShare(run=digest, share=number))
        print(answer.text if isinstance(answer, Done) else "")


def run_named(runs: Sequence[JoinedRunView], name: str) -> JoinedRunView:
    """Return the joined run that ``name`` means: by title, by the beginning of its digest, or by part of its title.

    Raise JoinError if it means none, or several.
    """
    from client.api.errors import JoinError

    wanted = name.strip().casefold()
    exact = [run for run in runs if wanted in (run.title.casefold(), run.digest)]
    found = exact or [
        run
        for run in runs
        if wanted and (wanted in run.title.casefold() or (len(wanted) > 5 and run.digest.startswith(wanted)))
    ]
    if len(found) == 1:
        return found[0]
    what = f"{len(found)} joined runs are called {name}." if found else f"No joined run is called {name}."
    raise JoinError(what, f"Joined: {_titles(runs)}. Give the whole title, or the beginning of the digest.")


def run_to_leave(runs: Sequence[JoinedRunView], name: str | None) -> str:
    """Return the digest of the run to leave; empty for the only one, which needs no name.

    Raise JoinError if several are joined and none is named.
    """
    from client.api.errors import JoinError

    if name is not None:
        return run_named(runs, name).digest
    if len(runs) > 1:
        raise JoinError(
            f"{len(runs)} runs are joined: {_titles(runs)}.",
            "Name the one to leave: `idlebrush leave TITLE`.",
        )
    return ""


def _titles(runs: Sequence[JoinedRunView]) -> str:
    return ", ".join(f"{run.title} ({run.digest[:8]})" for run in runs) or "none"


def _joined_runs() -> tuple[JoinedRunView, ...]:
    """Ask the daemon for the joined runs; raise NoRun if there are none."""
    from client.api.errors import NoRun
    from client.console.sign_in import look
    from client.verbs.status import daemon_with_run

    with daemon_with_run(Paths.of_user()) as daemon:
        runs = look(daemon).runs
    if not runs:
        raise NoRun
    return runs
