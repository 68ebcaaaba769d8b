"""Options, exit codes and package checks that several verbs share."""

import os
import sys
from collections.abc import Callable
from functools import wraps
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, ParamSpec, TypeVar

import typer

from core.errors import PackagesError
from core.packages import PackageSet, remedy_of_trainer, require

if TYPE_CHECKING:
    from client.console.join_dialogue import SignInOptions

P = ParamSpec("P")
R = TypeVar("R")

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")]
HomeOption = Annotated[
    Path,
    typer.Option(
        "--home", envvar="IDLEBRUSH_COORDINATOR", help="Folder that `coordinator init` made.", metavar="DIR"
    ),
]
KeyOption = Annotated[
    str | None,
    typer.Option(
        metavar="FINGERPRINT", help="Fingerprint of the organiser's key, if the link does not contain it."
    ),
]
InvitationOption = Annotated[
    str | None, typer.Option(metavar="CODE", help="Invitation code for the run's gate, if the link has none.")
]
BrowserOption = Annotated[
    bool | None,
    typer.Option(
        "--browser/--no-browser",
        help="Sign in through a browser on this computer, or by a code that you enter in a browser elsewhere.",
    ),
]
HERE = Path()
_INSIDE = "IDLEBRUSH_IN_ENVIRONMENT"
"""Variable of a command that the environment's Python runs, so that it is not replaced again."""
_OF_COMMANDS = ("typer", "rich", "pydantic", "platformdirs")
"""Packages without which no verb begins."""
INTERRUPTED = 130
"""Exit status after Ctrl-C, as of other programs."""


SOURCE_KINDS = (
    "A folder of images with metadata.jsonl, metadata.csv or text files of captions; .tar archives"
    " such as data/{00000..00099}.tar, or a folder of them; an output of img2dataset; or a data set"
    " on the Hub: owner/name@revision:split."
)
Subset = Annotated[str | None, typer.Option(help="Subset of a data set on the Hub that has several.")]
ImageColumn = Annotated[
    str | None, typer.Option(help="Column of images in a data set on the Hub. Default: found by its name.")
]
CaptionColumn = Annotated[
    str | None,
    typer.Option(help="Column of captions in a data set on the Hub. Default: found by its name."),
]


def sign_in_options(
    invitation: str | None, browser: bool | None, keep: Literal["keyring", "session", "file"]
) -> "SignInOptions":
    """Return how to sign in to a run, from the options that were given.

    Args:
        invitation: Invitation code for the run's gate.
        browser: True to sign in through a browser on this computer; None: if there is one.
        keep: Where to keep the sign-in.
    """
    from pydantic import SecretStr

    from client.account.tasks import HubSettings
    from client.console.join_dialogue import SignInOptions
    from client.console.sign_in import has_browser

    hub = HubSettings.of_environment(os.environ).endpoint
    opens = has_browser(os.environ) if browser is None else browser
    return SignInOptions(hub, opens, SecretStr(invitation) if invitation else None, keep)


def needs(*packages: PackageSet) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for a verb that refuses to begin where one of these sets of packages is not installed.

    A verb that needs the trainer's alone is run again by the Python of the trainer's environment, if there is one.
    """

    def decorate(verb: Callable[P, R]) -> Callable[P, R]:
        @wraps(verb)
        def guarded(*args: P.args, **options: P.kwargs) -> R:
            if packages == (PackageSet.TRAINER,):
                _go_on_in_environment()
            require(*packages)
            return verb(*args, **options)

        return guarded

    return decorate


def _go_on_in_environment() -> None:
    """Replace this process by the environment's Python with the same command line; return if there is none."""
    from client.environment.interpreter import TrainerPython
    from client.paths import Paths
    from core.children.spawning import leading_to, python

    found = TrainerPython.of_user(Paths.of_user())
    if found.is_own or _INSIDE in os.environ or not found.is_there:
        return
    if found.inside is not None:
        raise PackagesError(
            "This command computes, and on Windows what computes is within WSL, where commands have no way to.",
            "Use the app, which draws pictures there, or run the command on Linux.",
        )
    interpreter = found.find()
    assert interpreter is not None
    _require_in(interpreter.path.parents[1])
    command = python("client.cli", *sys.argv[1:], executable=interpreter.path)
    sys.stdout.flush()
    os.execve(command[0], command, {**leading_to(interpreter, os.environ), _INSIDE: "1"})


def _require_in(environment: Path) -> None:
    """Check that an environment has what the command line is made of; raise PackagesError if it lacks some."""
    sites = [str(site) for site in environment.glob("lib/python*/site-packages")]
    if lacking := [name for name in _OF_COMMANDS if PathFinder.find_spec(name, sites) is None]:
        raise PackagesError(
            f"The environment for training lacks packages: {', '.join(lacking)}.", remedy_of_trainer()
        )
