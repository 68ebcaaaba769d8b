"""The verb `demo`."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client.joining.embedded import EmbeddedSet, embedded_run
from client.verbs.app import has_app, open_app
from core.packages import PackageSet, require

if TYPE_CHECKING:
    from client.demo.folder import DemoFolder
    from coordinator.home import Home
    from coordinator.serving.coordinator import Coordinator
    from coordinator.serving.view import ServingView


def register(app: typer.Typer) -> None:
    app.command()(demo)


def demo(
    out: Annotated[Path, typer.Option(help="Working folder; a demo in it is resumed.")] = Path("demo"),
    epochs: Annotated[
        int | None,
        typer.Option(
            min=1, help="Total number of epochs after which the demo stops. Default: it runs until Ctrl-C."
        ),
    ] = None,
    peers: Annotated[int, typer.Option(min=1, max=64, help="Trainer processes.")] = 2,
    kind: Annotated[EmbeddedSet, typer.Option("--set", help="Pictures to learn.")] = EmbeddedSet.STARTER,
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
        open_app(offer="embedded")
    require(PackageSet.TRAINER, PackageSet.COORDINATOR)
    from rich.console import Console

    from client.demo.demo import DemoSettings, train_here

    settings = DemoSettings(out, embedded_run(), peers, epochs, kind, threads)
    raise typer.Exit(train_here(settings, Console(), coordinate))


def coordinate(folder: "DemoFolder", show: "Callable[[ServingView], None]") -> "Coordinator":
    """Return the coordinator of a demo's run."""
    from coordinator.loopback import beside_trainers

    return beside_trainers(adopted(folder), show)


def adopted(folder: "DemoFolder") -> "Home":
    """Return the coordinator's home in a demo's folder, made around its run."""
    from coordinator.home import Home
    from coordinator.loopback import adopt

    home = Home(folder.coordinator)
    adopt(home, folder.manifest, folder.key, folder.bootstrap_identity)
    return home
