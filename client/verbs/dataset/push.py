"""The verb `dataset push`: uploads shards with a token that may write, which huggingface_hub alone gets."""

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tomli_w
import typer

from client.paths import Paths
from client.verbs.options import INTERRUPTED, AsJson

if TYPE_CHECKING:
    from pydantic import SecretStr

    from core.data.pushing.push import PushResult


def push(
    folder: Annotated[Path, typer.Argument(help="Folder of shards.")],
    repo: Annotated[str, typer.Argument(help="Repository to push to, as owner/name.")],
    licence: Annotated[
        str,
        typer.Option(
            "--license",
            help="License of captions and images, as the Hub names it: cc-by-4.0, apache-2.0, other.",
        ),
    ],
    private: Annotated[
        bool, typer.Option("--private", help="Keep the data set private; fails if it is public.")
    ] = False,
    revision: Annotated[str, typer.Option(help="Branch; it is created if it does not exist.")] = "main",
    message: Annotated[str, typer.Option(help="Message of the commits.")] = "Push code shards",
    token_stdin: Annotated[
        bool,
        typer.Option(
            "--token-stdin",
            help="Read a token with write access from standard input. Default: HF_TOKEN or your sign-in.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check shards and upload them to the Hugging Face Hub as a data set.

    If the upload is interrupted, run the same command again: files that are there already are not sent twice.
    """
    from client import core_dumps
    from client.console.account_dialogue import read_token

    core_dumps.forbid()  # the token is in this process
    given = read_token(False, token_stdin)
    token = _signed_in_token(Paths.of_user()) if given is None else given
    with _ended_by_interrupt():
        pushed = _push(folder, repo, revision, token, licence, message, private)
    if as_json:
        sources = {split: source.model_dump() for split, source in pushed.sources.items()}
        print(json.dumps({"commit": pushed.commit, "sources": sources}))
    else:
        print(_summary(pushed))


def _signed_in_token(paths: Paths) -> "SecretStr":
    """Return the token of huggingface_hub (HF_TOKEN, or its own sign-in), or else the volunteer's kept one.

    Raises:
        SignInError: There is none, or none that could be one for writing.
        KeyringError, StateError: The kept one cannot be had.
    """
    from huggingface_hub import get_token
    from pydantic import SecretStr

    found = get_token()
    return SecretStr(found) if found else asyncio.run(_kept_token(paths))


async def _kept_token(paths: Paths) -> "SecretStr":
    from client.account.credentials import CredentialsFile
    from client.account.safekeeping import Safekeeping
    from client.account.tasks import HubSettings
    from client.api.errors import SignInError
    from client.tasks import TaskRunner

    hub, file = HubSettings.of_environment(os.environ), CredentialsFile(paths.credentials)
    safekeeping = Safekeeping(TaskRunner(paths.log("tasks")), hub.endpoint, paths.account, file)
    note, _ = safekeeping.where()
    credentials = await safekeeping.load(note.keep)
    remedy = (
        f"Create a token with write access at {hub.endpoint}/settings/tokens, and pipe it to --token-stdin."
    )
    if credentials is None:
        raise SignInError("There is no token with write access to the Hub.", remedy)
    if credentials.kind == "oauth":
        raise SignInError("Your browser sign-in identifies you, but it may not write to the Hub.", remedy)
    return credentials.token


def _push(
    folder: Path, repo: str, branch: str, token: "SecretStr", licence: str, message: str, private: bool
) -> "PushResult":
    from rich.console import Console

    from client.account.tasks import HubSettings
    from client.console.transfer_progress import push_shown, rows_shown
    from core.data.index import ShardIndex
    from core.data.pushing.hub_repository import HubRepository, settle_library
    from core.data.pushing.push import Push

    settle_library()
    repository = HubRepository(repo, branch, token, HubSettings.of_environment(os.environ).endpoint)
    console, index = Console(stderr=True), ShardIndex.load(folder)
    with rows_shown(console, "checking", index.total_rows) as checked:
        ready = Push(folder, repository, licence, message=message, checked=checked)
    with push_shown(console) as progress:
        return ready.run(private, progress)


@contextmanager
def _ended_by_interrupt() -> Iterator[None]:
    """Let Ctrl-C end the process at once: it would wait for uploads under way, and a push may be killed."""
    from rich.console import Console

    from client.console.terminal import say

    def end(*_: object) -> None:
        console = Console(stderr=True)
        console.show_cursor()  # which a bar hides
        say(
            console,
            "Stopped. Run the same command again to continue; files that are on the Hub are not sent again.",
        )
        os._exit(INTERRUPTED)

    before = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _summary(pushed: "PushResult") -> str:
    """Return a text with the commit, and with what names each split in a manifest."""
    parts = [f"All shards are on the Hub, in commit {pushed.commit}. Add this to the manifest of a run:"]
    for split, source in pushed.sources.items():
        named = tomli_w.dumps({"training": {"data": {"hub": source.model_dump()}}})
        parts.append(f"# {split}\n{named.rstrip()}")
    return "\n\n".join(parts)
