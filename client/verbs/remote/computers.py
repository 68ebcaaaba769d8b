"""The verbs `remote ...`: pairing one's computers, and controlling one from another."""

import json
import sys
import time
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from client.paths import Paths
from client.verbs.options import AsJson
from client.verbs.preferences import set_value

if TYPE_CHECKING:
    from client.api.answers import Done
    from client.api.connection import Connection
    from client.api.remote.computers import ComputerView, RemoteOrder
    from client.api.remote.control import RemoteControlView
    from client.api.requests import AnyRequest

app = typer.Typer(
    help="Control your other computers from this one, and this one from others.", no_args_is_help=True
)
NOT_REACHED = 1
"""Exit status of `remote status` if the computer cannot be reached."""
_POLL = 0.3
_PAIRING_SECONDS = 120.0
_CONNECTING_SECONDS = 20.0
_Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of a computer, as `remote list` shows it.")]


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="remote")


@app.command()
def pair() -> None:
    """Let another computer control this one: turns remote control on, and shows a code for two minutes."""
    from client.api.remote.control import ClosePairing, OpenPairing, PairingStage
    from client.verbs.remote.report import pairing_words

    with _daemon() as daemon:
        code = _ask(daemon, OpenPairing()).about
        view = _remote(daemon)
        print(pairing_words(view, code), flush=True)
        try:
            while view.pairing is not None and view.pairing.stage is PairingStage.OPEN:
                time.sleep(_POLL)
                view = _remote(daemon)
        except KeyboardInterrupt:
            print(_ask(daemon, ClosePairing()).text)
            return
    _report_pairing(view)


def _report_pairing(view: "RemoteControlView") -> None:
    from client.api.errors import RemoteError
    from client.api.remote.control import PairingStage

    stage = view.pairing.stage if view.pairing is not None else PairingStage.CLOSED
    if stage is PairingStage.PAIRED and view.pairing is not None:
        print(f"The computer {view.pairing.paired} can control this one from now on.")
        return
    why = "was wrong too often" if stage is PairingStage.VOID else "is no longer valid"
    raise RemoteError(
        f"The code {why}, and no computer was paired.", "Run `idlebrush remote pair` for a new code."
    )


@app.command()
def add(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Address that the other computer shows.")],
    name: Annotated[str, typer.Option(help="Name for it here. Default: its own.")] = "",
) -> None:
    """Add a computer that shows a code, to control it from this one; asks for the code."""
    from pydantic import SecretStr

    from client.api.remote.computers import AddComputer

    code = typer.prompt("Code") if sys.stdin.isatty() else sys.stdin.readline()
    request = AddComputer(address=address, code=SecretStr(code.strip()[:64]), name=name)
    with _daemon() as daemon:
        print(_ask(daemon, request, _PAIRING_SECONDS).text)


@app.command("list")
def list_computers(as_json: AsJson = False) -> None:
    """List the computers that this one may control, and those that may control this one."""
    from client.verbs.remote.report import listed

    with _daemon() as daemon:
        view, computers = _remote(daemon), _computers(daemon)
    if as_json:
        controllers = [item.model_dump(mode="json") for item in view.controllers]
        known = [
            {"name": item.name, "address": item.address, "fingerprint": item.fingerprint}
            for item in computers
        ]
        print(json.dumps({"is_on": view.is_on, "computers": known, "controllers": controllers}))
        return
    for line in listed(view, computers):
        print(line)


@app.command()
def remove(name: _Name) -> None:
    """Remove a computer: it can no longer be controlled from here, and no longer control this one."""
    from client.api.errors import RemoteError, RequestRefused
    from client.api.remote.computers import RemoveComputer
    from client.api.remote.control import RemoveController

    done = list[str]()
    unknown, failures = list[RequestRefused](), list[RequestRefused]()
    with _daemon() as daemon:
        for request in (RemoveComputer(name=name), RemoveController(name=name)):
            try:
                done.append(_ask(daemon, request).text)
            except RequestRefused as error:
                (unknown if error.code == RemoteError.code else failures).append(error)
    if done:
        print("\n".join(done))
    if failures or (unknown and not done):
        raise (failures or unknown)[0]


