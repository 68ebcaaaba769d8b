"""Writes the app's icon in the formats of Windows (.ico) and macOS (.icns), from the drawings in assets/app.

``python -m installer.icons FOLDER`` writes both.
"""

import struct
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

_ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
_ICNS_TYPES = {
    b"icp4": 16,
    b"icp5": 32,
    b"ic07": 128,
    b"ic08": 256,
    b"ic09": 512,
    b"ic11": 32,  # 16 points on a fine display, and so on
    b"ic12": 64,
    b"ic13": 256,
    b"ic14": 512,
}


def write_ico(place: Path) -> None:
    """Write the icon for Windows, which reads PNG in all sizes since Vista."""
    drawings = {size: _drawing(size) for size in _ICO_SIZES}
    place.write_bytes(_directory(drawings) + b"".join(drawings.values()))


def write_icns(place: Path) -> None:
    """Write the icon for macOS: blocks of PNG, each with its type and length."""
    drawings = [(kind, _drawing(size)) for kind, size in _ICNS_TYPES.items()]
    blocks = b"".join(kind + struct.pack(">I", len(png) + 8) + png for kind, png in drawings)
    place.write_bytes(b"icns" + struct.pack(">I", len(blocks) + 8) + blocks)


def _directory(drawings: Mapping[int, bytes]) -> bytes:
    """Return the head of an .ico file, which says where each drawing begins."""
    head = struct.pack("<HHH", 0, 1, len(drawings))
    start = len(head) + 16 * len(drawings)
    for size, png in drawings.items():
        side = size % 256  # 0 stands for 256
        head += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(png), start)
        start += len(png)
    return head


def _drawing(size: int) -> bytes:
    return (files("assets") / "app" / f"idlebrush-{size}.png").read_bytes()


if __name__ == "__main__":
    write_ico(Path(sys.argv[1]) / "idlebrush.ico")
    write_icns(Path(sys.argv[1]) / "idlebrush.icns")
