"""This computer's certificate: made once, its key closed to others, and replaced if its password is lost."""

import asyncio
import ssl
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from client.account.credentials import Keep
from client.api.errors import RemoteError
from client.remote.identity import ComputerIdentity, IdentityStore
from client.remote.tls import fingerprint, is_certificate, own_certificate, server_context
from client.tasks import TaskRunner


def store(folder: Path, replaced: Callable[[], None] = lambda: None) -> IdentityStore:
    return IdentityStore(folder / "remote", TaskRunner(folder / "tasks.log"), Keep.FILE, replaced)


def made(folder: Path) -> ComputerIdentity:
    return asyncio.run(store(folder).load())


def test_a_certificate_is_made_once(tmp_path: Path) -> None:
    first = asyncio.run(store(tmp_path, lambda: pytest.fail("it replaces nothing")).load())
    assert made(tmp_path) == first
    assert is_certificate(first.certificate)
    assert len(fingerprint(first.certificate).split("-")) == 6


def test_its_key_is_encrypted_and_closed_to_others(tmp_path: Path) -> None:
    identity = made(tmp_path)
    assert "BEGIN ENCRYPTED PRIVATE KEY" in identity.file.read_text()
    assert identity.password not in identity.file.read_text()
    assert identity.password not in repr(identity)
    for file in identity.file.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600 or file.name == "key.json"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with pytest.raises(ssl.SSLError):
        context.load_cert_chain(identity.file, password="another")


def test_an_identity_whose_password_is_lost_is_replaced(tmp_path: Path) -> None:
    first = made(tmp_path)
    (first.file.parent / "key.secret.json").unlink()
    told: list[str] = []
    second = asyncio.run(store(tmp_path, lambda: told.append("replaced")).load())
    assert told == ["replaced"]
    assert second.certificate != first.certificate
    server_context(second.file, second.password, [], admits_strangers=False)


def test_a_damaged_identity_is_named_with_a_remedy(tmp_path: Path) -> None:
    identity = made(tmp_path)
    identity.file.write_text("rubbish")
    with pytest.raises(RemoteError, match="cannot be read") as refused:
        made(tmp_path)
    assert "pair your computers again" in refused.value.remedy
    with pytest.raises(RemoteError, match="cannot be used"):
        server_context(identity.file, identity.password, [], admits_strangers=False)
    with pytest.raises(RemoteError):
        own_certificate(identity.file.with_name("nowhere"))
