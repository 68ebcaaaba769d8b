"""A stand-in for the Hub on loopback: one data set with one revision, read as huggingface_hub reads it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tests.loopback_server import served

REPO = "someone/codes"
REVISION = "c" * 40


class StandInHub(ThreadingHTTPServer):
    """Serves the files of a folder as the data set ``REPO``."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folder = folder

    def entries(self) -> list[dict[str, Any]]:
        files = sorted(self.folder.iterdir())
        return [
            {"type": "file", "path": file.name, "size": file.stat().st_size, "oid": "d" * 40}
            for file in files
        ]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: StandInHub

    def do_GET(self) -> None:
        path = unquote(self.path.partition("?")[0])
        if path.startswith(f"/api/datasets/{REPO}/tree/"):
            self._json(self.server.entries())
        elif path.startswith(f"/api/datasets/{REPO}"):
            self._json({"id": REPO, "sha": REVISION, "siblings": []})
        elif path.startswith(f"/datasets/{REPO}/resolve/"):
            self._file(self.server.folder / path.rpartition("/")[2])
        else:
            self.send_error(404)

    do_HEAD = do_GET  # noqa: N815  (the names that the standard library calls)

    def do_POST(self) -> None:
        """paths-info: which of the paths that are asked for there are."""
        asked = unquote(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self._json([entry for entry in self.server.entries() if entry["path"] in asked])

    def log_message(self, *args: object) -> None:
        pass

    def _json(self, value: object) -> None:
        self._answer(200, json.dumps(value).encode(), {"Content-Type": "application/json"})

    def _file(self, file: Path) -> None:
        if not file.is_file():
            self._answer(404, b"", {"X-Error-Code": "EntryNotFound"})
            return
        data, asked = file.read_bytes(), self.headers.get("Range")
        if asked is None:
            self._answer(200, data, {})
            return
        first, _, last = asked.removeprefix("bytes=").partition("-")
        piece = data[int(first) : int(last) + 1]
        self._answer(
            206, piece, {"Content-Range": f"bytes {first}-{int(first) + len(piece) - 1}/{len(data)}"}
        )

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body)), "X-Repo-Commit": REVISION}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@contextmanager
def stand_in_hub(folder: Path) -> Iterator[StandInHub]:
    hub = StandInHub(folder)
    with served(hub):
        yield hub
