"""A stand-in for the Hub on loopback: one model with one revision, read as huggingface_hub reads it."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

from core.run.contact import ClipRanking
from core.run.manifest import RunManifest
from core.signing import SigningKey
from tests.loopback_server import served

REPO = "someone/clip"
REVISION = "c" * 40


class ModelHub(ThreadingHTTPServer):
    """Serves the files of a folder as the model ``REPO``, and remembers what it was asked."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _ModelHubHandler)
        self.folder = folder
        self.sizes: dict[str, int] = {}
        """Sizes that it claims where they are not the files' own."""
        self.page: bytes | None = None
        """The answer to every request, like the sign-in page of a hotel's network; None disables it."""
        self.asked: list[str] = []
        """Paths, one for each request."""
        self.first_asked: dict[str, float] = {}
        """Times of the first requests, by path."""
        self.sent = 0
        """Bytes of the bodies of its answers."""
        self.is_deduplicated = False
        """True if it offers files from its deduplicated storage, which does not exist."""
        self.lock = threading.Lock()
        self.tokens: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def entries(self, asked: str) -> list[dict[str, object]]:
        return [
            {
                "type": "file",
                "path": file.name,
                "size": self.sizes.get(file.name, file.stat().st_size),
                "oid": "d" * 40,
            }
            for file in self.folder.iterdir()
            if f"paths={file.name}" in asked.split("&")
        ]


class _ModelHubHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelHub

    def do_POST(self) -> None:
        asked = unquote(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if self._is(f"/api/models/{REPO}/paths-info/{REVISION}"):
            self._answer(json.dumps(self.server.entries(asked)).encode())

    def do_GET(self) -> None:
        name = self.path.rpartition("/")[2]
        if self._is(f"/{REPO}/resolve/{REVISION}/{name}"):
            self._answer((self.server.folder / name).read_bytes(), name)

    do_HEAD = do_GET  # noqa: N815  (the names that the standard library calls)

    def log_message(self, *args: object) -> None:
        pass

    def _is(self, path: str) -> bool:
        self.server.asked.append(self.path)
        self.server.first_asked.setdefault(self.path, time.monotonic())
        if token := self.headers.get("Authorization"):
            self.server.tokens.append(token)
        if self.server.page is not None:
            self._answer(self.server.page)
            return False
        if self.path == path:
            return True
        self._answer(b"{}", status=404, error="RepoNotFound")
        return False

    def _answer(self, body: bytes, etag: str = "", status: int = 200, error: str = "") -> None:
        headers = {"X-Repo-Commit": REVISION, "ETag": f'"{etag}"', "X-Error-Code": error}
        if etag and self.server.is_deduplicated:
            headers |= {"X-Xet-Hash": "e" * 64, "X-Xet-Refresh-Route": f"{self.server.address}/no-storage"}
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            if value:
                self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            with self.server.lock:
                self.server.sent += len(body)
            self.wfile.write(body)


@contextmanager
def model_hub(folder: Path) -> Iterator[ModelHub]:
    hub = ModelHub(folder)
    with served(hub):
        yield hub


def rank_by_it(manifest: Path) -> None:
    """Issue a run again whose pictures are ranked by the model ``REPO``."""
    run = RunManifest.load(manifest)
    contact = run.contact.model_copy(update={"ranking": ClipRanking(repo=REPO, revision=REVISION)})
    RunManifest.create(run.training, contact, SigningKey.generate()).save(manifest)
