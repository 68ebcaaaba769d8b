"""The verbs of `coordinator` about the run itself: init, serve, status, backup, restore."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from client.joining.embedded import MANIFESTS, NAMES, embedded_run
from client.verbs.options import HERE, AsJson, HomeOption

if TYPE_CHECKING:
    from coordinator.home import Home
    from coordinator.opened import OpenedRun
    from coordinator.settings import Settings
    from core.run.manifest import RunManifest

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The coordinator's folder.")]


def init(
    folder: Folder,
    run: Annotated[
        str,
        typer.Option(
            help="Run to create: embedded, embedded-all, embedded-text, or the file of a manifest or a draft."
        ),
    ] = "embedded",
    title: Annotated[
        str | None, typer.Option(help="Title of the run. Default: the title in the manifest.")
    ] = None,
    least_version: Annotated[
        str | None,
        typer.Option(
            metavar="VERSION",
            help="Oldest version of Idlebrush that may train the run, such as 0.3; any: all versions.",
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Public address of the website, such as https://train.example.org."),
    ] = None,
    open_gate: Annotated[bool, typer.Option("--open", help="Admit any computer without a sign-in.")] = False,
    client_id: Annotated[
        str | None, typer.Option(metavar="ID", help="Client ID of this coordinator's OAuth app on the Hub.")
    ] = None,
    admits: Annotated[
        str | None,
        typer.Option(
            help="Who may join after signing in: anyone, organisation, list or invitation.", metavar="WHO"
        ),
    ] = None,
    organisation: Annotated[
        str | None, typer.Option(metavar="ORG", help="Organisation on the Hub whose members may join.")
    ] = None,
    moderator: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Member who may ban others; may be given several times."),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=1, max=65_535, help="Port of the website on this machine.")
    ] = None,
    swarm_port: Annotated[
        int | None,
        typer.Option(min=1, max=65_534, help="Port of the swarm. The publisher uses the next port."),
    ] = None,
    publish_to: Annotated[
        str | None, typer.Option(metavar="REPO", help="Repository on the Hub for checkpoints.")
    ] = None,
    optimizer: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="Optimizer of the run, lamb or adamw. Default: the manifest's."),
    ] = None,
    learning_rate: Annotated[
        float | None,
        typer.Option(metavar="RATE", help="Peak learning rate. Another optimizer needs another rate."),
    ] = None,
) -> None:
    """Create a run and its folder. If the folder exists, change its settings but keep its keys."""
    from coordinator.create import NewRun, create
    from coordinator.draft import Draft
    from coordinator.home import Home
    from coordinator.settings import Settings
    from coordinator.settings_choice import Choice, settings_for

    now, home = datetime.now(UTC), Home(folder)
    draft = Draft.load(embedded_run() / MANIFESTS[NAMES[run]] if run in NAMES else Path(run), now)
    draft = draft.with_optimizer(optimizer, learning_rate)
    choice = Choice(
        address=address,
        open_gate=open_gate,
        client_id=client_id,
        admits=admits,
        organisation=organisation,
        moderators=tuple(moderator) if moderator else None,
        port=port,
        swarm_port=swarm_port,
        publish_to=publish_to,
    )
    before = Settings.load(home.settings) if home.settings.exists() else None
    was_made, settings = home.manifest.exists(), settings_for(choice, home)
    least = "" if least_version == "any" else least_version
    manifest = create(home, NewRun(draft, title, least), settings, now)
    print(f"{'Changed' if was_made else 'Created'} {manifest.contact.title} in {home.root}.")
    _print_next_steps(home, manifest, settings)
    if before is not None and before.moderators and not settings.moderators:
        print(f"Moderators were removed: {', '.join(before.moderators)}. An open run has no sign-in.")
    if was_made and home.is_served:
        print("Restart `serve`: it reads the settings only at its start.")


def _print_next_steps(home: "Home", manifest: "RunManifest", settings: "Settings") -> None:
    from coordinator.contact import join_link
    from coordinator.settings import Admits

    if manifest.contact.least_version:
        print(f"Volunteers need Idlebrush {manifest.contact.least_version} or newer.")
    print(f"Settings: {home.settings}")
    print(f"Keys: {home.organiser_key.parent} - keep a copy elsewhere. Anyone who has them controls the run.")
    if settings.gate.admits is Admits.INVITATION and not settings.gate.open:
        print(
            f"Only invited people may join. To invite them: idlebrush coordinator invite --home {home.root}"
        )
    else:
        print(f"Invite volunteers with this link: {join_link(manifest, settings)}")
    if settings.gate.open:
        print("The gate is open: any computer may join, and contributions are anonymous.")
    else:
        print(f"Volunteers sign in to join. The gate admits {_admitted(settings)}.")
    print(f"Next: idlebrush coordinator serve {home.root}")


def _admitted(settings: "Settings") -> str:
    from coordinator.settings import Admits

    return {
        Admits.ANYONE: "anyone with an account on the Hub",
        Admits.ORGANISATION: f"members of {settings.gate.organisation}",
        Admits.LIST: "people whom you list with `idlebrush coordinator allow`",
        Admits.INVITATION: "people with an invitation",
    }[settings.gate.admits]


def serve(
    folder: Folder,
    headless: Annotated[
        bool, typer.Option("--headless", help="Print lines instead of a panel, for a service.")
    ] = False,
) -> None:
    """Serve the run: website, gate, entry to the swarm, recorder and publisher, until Ctrl-C.

    DATABASE_URL in the environment names a PostgreSQL database to use in place of the folder's; HF_TOKEN is the
    organiser's token, to publish checkpoints and to see who is in the organisation.
    """
    from rich.console import Console

    from coordinator.home import Home
    from coordinator.serving.foreground import display
    from coordinator.serving.foreground import serve as serve_home

    with display(Console(), plain=headless) as show:
        serve_home(Home(folder), os.environ, show)


def status(home: HomeOption = HERE, as_json: AsJson = False) -> None:
    """Show the state of the run and the checkpoints that are kept."""
    from coordinator.home import Home
    from coordinator.opened import opened

    with opened(Home(home)) as opened_run:
        figures = _status(opened_run)
    if as_json:
        print(json.dumps(figures, default=str))
        return
    for name, value in figures.items():
        print(f"{name.replace('_', ' ')}: {_in_words(value)}")


def backup(
    file: Annotated[Path, typer.Argument(help="File for the copy of the database.")],
    home: HomeOption = HERE,
) -> None:
    """Copy the folder's database while it is in use; PostgreSQL has its own tools."""
    from coordinator.home import Home
    from coordinator.opened import opened

    with opened(Home(home)) as opened_run:
        opened_run.database.backup(file)
    print(f"The database is in {file}. It holds no keys and settings: copy {home} as well, once.")


