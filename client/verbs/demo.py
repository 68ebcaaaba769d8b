"""The verb `demo`."""

from pathlib import Path
from typing import Annotated

import typer

from client.joining.embedded import EmbeddedSet, embedded_run


def register(app: typer.Typer) -> None:
    app.command()(demo)


def demo(
    out: Annotated[Path, typer.Option(help="Folder to work in; a demo in it goes on.")] = Path("demo"),
    epochs: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many epochs in all; without, go on until Ctrl-C.")
    ] = None,
    peers: Annotated[int, typer.Option(min=1, max=64, help="Trainer processes.")] = 2,
    kind: Annotated[EmbeddedSet, typer.Option("--set", help="What to learn.")] = EmbeddedSet.STARTER,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Of each trainer; without, the cores are shared out.")
    ] = None,
    headless: Annotated[bool, typer.Option("--headless", help="Open no window.")] = False,
) -> None:
    """Train the embedded run here, by a real swarm of several trainers and its coordinator."""
    from rich.console import Console

    from client.demo.demo import DemoSettings, train_here

    settings = DemoSettings(out, embedded_run(), peers, epochs, kind, threads)
    raise typer.Exit(train_here(settings, Console()))
