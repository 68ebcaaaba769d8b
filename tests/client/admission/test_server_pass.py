"""A pass to a run: which of the ways that bring one counts, and what is no pass."""

import base64
from collections.abc import Mapping
from pathlib import Path

import pytest

from client.account.credentials import LARGEST
from client.admission.membership import RunMembership
from client.admission.server_pass import ServerPass, brought_pass
from client.api.errors import GateError
from core.admission.peer_key import PeerKey


def pass_of(name: str, identity: bytes = b"key") -> ServerPass:
    membership = {"name": name, "coordinator": "https://example.org", "run": "0" * 64, "secret": "secret"}
    key = base64.b64encode(identity).decode()
    return ServerPass.model_validate({"membership": membership, "identity": key})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Folder with a pass for each way, named by it."""
    for name in ("option", "file", "pass"):
        pass_of(name).save(tmp_path / name)
    return tmp_path


@pytest.mark.parametrize(
    ("option", "ways", "found"),
    [
        (None, (), None),
        ("option", ("text", "file", "credential"), "option"),
        (None, ("text", "file", "credential"), "text"),
        (None, ("file", "credential"), "file"),
        (None, ("credential",), "pass"),
        (None, ("no credential",), None),
    ],
)
def test_one_way_of_bringing_a_pass_counts(
    folder: Path, option: str | None, ways: tuple[str, ...], found: str | None
) -> None:
    variables = {
        "text": ("IDLEBRUSH_PASS", pass_of("text").model_dump_json()),
        "file": ("IDLEBRUSH_PASS_FILE", str(folder / "file")),
        "credential": ("CREDENTIALS_DIRECTORY", str(folder)),
        "no credential": ("CREDENTIALS_DIRECTORY", str(folder / "none")),
    }
    brought = brought_pass(folder / option if option else None, dict(variables[way] for way in ways))
    assert (brought and brought.membership.name) == found


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"IDLEBRUSH_PASS": "{}"}, "IDLEBRUSH_PASS is no pass"),
        ({"IDLEBRUSH_PASS_FILE": "FOLDER/large"}, "too large"),
        ({"IDLEBRUSH_PASS_FILE": "FOLDER/missing"}, "cannot be read"),
    ],
)
def test_what_is_no_pass_is_refused(tmp_path: Path, environment: Mapping[str, str], words: str) -> None:
    (tmp_path / "large").write_bytes(b" " * (LARGEST + 1))
    named = {name: value.replace("FOLDER", str(tmp_path)) for name, value in environment.items()}
    with pytest.raises(GateError, match=words):
        brought_pass(None, named)


@pytest.mark.parametrize("identity", [b"", b"\x08\x00\x12", b"any text", b"\x08\x00\x12\x03abc"])
def test_what_is_no_key_replaces_none(tmp_path: Path, identity: bytes) -> None:
    place = tmp_path / "identity"
    place.write_bytes(b"before")
    with pytest.raises(GateError, match="no peer's key"):
        pass_of("anna", identity).lay_identity(place)
    assert place.read_bytes() == b"before"


def test_a_key_is_laid_for_its_owner_alone(tmp_path: Path) -> None:
    made = PeerKey.load_or_create(tmp_path / "made")
    membership = RunMembership.model_validate(pass_of("anna").membership)
    ServerPass.of(membership, tmp_path / "made").lay_identity(tmp_path / "deeper" / "identity")
    assert PeerKey.load_or_create(tmp_path / "deeper" / "identity").peer_id == made.peer_id
    assert (tmp_path / "deeper" / "identity").stat().st_mode & 0o777 == 0o600
