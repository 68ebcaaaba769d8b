"""A coordinator is asked how fast its run is, and believed only what can be."""

import json
from pathlib import Path
from typing import Any

import pytest

from client.api.errors import DownloadError
from client.joining.pace import LARGEST, RunPace, UpdatePace, ask_pace
from core.run.manifest import RunManifest
from core.signing import SigningKey
from tests.swarms.tiny_run import write_tiny_run

MEASURED = {"epochs": 720, "seconds": 86_400.0, "contributors": 4.5}


@pytest.fixture
def manifest(tmp_path: Path) -> RunManifest:
    run = RunManifest.load(write_tiny_run(tmp_path))
    contact = run.contact.model_copy(update={"coordinator": "https://train.example.org/"})
    return RunManifest.create(run.training, contact, SigningKey.generate())


def asked(manifest: RunManifest, answer: dict[str, Any] | bytes) -> RunPace:
    """Return what is found where the coordinator gives that ``answer``."""

    def document(address: str, limit: int) -> bytes:
        assert (address, limit) == ("https://train.example.org/api/pace", LARGEST)
        return answer if isinstance(answer, bytes) else json.dumps(answer).encode()

    return ask_pace(manifest, document)


def about(manifest: RunManifest, **told: Any) -> dict[str, Any]:
    return {"run": manifest.training_digest, "epoch": 160, "measured": MEASURED, **told}


def test_the_pace_is_the_coordinator_s(manifest: RunManifest) -> None:
    found = asked(manifest, about(manifest, newer="field"))
    assert found.epoch == 160
    assert found.measured == UpdatePace(epochs=720, seconds=86_400.0, contributors=4.5)
    assert found.measured.epoch_seconds == 120.0


def test_a_new_run_has_no_pace(manifest: RunManifest) -> None:
    assert asked(manifest, about(manifest, epoch=1, measured=None)).measured is None


@pytest.mark.parametrize(
    "told",
    [
        {"run": "a" * 64},
        {"run": "x"},
        {"epoch": -1},
        {"epoch": 201},
        {"epoch": 1e30},
        {"epoch": None},
        {"measured": {}},
        {"measured": {**MEASURED, "epochs": 0}},
        {"measured": {**MEASURED, "epochs": 10**9}},
        {"measured": {**MEASURED, "epochs": 900_000}},
        {"measured": {**MEASURED, "seconds": 0}},
        {"measured": {**MEASURED, "seconds": -5}},
        {"measured": {**MEASURED, "seconds": 1e300}},
        {"measured": {**MEASURED, "seconds": float("nan")}},
        {"measured": {**MEASURED, "contributors": float("inf")}},
        {"measured": {**MEASURED, "contributors": -1}},
        {"measured": {**MEASURED, "contributors": 10**7}},
        {"measured": [MEASURED]},
    ],
    ids=str,
)
def test_what_can_t_be_counts_as_not_told(manifest: RunManifest, told: dict[str, Any]) -> None:
    assert asked(manifest, about(manifest, **told)) == RunPace(run=manifest.training_digest, epoch=0)


@pytest.mark.parametrize("answer", [b"", b"{", b"<html>", b"\xff", b"[" * 60_000])
def test_an_answer_that_is_none_counts_as_not_told(manifest: RunManifest, answer: bytes) -> None:
    assert asked(manifest, answer).measured is None


def test_a_coordinator_that_does_not_answer_keeps_nobody_from_joining(manifest: RunManifest) -> None:
    def document(address: str, limit: int) -> bytes:
        raise DownloadError("train.example.org answered 404 Not Found.", "Try again later.")

    assert ask_pace(manifest, document) == RunPace(run=manifest.training_digest, epoch=0)


def test_no_coordinator_is_asked_where_there_is_none(tmp_path: Path) -> None:
    def document(address: str, limit: int) -> bytes:
        raise AssertionError(address)

    manifest = RunManifest.load(write_tiny_run(tmp_path))
    assert manifest.contact.coordinator is None
    assert ask_pace(manifest, document).measured is None
