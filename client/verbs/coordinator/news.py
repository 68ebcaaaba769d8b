"""The verbs `coordinator news add`, `list` and `remove`: messages to the volunteers."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from client.verbs.options import HERE, HomeOption

_WHEN = "The website shows it at once, and the apps of volunteers within eight hours."


def add_news(
    text: Annotated[str, typer.Argument(help="The message, as plain text. Links are shown in full.")],
    home: HomeOption = HERE,
) -> None:
    """Tell the run's volunteers something, also while the run is served. Your key signs it."""
    from coordinator.home import Home
    from coordinator.news import add_news as add

    add(Home(home), text, datetime.now(UTC))
    print(f"Added. {_WHEN}")


def list_news(home: HomeOption = HERE) -> None:
    """List the messages, newest first, with their numbers."""
    from coordinator.home import Home
    from core.run.manifest import RunManifest

    news = RunManifest.load(Home(home).manifest).contact.news
    for number, item in enumerate(news, 1):
        print(f"{number}  {item.at:%Y-%m-%d %H:%M} UTC\n{item.text}\n")
    if not news:
        print("There are none. `idlebrush coordinator news add TEXT` adds one.")


def remove_news(
    number: Annotated[int, typer.Argument(min=1, help="Number by `coordinator news list`.")],
    home: HomeOption = HERE,
) -> None:
    """Take a message back. Apps that have shown it show it no more."""
    from coordinator.home import Home
    from coordinator.news import remove_news as remove

    remove(Home(home), number, datetime.now(UTC))
    print(f"Removed. {_WHEN}")
