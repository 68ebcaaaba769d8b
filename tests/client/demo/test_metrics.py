"""metrics.jsonl over sessions that were cut off, at any byte."""

from pathlib import Path

import pytest

from client.api.errors import ClientError
from client.demo.folder import DemoMetrics
from client.demo.progress import EpochRecord


def record(epoch: int, loss: float = 1.0) -> EpochRecord:
    return EpochRecord(epoch=epoch, loss=loss, samples=256, peers=2, seconds=3.5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "metrics.jsonl"


def test_a_line_is_as_promised(path: Path) -> None:
    DemoMetrics(path).add(record(1))
    assert path.read_text() == '{"epoch": 1, "loss": 1.0, "samples": 256, "peers": 2, "seconds": 3.5}\n'


def test_the_next_session_knows_what_the_last_one_did(path: Path) -> None:
    first = DemoMetrics(path)
    for epoch in (1, 2, 3):
        first.add(record(epoch))
    assert DemoMetrics(path).epochs == (record(1), record(2), record(3))


def test_epochs_done_again_replace_what_followed(path: Path) -> None:
    metrics = DemoMetrics(path)
    for epoch in (1, 2, 3, 4):
        metrics.add(record(epoch))
    metrics.add(record(3, loss=0.5))
    assert DemoMetrics(path).epochs == (record(1), record(2), record(3, loss=0.5)) == metrics.epochs


def test_a_line_that_was_cut_off_is_forgotten(path: Path) -> None:
    DemoMetrics(path).add(record(1))
    whole = path.read_text()
    DemoMetrics(path).add(record(2))
    for length in range(len(whole), len(path.read_text())):
        path.write_text((whole + whole.replace('"epoch": 1', '"epoch": 2'))[:length])
        assert DemoMetrics(path).epochs == (record(1),)
        assert path.read_text() == whole


@pytest.mark.parametrize("line", ["nonsense", "[1]", '{"epoch": 1}', '{"epoch": 1, "more": 2}'])
def test_a_foreign_file_is_refused(path: Path, line: str) -> None:
    path.write_text(line + "\n")
    with pytest.raises(ClientError, match="not a file of this program"):
        DemoMetrics(path)
