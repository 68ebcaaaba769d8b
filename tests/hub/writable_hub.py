"""A stand-in for the Hub on loopback to which data sets and models are pushed; and it may fail."""

import base64
import hashlib
import json
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote

import yaml

from tests.hub.hub_store import Blob, Files, Repository, entries_at, entries_in
from tests.loopback_server import served

LICENCES = {"apache-2.0", "cc-by-4.0", "other"}
LARGE = (".parquet", ".safetensors", ".pt", ".ckpt")
"""Suffixes of the files that it stores as large files, like a new repository's .gitattributes."""


@dataclass(frozen=True)
class HubToken:
    name: str
    role: str = "write"


@dataclass(frozen=True)
class HubFault:
    """An answer in place of the right one."""

    place: str
    """Part of the path that is asked for."""
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)


class WritableHub(ThreadingHTTPServer):
    """Tests set what there is, and look at what arrived."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _WritableHubHandler)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.lock = threading.RLock()
        self.tokens: dict[str, HubToken] = {}
        self.repositories: dict[str, Repository] = {}
        self.taken: set[str] = set()
        """Names that something else than a data set has."""
        self.large: dict[str, bytes] = {}
        self.arrived: list[str] = []
        """Digests of the large files that were sent whole, in their order."""
        self.faults: deque[HubFault] = deque()
        self.spoiled: set[str] = set()
        """Files of which it keeps something else than it is given."""
        self.stalls_at: int | None = None
        """The large file, by number, that it never answers for."""
        self.stalled = threading.Event()
        self.closing = threading.Event()

    def make(
        self, repo: str, files: Mapping[str, bytes], *, private: bool = False, revision: str | None = None
    ) -> None:
        """A data set with one commit, which has that id if it is given."""
        made = self.repositories[repo] = Repository(private)
        blobs = {path: Blob(content, path.endswith(LARGE)) for path, content in files.items()}
        made.commit("main", blobs, "initial commit", revision)

    def fault(self, path: str) -> HubFault | None:
        with self.lock:
            found = next((fault for fault in self.faults if fault.place in path), None)
            if found:
                self.faults.remove(found)
            return found


class HubRefusal(Exception):
    def __init__(self, status: int, code: str = "") -> None:
        super().__init__(status)
        self.status, self.code = status, code


class _WritableHubHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet, or each answer waits for an acknowledgement
    server: WritableHub

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        self._path, self._query = unquote(path), parse_qs(query)
        self._body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if fault := self.server.fault(self._path):
            self._answer(fault.status, b"{}", dict(fault.headers))
            return
        try:
            self._serve()
        except HubRefusal as refused:
            self._answer(refused.status, b"{}", {"X-Error-Code": refused.code} if refused.code else {})

    do_HEAD = do_POST = do_PUT = do_GET  # noqa: N815  (the names that the standard library calls)

    def log_message(self, *args: object) -> None:
        pass

    def _serve(self) -> None:
        parts = self._path.strip("/").split("/")
        match [self.command, *parts]:
            case ["GET", "api", "whoami-v2"]:
                token = self._token()
                self._json(
                    {"type": "user", "name": token.name, "auth": {"accessToken": {"role": token.role}}}
                )
            case ["POST", "api", "repos", "create"]:
                self._create()
            case ["POST", "api", "validate-yaml"]:
                self._validate()
            case ["PUT", "large", oid]:
                self._take(oid)
            case ["POST", "api", "datasets" | "models", owner, name, "branch", branch]:
                self._branch(self._repository(owner, name, write=True), branch)
            case ["POST", "api", "datasets" | "models", owner, name, "preupload", branch]:
                self._preupload(self._repository(owner, name, write=True), branch)
            case ["POST", "api", "datasets" | "models", owner, name, "commit", branch]:
                oid = self._commit(self._repository(owner, name, write=True), branch)
                url = f"{self.server.address}/datasets/{owner}/{name}/commit/{oid}"
                self._json({"commitUrl": url, "commitOid": oid})
            case ["POST", "datasets", owner, name, "info", "lfs", "objects", "batch"] | [
                "POST",
                owner,
                name,
                "info",
                "lfs",
                "objects",
                "batch",
            ]:
                self._repository(owner, name.removesuffix(".git"), write=True)
                self._batch()
            case ["GET", "api", "datasets" | "models", owner, name, "tree", revision, *folder]:
                _, files = self._at(owner, name, revision)
                is_deep = self._query.get("recursive", ["false"])[0].lower() in ("true", "1")
                self._json(entries_in(files, "/".join(folder), is_deep=is_deep))
            case ["POST", "api", "datasets" | "models", owner, name, "paths-info", revision]:
                _, files = self._at(owner, name, revision)
                asked = parse_qs(self._body.decode()).get("paths", [])
                self._json([entry for path in asked for entry in entries_at(files, path)])
            case ["GET", "api", "datasets" | "models", owner, name, *rest]:
                revision = "/".join(rest[1:]) or "main"
                oid, _ = self._at(owner, name, revision)
                private = self.server.repositories[f"{owner}/{name}"].private
                self._json({"id": f"{owner}/{name}", "sha": oid, "private": private, "siblings": []})
            case ["GET" | "HEAD", "datasets", owner, name, "resolve", revision, *path] | [
                "GET" | "HEAD",
                owner,
                name,
                "resolve",
                revision,
                *path,
            ]:
                self._file(*self._at(owner, name, revision), "/".join(path))
            case _:
                raise HubRefusal(404)

    def _token(self) -> HubToken:
        bearer = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if bearer not in self.server.tokens:
            raise HubRefusal(401)
        return self.server.tokens[bearer]

    def _repository(self, owner: str, name: str, write: bool = False) -> Repository:
        repository = self.server.repositories.get(f"{owner}/{name}")
        if repository is None:
            raise HubRefusal(404, "RepoNotFound")
        if write and (self._token().role == "read" or self._token().name != owner):
            raise HubRefusal(403)
        return repository

    def _at(self, owner: str, name: str, revision: str) -> tuple[str, Files]:
        found = self._repository(owner, name).at(revision)
        if found is None:
            raise HubRefusal(404, "RevisionNotFound")
        return found

    def _create(self) -> None:
        asked, token = json.loads(self._body), self._token()
        repo = f"{asked['organization'] or token.name}/{asked['name']}"
        with self.server.lock:
            if repo in self.server.taken or repo in self.server.repositories:
                self._json({"url": f"{self.server.address}/datasets/{repo}"}, 409)
                return
            if asked["organization"] not in (None, token.name) or token.role == "read":
                raise HubRefusal(403)
            begun = {".gitattributes": b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"}
            self.server.make(repo, begun, private=asked.get("visibility") == "private")
        self._json({"url": f"{self.server.address}/datasets/{repo}"})

    def _branch(self, repository: Repository, branch: str) -> None:
        if branch in repository.branches:
            raise HubRefusal(409)
        repository.branches[branch] = repository.branches["main"]
        self._json({})

    def _validate(self) -> None:
        front = yaml.safe_load(json.loads(self._body)["content"].split("---\n")[1])
        bad = [] if front.get("license", "other") in LICENCES else [{"message": "license must be one of ..."}]
        self._json({"errors": bad, "warnings": []}, 400 if bad else 200)

    def _preupload(self, repository: Repository, branch: str) -> None:
        files = repository.commits[repository.branches[branch]]
        self._json({"files": [self._mode(file["path"], files) for file in json.loads(self._body)["files"]]})

    @staticmethod
    def _mode(path: str, files: Files) -> dict[str, Any]:
        mode = "lfs" if path.endswith(LARGE) else "regular"
        there = files.get(path)
        return {"path": path, "uploadMode": mode, "shouldIgnore": False, "oid": there.oid if there else None}

    def _batch(self) -> None:
        self._json({"transfer": "basic", "objects": [self._object(**item) for item in self._asked_objects()]})

    def _asked_objects(self) -> list[dict[str, Any]]:
        objects: list[dict[str, Any]] = json.loads(self._body)["objects"]
        return objects

    def _object(self, oid: str, size: int) -> dict[str, Any]:
        upload = {"upload": {"href": f"{self.server.address}/large/{oid}"}}
        return {"oid": oid, "size": size} | ({} if oid in self.server.large else {"actions": upload})

    def _take(self, oid: str) -> None:
        if self.server.stalls_at == len(self.server.arrived):
            self.server.stalled.set()
            self.server.closing.wait()
            return
        if hashlib.sha256(self._body).hexdigest() != oid:
            raise HubRefusal(400)
        with self.server.lock:
            self.server.large[oid] = self._body
            self.server.arrived.append(oid)
        self._json({})

    def _commit(self, repository: Repository, branch: str) -> str:
        header, *operations = [json.loads(line) for line in self._body.splitlines()]
        with self.server.lock:
            files = dict(repository.commits[repository.branches[branch]])
            for operation in operations:
                self._apply(files, operation["key"], operation["value"])
            return repository.commit(branch, files, header["value"]["summary"])

    def _apply(self, files: Files, key: str, value: dict[str, Any]) -> None:
        match key:
            case "file":
                files[value["path"]] = Blob(base64.b64decode(value["content"]), large=False)
            case "lfsFile":
                spoiled = b"!" if value["path"] in self.server.spoiled else b""
                files[value["path"]] = Blob(self.server.large[value["oid"]] + spoiled, large=True)
            case "deletedFile":
                del files[value["path"]]

    def _file(self, commit: str, files: Files, path: str) -> None:
        if path not in files:
            raise HubRefusal(404, "EntryNotFound")
        data, known = files[path].content, {"X-Repo-Commit": commit, "ETag": f'"{files[path].oid}"'}
        asked = self.headers.get("Range")
        if asked is None:
            self._answer(200, data, known)
            return
        first, _, last = asked.removeprefix("bytes=").partition("-")
        piece = data[int(first) : int(last) + 1 if last else None]
        place = f"bytes {first}-{int(first) + len(piece) - 1}/{len(data)}"
        self._answer(206, piece, known | {"Content-Range": place})

    def _json(self, value: object, status: int = 200) -> None:
        self._answer(status, json.dumps(value).encode(), {"Content-Type": "application/json"})

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@contextmanager
def writable_hub() -> Iterator[WritableHub]:
    hub = WritableHub()
    with served(hub):
        try:
            yield hub
        finally:
            hub.closing.set()
