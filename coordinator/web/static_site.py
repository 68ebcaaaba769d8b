"""Writes the public pages to a folder every few seconds, for a web server or a bucket that only has files."""

import asyncio
import hashlib
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import fields
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.types import Scope

from coordinator.errors import HomeError
from coordinator.opened import OpenedRun
from coordinator.packages.folder import PackageFolder
from coordinator.web.app import create_app
from coordinator.web.assets import Assets
from coordinator.web.caching.recording import RecordedResponse, recorded
from coordinator.web.context import WebContext
from coordinator.web.limits import Rate, Rates
from coordinator.web.pages.evaluation import ADDRESS as EVALUATION
from coordinator.web.pages.handbook import built_handbook
from core.signing import SigningKey
from core.storage.files import write_atomically

_log = logging.getLogger(__name__)

PAGES = (
    "/",
    "/dashboard",
    "/gallery",
    "/leaderboard",
    "/method",
    "/security",
    "/checkpoints",
    "/recipe",
    "/api",
)
"""Pages that are written: those that all readers get alike, and that need no answer of the website."""
DATA = ("/api/status", "/api/history?points=500", "/api/frames", "/api/pace")
"""Answers of the API that pages read, as files without the query."""
_MARK = ".idlebrush-pages"
"""Name of the file by which a folder is known to be ours."""
_LINK = re.compile(r'(?<=\s)(href|src|action)="(/[^"]*)"')
_PICTURE = re.compile(r'(?<=\s)(?:href|src)="(/(?:frames|evaluation)/[^"]*)"')
_ENOUGH = Rate(per_second=1e6, burst=1_000_000)


class StaticSite:
    """The files of one folder, which follow the run."""

    def __init__(self, context: WebContext, folder: Path) -> None:
        """Prepare to write to ``folder``.

        Raises:
            HomeError: the folder has files that are not ours, or cannot be made.
        """
        self._evaluation = context.evaluation
        self._folder, self._address = folder, context.settings.address.rstrip("/")
        _claim(folder)
        rates = Rates(**dict.fromkeys((field.name for field in fields(Rates)), _ENOUGH))
        self._app = create_app(context, rates)
        self._digests: dict[Path, bytes] = {}

    async def write(self) -> int:
        """Write what has changed and delete what is gone; return the number of files that were written.

        Nothing changes if a page cannot be had, as while the database is away.

        Raises:
            OSError: a file cannot be written.
        """
        files = await self._files()
        if files is None:
            _log.warning("The pages cannot be had now; the folder keeps those of before.")
            return 0
        written = await asyncio.to_thread(self._write_changed, files)
        await asyncio.to_thread(self._remove_others, set(files))
        return written

    async def _files(self) -> dict[Path, bytes] | None:
        shown = PAGES if self._evaluation.read() is None else (*PAGES, EVALUATION)
        pages = {path: await _get(self._app, path) for path in shown}
        data = {path: await _get(self._app, path) for path in DATA}
        if any(answer.status != 200 for answer in pages.values()):
            return None
        pictures = {name for answer in pages.values() for name in _PICTURE.findall(answer.body.decode())}
        files = {path: answer.body async for path, answer in self._fixed(pictures)}
        files |= {_place(path): answer.body for path, answer in data.items() if answer.status == 200}
        known = {*pages, *(f"/{file.as_posix()}" for file in files)}
        return files | {
            _place(path) / "index.html": self._leading_home(answer.body.decode(), known).encode()
            for path, answer in pages.items()
        }

    async def _fixed(self, pictures: set[str]) -> AsyncIterator[tuple[Path, RecordedResponse]]:
        """Yield the site's own files and the pictures that pages show."""
        assets: Assets = self._app.state.assets
        for path in (*assets.addresses, *sorted(pictures)):
            answer = await _get(self._app, path)
            if answer.status == 200:
                yield _place(path), answer

    def _leading_home(self, page: str, known: set[str]) -> str:
        """Return the page with links to the website where the folder has nothing at their address."""

        def led(link: re.Match[str]) -> str:
            address = unescape(link[2])
            if address.partition("#")[0] in known:
                return link[0]
            return f'{link[1]}="{self._address}{link[2]}"'

        return _LINK.sub(led, page)

    def _write_changed(self, files: dict[Path, bytes]) -> int:
        written = 0
        for path, body in files.items():
            digest = hashlib.sha256(body).digest()
            if self._digests.get(path) != digest:
                place = self._folder / path
                place.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(place, body)
                self._digests[path] = digest
                written += 1
        return written

    def _remove_others(self, kept: set[Path]) -> None:
        """Delete files of before, such as pictures that a moderator took down."""
        for place in _files_in(self._folder):
            if place.relative_to(self._folder) not in kept:
                place.unlink()
        self._digests = {path: digest for path, digest in self._digests.items() if path in kept}


def context_of(opened: OpenedRun) -> WebContext:
    """Return what the pages of a run are made of, from its opened home."""
    key = SigningKey.load(opened.home.gate_key)
    packages = PackageFolder.of(opened.settings.packages, opened.home.root)
    return WebContext(
        opened.home,
        opened.settings,
        opened.database,
        key,
        lambda: datetime.now(UTC),
        packages=packages,
        handbook=built_handbook(),
    )


async def follow(
    site: StaticSite, seconds: float, pause: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> None:
    """Write the pages every ``seconds`` until it is cancelled, and again after a fault of the disk."""
    while True:
        try:
            await site.write()
        except OSError as error:
            _log.warning("The pages cannot be written: %s", error)
        await pause(seconds)


def _claim(folder: Path) -> None:
    mark = folder / _MARK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not mark.exists() and any(folder.iterdir()):
            raise HomeError(
                f"{folder} has files that are not these pages.",
                "Give an empty folder, or one that does not exist: others' files would be deleted.",
            )
        mark.touch()
    except OSError as error:
        raise HomeError(
            f"{folder} cannot be used: {error.strerror or error}.", "Give a folder that you may write to."
        ) from error


def _files_in(folder: Path) -> Iterator[Path]:
    return (place for place in sorted(folder.rglob("*")) if place.is_file() and place.name != _MARK)


def _place(address: str) -> Path:
    """Return the place in the folder of an address of the site."""
    return Path(*(part for part in urlsplit(address).path.split("/") if part not in ("", ".", "..")))


async def _get(app: FastAPI, address: str) -> RecordedResponse:
    parts = urlsplit(address)
    scope: Scope = {
        "type": "http",
        "method": "GET",
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "headers": [(b"accept", b"application/json" if address in DATA else b"text/html")],
        "client": None,
        "server": None,
        "scheme": "http",
        "http_version": "1.1",
        "root_path": "",
    }
    return await recorded(app, scope)
