"""Opens the session in which a verb fetches files from the Hub, and shows how far it is."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version

from rich.console import Console

from client.account.tasks import HubSettings
from client.console.transfer_progress import files_shown
from client.fetching.web_client import WebClient
from client.recipes.hub_fetcher import WORDING, HubFetcher
from core.http_client import HttpClient


@contextmanager
def hub_session(console: Console, environment: Mapping[str, str]) -> Iterator[HubFetcher]:
    """Give what fetches files from the Hub that the ``environment`` names, and show it on a ``console``."""
    endpoint = HubSettings.of_environment(environment).endpoint
    client = HttpClient(agent=f"idlebrush/{version('idlebrush')}")
    with files_shown(console) as show, WebClient(client, WORDING) as web:
        yield HubFetcher(web, endpoint, lambda file, done, total: show(str(file), done, total))
