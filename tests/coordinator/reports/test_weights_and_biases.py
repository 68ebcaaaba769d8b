"""Reports to Weights & Biases, offline: what stands in the file that it would upload."""

import json
import struct
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from coordinator.reports.epochs import EpochFigures
from coordinator.reports.frames import ReportedFrame
from coordinator.reports.weights_and_biases import WandbSink

pytest.importorskip("wandb", reason="needs wandb, which is too large for the usual tests")

_BLOCK = 32_768
_FILE_HEADER, _HEADER = 7, struct.Struct("<IHB")
"""Checksum, length and kind of a piece: the log format of LevelDB, in which wandb keeps records."""
_WHOLE, _LAST = 1, 4


def figures(epoch: int) -> EpochFigures:
    return EpochFigures(epoch, datetime(2026, 6, 1, tzinfo=UTC), 5.0 - epoch, 64, 2, 4.0, None, 0.1)


def records(file: Path) -> Iterator[bytes]:
    """Yield the records of wandb's file; one that is longer than a block is in pieces."""
    data, place, found = file.read_bytes(), _FILE_HEADER, b""
    while place + _HEADER.size <= len(data):
        if _BLOCK - place % _BLOCK < _HEADER.size:
            place += _BLOCK - place % _BLOCK
            continue
        _, length, kind = _HEADER.unpack_from(data, place)
        found += data[place + _HEADER.size : place + _HEADER.size + length]
        place += _HEADER.size + length
        if kind in (_WHOLE, _LAST):
            yield found
            found = b""


def read(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each run, by its id."""
    from wandb.proto.wandb_internal_pb2 import Record

    found: dict[str, list[dict[str, Any]]] = {}
    for file in sorted(folder.glob("wandb/offline-run-*/*.wandb")):
        rows = found.setdefault(file.stem.removeprefix("run-"), [])
        for record in map(Record.FromString, records(file)):
            if record.WhichOneof("record_type") == "history":
                items = record.history.item
                rows.append(
                    {item.key or ".".join(item.nested_key): json.loads(item.value_json) for item in items}
                )
    return found


def test_each_epoch_is_a_step_and_each_generation_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    monkeypatch.setenv("HOME", str(tmp_path))
    Image.new("RGB", (24, 16)).save(tmp_path / "frame.webp")
    sink = WandbSink("emoji", tmp_path / "reports", "ab" * 32, "Emoji", is_offline=True)
    picture = ReportedFrame(2, tmp_path / "frame.webp").picture()
    sink.begin(0, 1)
    for epoch in (1, 2):
        sink.write(figures(epoch))
    sink.show(picture)
    sink.flush()
    sink.write(figures(3))
    sink.show(picture)  # one that was drawn late
    sink.show(picture)
    sink.flush()
    sink.begin(1, 3)
    sink.write(figures(3))
    sink.flush()
    sink.close()
    runs = read(tmp_path / "reports")
    steps = {name: [(row["_step"], row["epoch"], row["loss"]) for row in rows] for name, rows in runs.items()}
    assert steps == {
        "abababababababab-g0-e1": [(1, 1, 4.0), (2, 2, 3.0), (3, 3, 2.0)],
        "abababababababab-g1-e3": [(3, 3, 2.0)],
    }
    shown = [row["_step"] for row in runs["abababababababab-g0-e1"] if "pictures._type" in row]
    assert shown == [2, 3]
    assert not list(tmp_path.rglob("requirements.txt")), "nothing of this machine is sent"
