"""A stand-in for the Hub on loopback: data sets with one revision, read as huggingface_hub reads it."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

from tests.loopback_server import served

REPO = "someone/codes"
REVISION = "c" * 40


class StandInHub(ThreadingHTTPServer):
    """Serves the files of a folder as the data set ``REPO``, and those of others under their names."""

    daemon_threads = True

    def __init__(self, folder: Path, others: Mapping[str, Path]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folders = {**others, REPO: folder}

    def repo_of(self, path: str) -> str | None:
        """The data set that a path of the Hub's is about."""
        return next((repo for repo in self.folders if f"datasets/{repo}" in path), None)

    def entries(self, repo: str) -> list[dict[str, Any]]:
        files = sorted(self.folders[repo].iterdir())
        return [
            {"type": "file", "path": file.name, "size": file.stat().st_size, "oid": "d" * 40}
            for file in files
        ]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: StandInHub

    def do_GET(self) -> None:
        path = unquote(self.path.partition("?")[0])
        repo = self.server.repo_of(path)
        if repo is None:
            self.send_error(404)
        elif path.startswith(f"/api/datasets/{repo}/tree/"):
            self._json(self.server.entries(repo))
        elif path.startswith(f"/api/datasets/{repo}"):
            self._json({"id": repo, "sha": REVISION, "siblings": []})
        elif path.startswith(f"/datasets/{repo}/resolve/"):
            self._file(self.server.folders[repo] / path.rpartition("/")[2])
        else:
            self.send_error(404)

    do_HEAD = do_GET  # noqa: N815  (the names that the standard library calls)

    def do_POST(self) -> None:
        """paths-info: which of the paths that are asked for there are."""
        asked = unquote(self.rfile.read(int(self.headers["Content-Length"])).decode())
        repo = self.server.repo_of(self.path)
        assert repo is not None
        self._json([entry for entry in self.server.entries(repo) if entry["path"] in asked])

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
            self._answer(200, data, {"ETag": f'"{hashlib.sha256(data).hexdigest()}"'})
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
def stand_in_hub(folder: Path, others: Mapping[str, Path] = MappingProxyType({})) -> Iterator[StandInHub]:
    hub = StandInHub(folder, others)
    with served(hub):
        yield hub