@app.command()
def on() -> None:
    """Let paired computers control this one."""
    set_value("remote-control", "on")


@app.command()
def off() -> None:
    """Let no other computer control this one, and end their connections. Pairings are kept."""
    set_value("remote-control", "off")


@app.command()
def status(name: _Name, as_json: AsJson = False) -> None:
    """Show what another computer does; the exit status is 1 if it cannot be reached."""
    from client.api.remote.computers import ComputerReach
    from client.verbs.remote.report import state_of

    view = _reached(name)
    if as_json:
        print(view.model_dump_json())
    else:
        from rich.console import Console

        Console(highlight=False).print(state_of(view))
    if view.reach is not ComputerReach.CONNECTED:
        raise typer.Exit(NOT_REACHED)


@app.command()
def pause(
    name: _Name,
    duration: Annotated[
        str | None,
        typer.Option(
            "--for", metavar="TIME", help="Length, such as 15m, 1h or tomorrow. Default: until resumed."
        ),
    ] = None,
) -> None:
    """Stop training on another computer now."""
    from datetime import UTC, datetime

    from client.api.commands import Pause
    from client.preferences.snooze import snooze_seconds

    seconds = None if duration is None else snooze_seconds(duration, datetime.now(UTC))
    _order(name, Pause(seconds=seconds), "Paused.")


@app.command()
def resume(name: _Name) -> None:
    """Let another computer's preferences decide again when it trains."""
    from client.api.commands import Resume

    _order(name, Resume(), "Resumed.")


@app.command()
def mode(
    name: _Name,
    rule: Annotated[Literal["always", "preferences", "never"], typer.Argument(help="When it is to train.")],
) -> None:
    """Set when another computer trains: always, as its preferences say, or never."""
    from client.api.commands import SetPreference

    _order(name, SetPreference(name="run-mode", value=rule), f"run-mode is {rule}.")


@app.command("set")
def set_preference(
    name: _Name,
    preference: Annotated[str, typer.Argument(help="Name of a preference, as `prefs show` lists it.")],
    value: Annotated[str, typer.Argument(help="New value.")],
) -> None:
    """Change a preference of another computer."""
    from client.api.commands import SetPreference

    _order(name, SetPreference(name=preference, value=value), f"{preference} is {value}.")


def _order(name: str, order: "RemoteOrder", done: str) -> None:
    from client.api.remote.computers import OrderComputer

    with _daemon() as daemon:
        print(_ask(daemon, OrderComputer(name=name, order=order), _PAIRING_SECONDS).text or done)


def _reached(name: str) -> "ComputerView":
    """Return the computer once it is known whether it answers."""
    from client.api.errors import RemoteError
    from client.api.remote.computers import ComputerReach

    deadline = time.monotonic() + _CONNECTING_SECONDS
    with _daemon() as daemon:
        while True:
            found = [item for item in _computers(daemon) if item.name.casefold() == name.casefold()]
            if not found:
                raise RemoteError(
                    "There is no paired computer of that name.", "`idlebrush remote list` shows all of them."
                )
            is_open = found[0].is_being_tried or found[0].reach is ComputerReach.CONNECTING
            if not is_open or time.monotonic() > deadline:
                return found[0]
            time.sleep(_POLL)


def _daemon() -> "Connection":
    from client.api.launch import ensure_daemon

    return ensure_daemon(Paths.of_user())


def _computers(daemon: "Connection") -> "tuple[ComputerView, ...]":
    from client.api.remote.computers import ShowComputers

    return _ask(daemon, ShowComputers()).computers or ()


def _remote(daemon: "Connection") -> "RemoteControlView":
    from client.api.answers import Status
    from client.api.questions import GetStatus

    answer = daemon.ask(GetStatus())
    assert isinstance(answer, Status)
    assert answer.snapshot.remote is not None, "only other computers see none"
    return answer.snapshot.remote


def _ask(daemon: "Connection", request: "AnyRequest", seconds: float = 30.0) -> "Done":
    from client.api.answers import Done

    answer = daemon.ask(request, seconds)
    assert isinstance(answer, Done)
    return answer