def restore(
    file: Annotated[Path, typer.Argument(help="File that `backup` wrote.")],
    home: HomeOption = HERE,
) -> None:
    """Restore a backup of the database. The old database is kept under another name. Stop `serve` first."""
    from coordinator.home import Home
    from coordinator.restoring import restore as put_back

    done = put_back(Home(home), file, os.environ, datetime.now(UTC))
    if done.aside is not None:
        print(f"The previous database was moved to {done.aside}.")
    if done.newest is not None:
        print(
            f"Bans, members and contributions after {done.newest:%Y-%m-%d %H:%M} UTC are not in the backup."
        )
        print("Repeat later bans by hand. `rebuild` enters receipts that volunteers have kept.")
    print(f"Next: idlebrush coordinator serve {home}")


def pages(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="Folder for the pages; an empty one, or one of this verb's."),
    ],
    every: Annotated[
        float,
        typer.Option(min=1, max=86_400, metavar="SECONDS", help="Seconds between two looks at the run."),
    ] = 5.0,
    once: Annotated[bool, typer.Option("--once", help="Write the pages once.")] = False,
    home: HomeOption = HERE,
) -> None:
    """Write the public pages to a folder, again and again until Ctrl-C, for a server that only has files."""
    import asyncio

    from coordinator.home import Home
    from coordinator.opened import opened
    from coordinator.web.static_site import StaticSite, context_of, follow

    with opened(Home(home)) as opened_run:
        site = StaticSite(context_of(opened_run), folder)
        if not once:
            print(f"The pages are written to {folder} every {every:g} seconds. Ctrl-C ends it.", flush=True)
            asyncio.run(follow(site, every))
        print(f"{asyncio.run(site.write())} files of the pages were written to {folder}.")


def _status(opened_run: "OpenedRun") -> dict[str, Any]:
    from sqlalchemy import select

    from coordinator.contact import join_link
    from coordinator.database.tables import Checkpoint, SwarmNow

    with opened_run.database.reading() as session:
        now = session.get(SwarmNow, 1)
        kept = select(Checkpoint).where(Checkpoint.standing == "kept").order_by(Checkpoint.id)
        checkpoints = [
            {
                "epoch": row.epoch,
                "generation": row.generation,
                "loss": row.loss,
                "published": row.published,
                "folder": str(opened_run.home.checkpoints / row.folder),
            }
            for row in session.scalars(kept)
        ]
        return {
            "title": opened_run.manifest.contact.title,
            "served": opened_run.home.is_served,
            "generation": opened_run.manifest.state.generation,
            "link": join_link(opened_run.manifest, opened_run.settings),
            "seen": now and now.time,
            "run": now and now.content,
            "checkpoints": checkpoints,
        }


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "".join(f"\n  {_in_words(item)}" for item in value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{name} {item}" for name, item in value.items() if item not in (None, {}))
    return "nothing yet" if value is None else str(value)
