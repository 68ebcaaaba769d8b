"""The site's own files, held in memory, at addresses that change with their content."""

import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, HTTPException
from starlette.responses import Response

FOLDER = Path(__file__).parent / "static"
_FOR_EVER = "public, max-age=31536000, immutable"
_KINDS = {".woff2": "font/woff2", ".js": "text/javascript; charset=utf-8", "": "text/plain; charset=utf-8"}


@dataclass(frozen=True)
class _Asset:
    body: bytes
    kind: str


class Assets:
    """All files of the website's folder, read once."""

    def __init__(self) -> None:
        files = {
            file.relative_to(FOLDER).as_posix(): file for file in sorted(FOLDER.rglob("*")) if file.is_file()
        }
        self._assets = {name: _read(file) for name, file in files.items()}
        digest = hashlib.sha256()
        for name, asset in self._assets.items():
            digest.update(f"{name}\n{len(asset.body)}\n".encode() + asset.body)
        self._version = digest.hexdigest()[:12]

    def address(self, name: str) -> str:
        """Return the address of a file; raise KeyError if there is none of that name."""
        self._assets[name]
        return f"/static/{self._version}/{name}"

    @property
    def addresses(self) -> list[str]:
        """Addresses of all files."""
        return [self.address(name) for name in self._assets]

    def router(self) -> APIRouter:
        """Return the routes of the files; an older page gets the current ones, and caches them briefly."""
        router = APIRouter(include_in_schema=False)

        @router.get("/static/{version}/{name:path}")
        async def static(version: str, name: str) -> Response:
            asset = self._assets.get(name)
            if asset is None:
                raise HTTPException(404)
            lasting = _FOR_EVER if version == self._version else "no-cache"
            headers = {"Cache-Control": lasting, "Vary": "Accept-Encoding"}
            return Response(asset.body, 200, headers, asset.kind)

        return router


def _read(file: Path) -> _Asset:
    kind = _KINDS.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return _Asset(file.read_bytes(), kind)
