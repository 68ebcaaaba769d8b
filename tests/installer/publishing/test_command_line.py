"""A repository of releases is made by the command line alone: keys, signatures, publishing, rotation and trust."""

import json
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from client.updates.offers import UpdateSource
from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine, PackagesManifest
from installer.build import update_source
from installer.commands import BuildError
from installer.publishing.__main__ import main
from installer.publishing.keys import PASSWORD_VARIABLE, ReleaseError, make_key, read_public, read_signer
from installer.publishing.repository import ReleaseRepository
from installer.publishing.roles import Lifetimes
from installer.release import ROOT, Release
from installer.tree import Tree

pytestmark = pytest.mark.posix
COMMIT = "0" * 40


class Makers:
    """The makers of Idlebrush at their terminals."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.repository = folder, folder / "repository"
        monkeypatch.setenv(PASSWORD_VARIABLE, "correct horse")
        for name in ("root1", "root2", "root3", "targets1", "targets2", "online"):
            self.run("key", folder / name)

    def run(self, *words: str | Path) -> None:
        assert main([str(word) for word in words]) == 0

    def refused(self, *words: str | Path) -> None:
        assert main([str(word) for word in words]) == 2

    def public(self, *names: str) -> list[Path]:
        return [self.folder / f"{name}.pub" for name in names]

    def keys(self, *names: str) -> list[Path]:
        return [self.folder / name for name in names]

    def begin(self) -> None:
        root, targets = self.public("root1", "root2", "root3"), self.public("targets1", "targets2")
        (online,) = self.public("online")
        self.run("init", self.repository, "--root", *root, "--targets", *targets,
                 "--snapshot", online, "--timestamp", online,
                 "--root-threshold", "2", "--targets-threshold", "2")  # fmt: skip

    def built(self, version: str) -> Path:
        folder = self.folder / version
        folder.mkdir()
        (folder / "package").write_bytes(version.encode())
        listed = BuiltPackage.of(folder / "package", PackageKind.TARBALL, PackageMachine.X86_64, tried=True)
        PackagesManifest(version=version, commit=COMMIT, files=(listed,)).save(folder)
        return folder


@pytest.fixture
def makers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Makers:
    return Makers(tmp_path, monkeypatch)


def test_a_release_is_published_once_enough_keys_have_signed(
    makers: Makers, capsys: pytest.CaptureFixture[str]
) -> None:
    makers.begin()
    makers.run("sign", makers.repository, "--key", *makers.keys("root1"))
    makers.refused("publish", makers.repository, "--key", *makers.keys("online"))
    assert "root.json has too few signatures" in capsys.readouterr().err
    assert not list((makers.repository / "metadata").iterdir())
    makers.run("sign", makers.repository, "--key", *makers.keys("root3", "targets1", "targets2"))
    makers.run("publish", makers.repository, "--key", *makers.keys("online"))
    notes = makers.folder / "notes.json"
    notes.write_text(json.dumps({"en": "Faster."}))
    makers.run("add", makers.repository, makers.built("0.2.0"), "--notes", notes, "--least-version", "0.1")
    makers.refused("publish", makers.repository, "--key", *makers.keys("online"))
    makers.run("sign", makers.repository, "--key", *makers.keys("targets1", "targets2"))
    makers.run("publish", makers.repository, "--key", *makers.keys("online"))
    makers.run("renew", makers.repository, "--key", *makers.keys("online"))
    shown = capsys.readouterr().out
    assert "targets 2 expires on" in shown
    assert "timestamp 3 expires on" in shown
    (package,) = (makers.repository / "targets" / "linux" / "x86_64").iterdir()
    assert package.read_bytes() == b"0.2.0"
    assert not list((makers.repository / "pending").iterdir())


def test_a_key_that_may_not_sign_is_refused(makers: Makers, capsys: pytest.CaptureFixture[str]) -> None:
    makers.begin()
    makers.refused("sign", makers.repository, "--key", *makers.keys("online"))
    assert "nothing that these keys may sign" in capsys.readouterr().err


def test_a_root_is_rotated_by_old_and_new_keys(makers: Makers) -> None:
    makers.begin()
    makers.run("sign", makers.repository, "--key", *makers.keys("root1", "root2", "targets1", "targets2"))
    makers.run("publish", makers.repository, "--key", *makers.keys("online"))
    for name in ("root4", "root5"):
        makers.run("key", makers.folder / name)
    new = makers.public("root4", "root5")
    makers.run("rotate", makers.repository, "--root", *new, "--root-threshold", "2")
    makers.run("sign", makers.repository, "--key", *makers.keys("root4", "root5"))
    makers.refused("publish", makers.repository, "--key", *makers.keys("online"))
    makers.run("sign", makers.repository, "--key", *makers.keys("root1", "root3"))
    makers.run("publish", makers.repository, "--key", *makers.keys("online"))
    assert ReleaseRepository(makers.repository).root().signed.version == 2


def test_new_keys_of_the_targets_sign_what_is_offered_already(
    makers: Makers, capsys: pytest.CaptureFixture[str]
) -> None:
    makers.begin()
    makers.run("sign", makers.repository, "--key", *makers.keys("root1", "root2", "targets1", "targets2"))
    makers.run("publish", makers.repository, "--key", *makers.keys("online"))
    for name in ("targets3", "targets4"):
        makers.run("key", makers.folder / name)
    new = makers.public("targets3", "targets4")
    makers.run("rotate", makers.repository, "--targets", *new, "--targets-threshold", "2")
    makers.run("sign", makers.repository, "--key", *makers.keys("root1", "root2"))
    makers.refused("publish", makers.repository, "--key", *makers.keys("online"))
    assert "targets.json has too few signatures" in capsys.readouterr().err
    assert ReleaseRepository(makers.repository).root().signed.version == 1
    makers.run("sign", makers.repository, "--key", *makers.keys("targets3", "targets4"))
    makers.run("publish", makers.repository, "--key", *makers.keys("online"))
    assert ReleaseRepository(makers.repository).newest("targets").signed.version == 2


def test_a_wrong_key_for_the_timestamp_publishes_nothing(makers: Makers) -> None:
    makers.begin()
    makers.run("sign", makers.repository, "--key", *makers.keys("root1", "root2", "targets1", "targets2"))
    makers.refused("publish", makers.repository, "--key", *makers.keys("root1"))
    assert not list((makers.repository / "metadata").iterdir())
    assert len(list((makers.repository / "pending").iterdir())) == 2
    makers.run("publish", makers.repository, "--key", *makers.keys("online"))


def test_a_tree_learns_where_its_updates_come_from(makers: Makers) -> None:
    makers.begin()
    tree = makers.folder / "tree"
    tree.mkdir()
    makers.refused("trust", makers.repository, tree, "--address", "https://updates.example")
    makers.run("sign", makers.repository, "--key", *makers.keys("root1", "root2", "targets1", "targets2"))
    makers.run("publish", makers.repository, "--key", *makers.keys("online"))
    makers.run("trust", makers.repository, tree, "--address", "https://updates.example")
    source = UpdateSource.of(tree)
    assert source is not None
    assert source.metadata == "https://updates.example/metadata/"
    assert source.root == (makers.repository / "metadata" / "1.root.json").read_bytes()


def test_a_build_takes_the_published_root_into_its_tree(makers: Makers) -> None:
    makers.begin()
    unsigned = makers.repository / "pending" / "root.json"
    with pytest.raises(BuildError, match="holds no signed root"):
        update_source("https://updates.example", unsigned)
    makers.run("sign", makers.repository, "--key", *makers.keys("root1", "root2", "targets1", "targets2"))
    makers.run("publish", makers.repository, "--key", *makers.keys("online"))
    root = makers.repository / "metadata" / "1.root.json"
    for address, file in (
        ("updates.example", root),
        ("https://updates.example", makers.folder / "root1.pub"),
    ):
        with pytest.raises(BuildError):
            update_source(address, file)
    source, folder = update_source("https://updates.example", root), makers.folder / "tree"
    folder.mkdir()
    tree = Tree(folder, Release(ROOT, "0.1.0", COMMIT, 0), makers.folder / "log")
    tree.name_updates(None)
    assert UpdateSource.of(folder) is None
    tree.name_updates(source)
    assert UpdateSource.of(folder) == source


def test_a_package_that_differs_from_its_list_is_refused(
    makers: Makers, capsys: pytest.CaptureFixture[str]
) -> None:
    makers.begin()
    built = makers.built("0.2.0")
    (built / "package").write_bytes(b"0.2.1")
    makers.refused("add", makers.repository, built)
    assert "differs from packages.json" in capsys.readouterr().err


@pytest.mark.parametrize("notes", ["[]", "{", '{"en": 1}', json.dumps({"en": "x" * 2_001})])
def test_a_text_that_would_not_be_shown_is_refused(makers: Makers, notes: str) -> None:
    makers.begin()
    file = makers.folder / "notes.json"
    file.write_text(notes)
    makers.refused("add", makers.repository, makers.built("0.2.0"), "--notes", file)


def test_a_repository_is_not_begun_twice(makers: Makers, capsys: pytest.CaptureFixture[str]) -> None:
    makers.begin()
    (online,) = makers.public("online")
    roles = [word for role in ("root", "targets", "snapshot", "timestamp") for word in (f"--{role}", online)]
    makers.refused("init", makers.repository, *roles)
    assert "is not empty" in capsys.readouterr().err
    makers.refused("init", makers.folder / "other", "--root", online)
    assert "targets has no key" in capsys.readouterr().err
    makers.refused("init", makers.folder / "other2", *roles, "--root-threshold", "2")
    assert "cannot be demanded" in capsys.readouterr().err


def test_a_private_key_is_encrypted_and_closed_to_others(tmp_path: Path) -> None:
    file = tmp_path / "key"
    public = make_key(file, "secret")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert b"ENCRYPTED" in file.read_bytes()
    assert read_signer(file, lambda _: "secret").public_key.keyid == read_public(public).keyid
    with pytest.raises(ReleaseError, match="its password is wrong"):
        read_signer(file, lambda _: "guess")
    with pytest.raises(ReleaseError, match="cannot be written"):
        make_key(file, "secret")
    file.chmod(0o644)
    with pytest.raises(ReleaseError, match="Other users may read"):
        read_signer(file, lambda _: "secret")


@pytest.mark.parametrize("content", [b"", b"-----BEGIN PUBLIC KEY-----\n", b"\xff"])
def test_what_is_no_key_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "key"
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(ReleaseError):
        read_signer(file, lambda _: "")
    with pytest.raises(ReleaseError, match="not the private key"):
        read_public(file)
    with pytest.raises(ReleaseError, match="cannot be read"):
        read_public(tmp_path / "gone")


def test_the_snapshot_is_renewed_before_it_expires(makers: Makers) -> None:
    makers.begin()
    makers.run("sign", makers.repository, "--key", *makers.keys("root1", "root2", "targets1", "targets2"))
    makers.run("publish", makers.repository, "--key", *makers.keys("online"))
    online = [read_signer(makers.folder / "online", lambda _: "correct horse")]
    for days, expected in ((1, 1), (8, 2), (9, 2)):
        later = ReleaseRepository(makers.repository, datetime.now(UTC) + timedelta(days=days), Lifetimes())
        later.renew(online)
        assert later.newest("snapshot").signed.version == expected
