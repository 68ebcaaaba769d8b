"""The list of packages is used only as it was signed, and within bounds."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from client.api.errors import SetupError
from client.environment.kept_setup import KeptSetup
from client.environment.lock_file import MAX_LOCK_BYTES, read_lock, require_current, sign_lock
from client.environment.places import EnvironmentPlaces
from client.environment.setup import open_lock
from client.environment.stages import SetupState
from core.signing import SigningKey
from tests.client.environment.packages import lock_of, make_variant

KEY = SigningKey.generate()


@pytest.fixture
def signed(tmp_path: Path) -> bytes:
    lock = lock_of(make_variant(tmp_path), serial=7)
    return sign_lock(lock, KEY)


def test_a_list_is_read_as_it_was_signed(tmp_path: Path, signed: bytes) -> None:
    lock = lock_of(make_variant(tmp_path), serial=7)
    assert read_lock(signed, KEY.public_key, newest_serial=7) == lock
    assert lock.variants[0].size == sum(file.stat().st_size for file in tmp_path.glob("*.whl"))


def test_a_list_by_another_key_is_refused(signed: bytes) -> None:
    with pytest.raises(SetupError, match="was not signed by the developers"):
        read_lock(signed, SigningKey.generate().public_key)


def test_an_older_list_than_the_one_that_was_used_is_refused(tmp_path: Path, signed: bytes) -> None:
    kept = KeptSetup(EnvironmentPlaces(tmp_path))
    kept.save(SetupState(serial=8))
    with pytest.raises(
        SetupError, match=r"number 7\) is older than the one that was seen before \(number 8\)"
    ):
        open_lock(signed, KEY.public_key, kept)


def test_a_list_is_used_until_it_expires(tmp_path: Path) -> None:
    end = datetime(2026, 3, 1, tzinfo=UTC)
    lock = lock_of(make_variant(tmp_path), serial=7, expires=end)
    read = read_lock(sign_lock(lock, KEY), KEY.public_key)
    require_current(read, end - timedelta(seconds=1))
    with pytest.raises(
        SetupError, match=r"number 7\) expired on 2026-03-01, and this computer's clock"
    ) as refused:
        require_current(read, end)
    assert "date of this computer is right" in refused.value.remedy


def put(path: str, value: object) -> Callable[[Any], None]:
    """Change the value at a path, such as ``variants.0.name``."""

    def change(document: Any) -> None:
        *steps, last = (int(step) if step.isdigit() else step for step in path.split("."))
        for step in steps:
            document = document[step]
        document[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("lock.serial", 9), "was not signed"),
        (put("lock.expires_at", "2127-01-01T00:00:00Z"), "was not signed"),
        (put("lock.expires_at", "2127-01-01T00:00:00"), "expires_at"),
        (put("lock.variants.0.wheels.0.sha256", "0" * 64), "was not signed"),
        (put("lock.variants.0.wheels.0.file", "../torch-1-py3-none-any.whl"), "file"),
        (put("lock.variants.0.wheels.0.file", "torch.tar.gz"), "file"),
        (put("lock.variants.0.wheels.0.package", "torch --index-url=x"), "package"),
        (put("lock.variants.0.wheels.0.addresses", ["file:///etc/passwd"]), "addresses"),
        (put("lock.variants.0.wheels.0.addresses", []), "addresses"),
        (put("lock.variants.0.wheels.0.size", 2**40), "size"),
        (put("lock.variants.0.imports", ["os; import evil"]), "imports"),
        (put("lock.variants", []), "variants"),
        (put("lock.format", 2), "format"),
        (put("lock.surprise", 1), "surprise is not a known field"),
    ],
)
def test_a_list_that_was_changed_or_makes_no_sense_is_refused(
    change: Callable[[Any], None], words: str, signed: bytes
) -> None:
    document = json.loads(signed)
    change(document)
    with pytest.raises(SetupError, match=words):
        read_lock(json.dumps(document).encode(), KEY.public_key)


def test_a_package_occurs_once(signed: bytes) -> None:
    document = json.loads(signed)
    first, second = document["lock"]["variants"][0]["wheels"]
    second.update(package="Torch", file="Torch-2-py3-none-any.whl")
    with pytest.raises(SetupError, match="a package occurs twice"):
        read_lock(json.dumps(document).encode(), KEY.public_key)
    document["lock"]["variants"] = [{**document["lock"]["variants"][0], "wheels": [first]}] * 2
    with pytest.raises(SetupError, match="a variant occurs twice"):
        read_lock(json.dumps(document).encode(), KEY.public_key)


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b" " * (MAX_LOCK_BYTES + 1)])
def test_what_is_no_list_is_refused(text: bytes) -> None:
    with pytest.raises(SetupError, match="list of packages"):
        read_lock(text, KEY.public_key)


@pytest.mark.parametrize(
    ("source", "target", "allowed"),
    [
        ("https://a.org/x", "https://a.org/y", True),
        ("https://a.org/x", "https://cdn.org/y", True),
        ("https://a.org/x", "https://b.org/y", False),
        ("https://a.org/x", "http://cdn.org/y", False),
        ("http://a.org/x", "https://cdn.org/y", False),
    ],
)
def test_redirects_lead_to_listed_hosts(source: str, target: str, allowed: bool, tmp_path: Path) -> None:
    lock = lock_of(make_variant(tmp_path), redirects=("cdn.org",))
    assert lock.may_redirect(source, target) is allowed
