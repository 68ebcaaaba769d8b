"""The verb `uninstall`: removes what Idlebrush has made for this user, before the program itself is removed."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client.paths import Paths

if TYPE_CHECKING:
    from collections.abc import Callable

    from client.uninstall import UserTraces

NOT_ALL_REMOVED = 1
"""Exit status if something could not be removed."""
_KEYRING_SECONDS = 60.0
_UPDATE_SECONDS = 300.0
"""Seconds to wait for an update that is being installed: more than its two daemons may take to end and to answer."""
_KILLED_SECONDS = 30.0
_POLL = 0.05


def register(app: typer.Typer) -> None:
    app.command()(uninstall)


def uninstall(
    purge: Annotated[
        bool | None,
        typer.Option(
            "--purge/--keep",
            help="Remove your identities, contribution and pictures too, or keep them. Default: a terminal asks,"
            " and elsewhere they are kept.",
        ),
    ] = None,
) -> None:
    """Stop Idlebrush, and remove what it has made for you: the trainer's environment, runs, settings, autostart.

    The program itself is removed by what installed it: the package manager, ./uninstall or the system's settings.
    """
    from client.autostart.interface import LoginCommand
    from client.autostart.system import autostart
    from client.uninstall import UserTraces, remove

    paths = Paths.of_user()
    login, removal = autostart(LoginCommand.of_client()), removal_of_distribution(paths)
    traces = UserTraces.of_user(paths, login, Path.home(), remove_distribution=removal)
    wants_all = purge if purge is not None else _is_asked_for(paths.data)
    left = _sign_out(traces) if wants_all else []
    left += _end(paths)
    failures = remove(list(traces.steps(wants_all)), print)
    if not wants_all and paths.data.exists():
        print(f"Your identities, contribution and pictures are kept in {paths.data}.")
    for failure in [*(f"Not removed: {each.what}. {each.why}" for each in failures), *left]:
        print(failure, file=sys.stderr)
    if failures or left:
        raise typer.Exit(NOT_ALL_REMOVED)


def removal_of_distribution(paths: Paths, platform: str = sys.platform) -> "Callable[[], None] | None":
    """Return what removes the distribution in which trainers live; None where there never was one."""
    if platform != "win32" or not paths.distribution.exists():
        return None
    import asyncio

    from client.hosts.wsl.setup import WslSetup, WslSetupPlaces
    from client.hosts.wsl.windows import setup_sources

    setup = WslSetup(WslSetupPlaces.below(paths.distribution), setup_sources(paths))
    return lambda: asyncio.run(setup.remove())


def _end(paths: Paths) -> list[str]:
    """End the app and the daemon, by force if it hangs; return sentences about what goes on.

    Raises:
        ControlError: The daemon cannot be ended.
        AlreadyRunning: An update is being installed, and does not end.
    """
    from client.api.errors import AlreadyRunning

    left = _end_app(paths)
    if not paths.updates.exists():  # there was no update, and no folder is made for its lock
        _end_daemon(paths)
        return left
    from client.updates.kept import KeptUpdate

    try:
        # Between two daemons none would be found to end.
        with KeptUpdate(paths.updates).alone(_UPDATE_SECONDS):
            _end_daemon(paths)
    except BlockingIOError as error:
        raise AlreadyRunning(
            "An update of Idlebrush is being installed.", "Try again in a minute."
        ) from error
    return left


def _end_app(paths: Paths) -> list[str]:
    """End the app, which writes its settings when it ends; return a sentence if it does not."""
    from client.api.errors import ControlError
    from client.verbs.app import end_app

    try:
        end_app(paths)
    except ControlError as error:
        return [str(error)]
    return []


def _end_daemon(paths: Paths) -> None:
    from client.api.errors import ControlError
    from client.api.launch import end_silent_daemon
    from client.service.channel.lock import is_held
    from client.verbs.status import end

    problem = None
    try:
        end()
    except ControlError as error:
        problem = error
    if is_held(paths.lock):  # it hangs, or does not listen yet
        end_silent_daemon(paths)
        deadline = time.monotonic() + _KILLED_SECONDS
        while is_held(paths.lock):
            if time.monotonic() > deadline:
                raise problem or ControlError("Idlebrush cannot be ended.", "Sign out, and try again.")
            time.sleep(_POLL)
        print("Idlebrush did not end, and was ended by force.")
    elif problem is not None:
        raise problem


def _is_asked_for(data: Path) -> bool:
    if not (data.exists() and sys.stdin.isatty()):
        return False
    return typer.confirm(f"Remove your identities, contribution and pictures in {data} too?", default=False)


def _sign_out(traces: "UserTraces") -> list[str]:
    """Sign out at the keyring; return a sentence for each entry that stays."""
    import asyncio

    from client.account.tasks import CarriedOut, RemoveFromKeyring
    from client.api.errors import ClientError
    from client.console.account_dialogue import sign_out
    from client.tasks import TaskRunner

    left = []
    try:
        if traces.is_signed_in():
            print(sign_out(traces.paths))
    except ClientError as error:
        left.append(f"Your sign-in may still be kept. {error}")
    tasks = TaskRunner(traces.paths.log("uninstall"))
    for entry in traces.keyring_entries():
        try:
            asyncio.run(tasks.run(RemoveFromKeyring(entry=entry), CarriedOut, _KEYRING_SECONDS))
        except ClientError as error:
            left.append(f"The entry `{entry}` is still in the keyring. {error}")
    return left
