"""Paired computers: kept, found by name or fingerprint, bounded in number, and never half changed."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from client.api.errors import RemoteError, StateError
from client.remote.kept import MOST_COMPUTERS, PairedComputers
from client.remote.tls import fingerprint

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_they_are_kept(tmp_path: Path) -> None:
    paired = PairedComputers(tmp_path / "remote")
    paired.add_controller("Laptop", b"a", NOW)
    paired.add_computer("Desktop", "192.0.2.7:47320", b"b", NOW)
    again = PairedComputers(tmp_path / "remote")
    assert (again.controllers, again.computers) == (paired.controllers, paired.computers)
    assert again.controller_with(b"a") == paired.controllers[0]
    assert again.controller_with(b"b") is None, "who is controlled may not control"


def test_names_are_made_unique_and_certificates_are_kept_once(tmp_path: Path) -> None:
    paired = PairedComputers(tmp_path)
    names = [paired.add_controller("Laptop", certificate, NOW).name for certificate in (b"a", b"b", b"c")]
    assert names == ["Laptop", "Laptop 2", "Laptop 3"]
    assert paired.add_controller("laptop", b"a", NOW).name == "laptop"
    assert len(paired.controllers) == 3


def test_one_is_removed_by_name_or_fingerprint(tmp_path: Path) -> None:
    paired = PairedComputers(tmp_path)
    paired.add_computer("Desktop", "x:1", b"a", NOW)
    paired.add_computer("Study", "y:1", b"b", NOW)
    assert paired.remove_computer(" DESKTOP ").address == "x:1"
    assert paired.remove_computer(fingerprint(b"b").upper()).name == "Study"
    with pytest.raises(RemoteError, match="no paired computer"):
        paired.remove_computer("Study")
    assert PairedComputers(tmp_path).computers == ()


def test_their_number_is_bounded(tmp_path: Path) -> None:
    paired = PairedComputers(tmp_path)
    for number in range(MOST_COMPUTERS):
        paired.add_controller("x", bytes([number]), NOW)
    with pytest.raises(RemoteError, match="12 computers"):
        paired.add_controller("x", b"another", NOW)
    assert paired.add_controller("y", bytes([1]), NOW).name == "y", "a known one is paired again"


def test_a_file_that_cannot_be_used_pairs_none_and_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "computers.json").write_text('{"version": 1, "controllers": [{"name": "Mallory"}]}')
    paired = PairedComputers(tmp_path)
    assert paired.controllers == ()
    assert isinstance(paired.problem, StateError)
    assert len(list(tmp_path.glob("computers.json.set-aside-*"))) == 1


def test_a_computer_that_cannot_be_saved_is_not_paired(tmp_path: Path) -> None:
    (tmp_path / "remote").write_text("a file where the folder would be")
    paired = PairedComputers(tmp_path / "remote")
    with pytest.raises(StateError):
        paired.add_controller("Laptop", b"a", NOW)
    assert paired.controllers == ()
