"""The verbs of `coordinator` about people: invite, allow, members, moderator, ban, unban, take-down, audit."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client.verbs.options import HERE, AsJson, HomeOption

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_UNUSED_LIST = """The list has no effect yet: the gate of this run does not admit by list.
Set admits = "list" under [gate] in coordinator.toml and restart `serve`."""
_Name = Annotated[str, typer.Argument(help="User name on the Hugging Face Hub.")]
Names = Annotated[list[str], typer.Argument(help="User names on the Hugging Face Hub.")]


def invite(
    home: HomeOption = HERE,
    uses: Annotated[int, typer.Option(min=1, help="Number of people who may use the invitation.")] = 1,
    days: Annotated[float, typer.Option(min=0, help="Days until the invitation expires.")] = 7.0,
    note: Annotated[str, typer.Option(help="Note on the recipient; only you see it.")] = "",
) -> None:
    """Print an invitation: a link for a run whose gate admits by invitation."""
    from coordinator.contact import join_link
    from coordinator.gate.entry import invite as new_invitation
    from coordinator.gate.moderation import COMMAND_LINE
    from coordinator.home import Home
    from coordinator.opened import opened
    from coordinator.settings import require_invitations

    with opened(Home(home)) as opened_run, opened_run.database.session() as session:
        require_invitations(opened_run.settings)
        code = new_invitation(
            session, uses=uses, days=days, actor=COMMAND_LINE, now=datetime.now(UTC), reason=note
        )
        link = join_link(opened_run.manifest, opened_run.settings, code)
    print(link)


def allow(names: Names, home: HomeOption = HERE) -> None:
    """Add users to the list of people who may join, if the gate admits by list."""
    from coordinator.gate.entry import allow as put_on_list
    from coordinator.gate.moderation import COMMAND_LINE
    from coordinator.home import Home
    from coordinator.opened import opened
    from coordinator.settings import Admits

    with opened(Home(home)) as opened_run, opened_run.database.session() as session:
        put_on_list(session, names, COMMAND_LINE, datetime.now(UTC))
        is_used = opened_run.settings.gate.admits is Admits.LIST
    print(f"Allowed: {', '.join(names)}.")
    if not is_used:
        print(_UNUSED_LIST, file=sys.stderr)


def disallow(names: Names, home: HomeOption = HERE) -> None:
    """Remove users from the list of people who may join; they are excluded when their access tokens expire."""
    from coordinator.gate.entry import disallow as take_off_list
    from coordinator.gate.moderation import COMMAND_LINE

    with _session(home) as session:
        take_off_list(session, names, COMMAND_LINE, datetime.now(UTC))
    print(f"No longer allowed: {', '.join(names)}.")


def members(home: HomeOption = HERE, as_json: AsJson = False) -> None:
    """List who has joined."""
    from coordinator.gate.moderation import PAGE
    from coordinator.gate.moderation import members as listed

    after, first = "", True
    while first or after:
        with _session(home) as session:
            page = listed(session, after=after)
        for user in page:
            if as_json:
                print(json.dumps(asdict(user), default=str))
            else:
                state = f"banned: {user.ban_reason}" if user.banned else f"{user.peers} peers"
                print(f"{user.name}  since {user.created:%Y-%m-%d}  {state}")
        if first and not page and not as_json:
            print("No volunteer has joined yet.")
        first, after = False, page[-1].name if len(page) == PAGE else ""


def add_moderator(name: _Name, home: HomeOption = HERE) -> None:
    """Let a member moderate."""
    _set_moderator(name, home, True)
    print(f"{name} may moderate now.")


def remove_moderator(name: _Name, home: HomeOption = HERE) -> None:
    """Remove a member from the moderators."""
    _set_moderator(name, home, False)
    print(f"{name} is no longer a moderator, unless coordinator.toml lists this name.")


def ban(
    name: _Name,
    home: HomeOption = HERE,
    reason: Annotated[str, typer.Option(help="Reason that is shown to the member.")] = "",
    at_once: Annotated[
        bool, typer.Option("--at-once", help="Do not wait until their access tokens expire.")
    ] = False,
) -> None:
    """Exclude a member from the run, with all of their computers."""
    from coordinator.gate.moderation import COMMAND_LINE
    from coordinator.gate.moderation import ban as exclude

    with _session(home) as session:
        exclude(session, name, reason=reason, at_once=at_once, actor=COMMAND_LINE, now=datetime.now(UTC))
    when = "at once" if at_once else "when their access token expires, within minutes"
    print(f"{name} is banned. The ban takes effect {when}.")


def unban(name: _Name, home: HomeOption = HERE) -> None:
    """Let a banned member sign in again."""
    from coordinator.gate.moderation import COMMAND_LINE
    from coordinator.gate.moderation import unban as admit_again

    with _session(home) as session:
        admit_again(session, name, actor=COMMAND_LINE, now=datetime.now(UTC))
    print(f"{name} may sign in again.")


def take_down(
    epoch: Annotated[int, typer.Argument(min=0, help="Epoch of the picture, as the gallery shows it.")],
    home: HomeOption = HERE,
) -> None:
    """Take a picture of the time-lapse off the website."""
    from coordinator.gate.moderation import COMMAND_LINE, take_down_picture
    from coordinator.home import Home

    with _session(home) as session:
        files = take_down_picture(session, epoch, actor=COMMAND_LINE, now=datetime.now(UTC))
    for file in files:
        (Home(home).frames / file).unlink(missing_ok=True)
    print(f"The picture of epoch {epoch} is no longer shown.")


def audit(
    home: HomeOption = HERE,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Number of newest entries to show.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Show who did what: bans, invitations, rollbacks, sign-ins that were refused."""
    from coordinator.gate.audit import entries

    with _session(home) as session:
        found = entries(session, limit=limit)
    if not found and not as_json:
        print("Nothing has happened yet.")
    for entry in reversed(found):
        if as_json:
            print(json.dumps(asdict(entry), default=str))
        else:
            times = f" ({entry.count} times)" if entry.count > 1 else ""
            words = " ".join(filter(None, (entry.actor, entry.action, entry.subject, entry.detail)))
            print(f"{entry.time:%Y-%m-%d %H:%M:%S}  {words}{times}")


def _set_moderator(name: str, home: Path, moderator: bool) -> None:
    from coordinator.gate.moderation import COMMAND_LINE, set_moderator

    with _session(home) as session:
        set_moderator(session, name, moderator, actor=COMMAND_LINE, now=datetime.now(UTC))


@contextmanager
def _session(home: Path) -> Iterator["Session"]:
    from coordinator.home import Home
    from coordinator.opened import opened

    with opened(Home(home)) as opened_run, opened_run.database.session() as session:
        yield session
