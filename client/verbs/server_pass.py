"""The verb `server-pass`: to sign in here for a computer that has no browser."""

from pathlib import Path
from typing import Annotated

import typer

from client.paths import Paths
from client.verbs.options import BrowserOption, InvitationOption, KeyOption, sign_in_options


def register(app: typer.Typer) -> None:
    app.command("server-pass")(make_server_pass)


def make_server_pass(
    run: Annotated[str, typer.Argument(help="A join link, or the web address of a run manifest.")],
    file: Annotated[Path, typer.Argument(help="File to write the pass to.")],
    key: KeyOption = None,
    invitation: InvitationOption = None,
    browser: BrowserOption = None,
) -> None:
    """Sign in to a run here for a server without a browser, and write the pass that admits it."""
    from client import core_dumps
    from client.joining.invitation import read_invitation
    from client.unattended.pass_making import make_pass

    core_dumps.forbid()  # the pass is in this process for a moment
    invited = read_invitation(run, key)
    print(
        make_pass(
            Paths.of_user(), invited, sign_in_options(invitation or invited.code, browser, "file"), file
        )
    )
