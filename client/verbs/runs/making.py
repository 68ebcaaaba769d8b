"""The verb `runs make-list`: a signed list of runs, which anyone can keep and host."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer


def make_list(
    links: Annotated[
        list[str], typer.Argument(metavar="LINK...", help="Join links of the runs, without invitations.")
    ],
    out: Annotated[Path, typer.Option(help="File to write; an older issue there is replaced.")],
    key: Annotated[Path, typer.Option(help="File of the key to sign with; made if it is missing.")],
    title: Annotated[str, typer.Option(help="Title of the list.")],
    picture: Annotated[
        list[Path] | None,
        typer.Option(help="PNG or WebP file for the first run; again for the second, and so on."),
    ] = None,
) -> None:
    """Make a list of runs, each with a card of what it says of itself and what it needs. Host the file anywhere."""
    from client.directory.making import card_of, issue
    from client.directory.reading import LIST_WORDING, read_list
    from client.fetching.web_client import WebClient
    from core.signing import SigningKey
    from core.storage.files import write_atomically
    from core.swarm.bandwidth import Line

    signing = SigningKey.load_or_create(key)
    pictures = [*(picture or []), *[None] * len(links)]
    with WebClient.through(Line(), LIST_WORDING) as web:
        before = read_list(str(out), web)[0] if out.exists() else None
        cards = [card_of(link, web, file) for link, file in zip(links, pictures, strict=False)]
    made = issue(title, cards, signing, datetime.now(UTC), before)
    write_atomically(out, made.text())
    print(f"Runs on {out}: {len(cards)}. Its key is {made.fingerprint}: publish that with its address.")
