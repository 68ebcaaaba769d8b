"""The verb `demo`."""

from pathlib import Path
from typing import Annotated

import typer

from client.joining.embedded import EmbeddedSet, embedded_run
from client.paths import Paths
from client.verbs.app import has_app, open_app
from core.packages import PackageSet, require

DEMO = Path("demo")
"""Folder of a demo that does a certain number of epochs, unless another is given."""


def register(app: typer.Typer) -> None:
    app.command()(demo)


def demo(
    out: Annotated[
        Path | None,
        typer.Option(
            help="Working folder; a demo in it is resumed. Default: demo with --epochs, --run all or --run text, "
            "else that of the app's swarm, with which the demo goes on, and the app with it."
        ),
    ] = None,
    epochs: Annotated[
        int | None,
        typer.Option(
            min=1, help="Total number of epochs after which the demo stops. Default: it runs until Ctrl-C."
        ),
    ] = None,
    peers: Annotated[int, typer.Option(min=1, max=64, help="Trainer processes.")] = 2,
    kind: Annotated[
        EmbeddedSet,
        typer.Option("--run", "--set", help="Embedded run to train."),
    ] = EmbeddedSet.STARTER,
    threads: Annotated[
        int | None,
        typer.Option(min=1, help="Threads of each trainer. Default: the cores are divided among them."),
    ] = None,
    headless: Annotated[
        bool,
        typer.Option(
            "--headless",
            help="Open no window: train with a swarm on this machine, and show it in the terminal.",
        ),
    ] = False,
) -> None:
    """Train the embedded run here: in the app, or without a display with a swarm of several trainers."""
    if not headless and epochs is None and has_app():
        open_app(offer="embedded-text" if kind is EmbeddedSet.TEXT else "embedded")
    require(PackageSet.TRAINER, PackageSet.COORDINATOR)
    from rich.console import Console

    from client.demo.coordinating import coordinate
    from client.demo.demo import DemoSettings, train_here

    folder = out or (Paths.of_user().swarm if epochs is None and kind is EmbeddedSet.STARTER else DEMO)
    is_of_app = folder == Paths.of_user().swarm
    settings = DemoSettings(folder, embedded_run(), peers, epochs, kind, threads, keeps_rules=is_of_app)
    raise typer.Exit(train_here(settings, Console(), coordinate))
