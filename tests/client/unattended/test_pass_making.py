"""The file of a pass is certain before the sign-in, and a failure leaves none."""

from pathlib import Path

import pytest

from client.api.errors import JoinError
from client.console.join_dialogue import SignInOptions
from client.joining.invitation import RunInvitation
from client.paths import Paths
from client.unattended.pass_making import make_pass
from tests.swarms.tiny_run import write_tiny_run

NO_HUB = SignInOptions("http://127.0.0.1:1", browser=False)


def make(invitation: RunInvitation, folder: Path, file: Path) -> None:
    make_pass(Paths.of_user({"IDLEBRUSH_HOME": str(folder / "home")}), invitation, NO_HUB, file)


@pytest.fixture
def nowhere(tmp_path: Path) -> RunInvitation:
    """A run whose lookup would fail otherwise than by its pass's file."""
    return RunInvitation(str(tmp_path / "no" / "run.toml"), None)


def test_a_pass_that_is_there_is_not_replaced(tmp_path: Path, nowhere: RunInvitation) -> None:
    file = tmp_path / "other.pass"
    file.write_text("of another server")
    with pytest.raises(JoinError, match="exists already"):
        make(nowhere, tmp_path, file)
    assert file.read_text() == "of another server"


def test_a_folder_that_cannot_be_written_is_found_first(tmp_path: Path, nowhere: RunInvitation) -> None:
    with pytest.raises(JoinError, match="cannot be written"):
        make(nowhere, tmp_path, tmp_path / "missing" / "server.pass")


def test_a_failure_leaves_no_file(tmp_path: Path) -> None:
    invitation, file = RunInvitation(str(write_tiny_run(tmp_path / "run")), None), tmp_path / "server.pass"
    with pytest.raises(JoinError, match="needs no pass"):
        make(invitation, tmp_path, file)
    assert not file.exists()
