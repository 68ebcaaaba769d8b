"""Trees of versions are laid out whole or not at all, and the link to the one in use always leads to a tree."""

import io
import tarfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from client.api.errors import BrokenVersion, UpdateError
from client.installed import FILE, Installation, InstallChannel
from client.updates.laying_out import MOST_UNPACKED, lay_out, stays_inside
from client.updates.trees import LINK, InstalledTrees
from core.storage.files import sha256_of
from tests.client.updates.installed_trees import tiny_tree, tiny_trees
from tests.client.updates.releases import COMMIT

pytestmark = pytest.mark.posix


def packed(folder: Path, version: str = "0.2.0", says: str | None = None, commit: str = COMMIT) -> Path:
    tree = tiny_tree(folder / "built" / version, version, says, commit)
    archive = folder / f"{version}.tar.gz"
    with tarfile.open(archive, "w:gz") as opened:
        opened.add(tree, f"idlebrush-{version}-linux-x86_64/tree")
    return archive


def laid_out(trees: InstalledTrees, archive: Path, version: str = "0.2.0") -> Path:
    return lay_out(trees, archive, sha256_of(archive), version, COMMIT)


def names(trees: InstalledTrees) -> list[str]:
    return sorted(place.name for place in trees.prefix.iterdir())


def test_a_version_is_laid_out_beside_the_one_in_use(tmp_path: Path) -> None:
    trees = tiny_trees(tmp_path / "app", "0.1.0")
    assert laid_out(trees, packed(tmp_path)) == trees.tree("0.2.0")
    assert names(trees) == ["0.1.0", "0.2.0", LINK]
    assert trees.used == "0.1.0"
    trees.use("0.2.0")
    assert trees.used == "0.2.0"
    trees.remove_others("0.2.0")
    assert names(trees) == ["0.2.0", LINK]


def test_the_tree_in_use_is_never_removed(tmp_path: Path) -> None:
    trees = tiny_trees(tmp_path / "app", "0.1.0", "0.2.0")
    trees.remove_others("0.2.0")
    trees.remove("0.1.0")
    assert names(trees) == ["0.1.0", "0.2.0", LINK]


def test_a_version_that_was_laid_out_before_is_replaced(tmp_path: Path) -> None:
    trees = tiny_trees(tmp_path / "app", "0.1.0", "0.2.0")
    (trees.tree("0.2.0") / "old").touch()
    laid_out(trees, packed(tmp_path))
    assert not (trees.tree("0.2.0") / "old").exists()


def test_what_killed_processes_left_is_removed(tmp_path: Path) -> None:
    trees = tiny_trees(tmp_path / "app", "0.1.0")
    for left in ("new-0.2.0", "discarded-0.0.9"):
        (trees.prefix / left / "python").mkdir(parents=True)
    (trees.prefix / "current.new").symlink_to("0.2.0")
    laid_out(trees, packed(tmp_path))
    assert names(trees) == ["0.1.0", "0.2.0", LINK]


@pytest.mark.parametrize(
    ("says", "commit", "words"),
    [
        ("exit 3", COMMIT, "does not run on this computer: exit status 3"),
        ("echo broken >&2; exit 1", COMMIT, "does not run on this computer: broken"),
        ("echo idlebrush 0.1.9", COMMIT, "does not run on this computer: idlebrush 0.1.9"),
        (None, "1" * 40, "of another build"),
    ],
)
def test_a_tree_that_does_not_work_is_refused(
    tmp_path: Path, says: str | None, commit: str, words: str
) -> None:
    trees = tiny_trees(tmp_path / "app", "0.1.0")
    with pytest.raises(BrokenVersion) as raised:
        laid_out(trees, packed(tmp_path, says=says, commit=commit))
    assert words in raised.value.what
    assert names(trees) == ["0.1.0", LINK]


def test_a_package_that_changed_on_the_disk_is_fetched_again(tmp_path: Path) -> None:
    trees, archive = tiny_trees(tmp_path / "app", "0.1.0"), packed(tmp_path)
    digest = sha256_of(archive)
    archive.write_bytes(archive.read_bytes() + b"#")
    with pytest.raises(UpdateError, match="has changed on this disk"):
        lay_out(trees, archive, digest, "0.2.0", COMMIT)
    assert not archive.exists()


def member_of(name: str, link: str = "", kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, link
    return member


@pytest.mark.parametrize(
    ("member", "inside"),
    [
        (member_of("tree/file"), True),
        (member_of("tree", kind=tarfile.DIRTYPE), True),
        (member_of("tree/bin/python3", "python3.11", tarfile.SYMTYPE), True),
        (member_of("tree/bin/python3", "../lib/python3.11", tarfile.SYMTYPE), True),
        (member_of("tree/again", "tree/file", tarfile.LNKTYPE), True),
        (member_of("../outside"), False),
        (member_of("/outside"), False),
        (member_of("tree/../../outside"), False),
        (member_of("link/file"), False),  # which an earlier member made a link
        (member_of("tree/link", "/etc", tarfile.SYMTYPE), False),
        (member_of("tree/link", "../../etc", tarfile.SYMTYPE), False),
        (member_of("tree/link", "file/../../../etc", tarfile.SYMTYPE), False),
        (member_of("tree/hard", "../outside", tarfile.LNKTYPE), False),
        (member_of("tree/hard", "link", tarfile.LNKTYPE), False),
        (member_of("tree/device", kind=tarfile.CHRTYPE), False),
        (member_of("tree/pipe", kind=tarfile.FIFOTYPE), False),
    ],
)
def test_no_member_of_a_package_leads_elsewhere(member: tarfile.TarInfo, inside: bool) -> None:
    assert stays_inside(member, {PurePosixPath("link")}) is inside


@pytest.mark.parametrize("name", ["../outside", "/tmp/outside-of-idlebrush", "tree/../../../outside"])
def test_a_package_cannot_write_outside_of_its_folder(tmp_path: Path, name: str) -> None:
    trees, archive = tiny_trees(tmp_path / "app", "0.1.0"), tmp_path / "evil.tar"
    with tarfile.open(archive, "w") as opened:
        member = member_of(name)
        member.size = 4
        opened.addfile(member, io.BytesIO(b"evil"))
    with pytest.raises(BrokenVersion, match="which leads elsewhere"):
        laid_out(trees, archive)
    assert not list(tmp_path.rglob("outside"))
    assert not Path("/tmp/outside-of-idlebrush").exists()


def test_a_package_cannot_write_through_a_link(tmp_path: Path) -> None:
    trees, archive = tiny_trees(tmp_path / "app", "0.1.0"), tmp_path / "evil.tar"
    with tarfile.open(archive, "w") as opened:
        opened.addfile(member_of("a/b/up", "../..", tarfile.SYMTYPE))
        opened.addfile(member_of("a/b/up/link", "../../outside", tarfile.SYMTYPE))
    with pytest.raises(BrokenVersion, match="which leads elsewhere"):
        laid_out(trees, archive)


def test_files_of_a_package_get_harmless_permissions(tmp_path: Path) -> None:
    trees, archive = tiny_trees(tmp_path / "app", "0.1.0"), tmp_path / "package.tar"
    tree = tiny_tree(tmp_path / "built", "0.2.0")
    (tree / "bin" / "idlebrush").chmod(0o4777)
    (tree / "code" / "module.py").touch(mode=0o666)
    with tarfile.open(archive, "w") as opened:
        opened.add(tree, "tree")
    laid = laid_out(trees, archive)
    assert (laid / "bin" / "idlebrush").stat().st_mode & 0o7777 == 0o755
    assert (laid / "code" / "module.py").stat().st_mode & 0o7777 == 0o644


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b" + bytes(20)])
def test_what_is_no_package_is_refused(tmp_path: Path, content: bytes) -> None:
    trees, archive = tiny_trees(tmp_path / "app", "0.1.0"), tmp_path / "package"
    archive.write_bytes(content)
    with pytest.raises(BrokenVersion):
        laid_out(trees, archive)


def test_a_truncated_package_is_refused(tmp_path: Path) -> None:
    trees, archive = tiny_trees(tmp_path / "app", "0.1.0"), packed(tmp_path)
    archive.write_bytes(archive.read_bytes()[:200])
    with pytest.raises(BrokenVersion):
        laid_out(trees, archive)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda tree: (tree / FILE).unlink(), f"has no {FILE}"),
        (lambda tree: (tree / FILE).write_text("channel = "), f"{FILE} cannot be read"),
        (lambda tree: (tree / FILE).write_text('channel = "tarball"'), f"{FILE} cannot be read"),
        (lambda tree: (tree / "bin" / "idlebrush").unlink(), "does not run on this computer"),
    ],
    ids=["without a description", "with half a description", "with too short a one", "without a program"],
)
def test_a_tree_that_is_not_whole_is_refused(
    tmp_path: Path, spoil: Callable[[Path], object], words: str
) -> None:
    trees, tree = tiny_trees(tmp_path / "app", "0.1.0"), tiny_tree(tmp_path / "built", "0.2.0")
    spoil(tree)
    archive = tmp_path / "0.2.0.tar"
    with tarfile.open(archive, "w") as opened:
        opened.add(tree, "idlebrush-0.2.0")
    with pytest.raises(BrokenVersion, match=words):
        laid_out(trees, archive)
    assert names(trees) == ["0.1.0", LINK]


def test_a_package_that_would_fill_the_disk_is_not_unpacked(tmp_path: Path) -> None:
    trees, archive = tiny_trees(tmp_path / "app", "0.1.0"), tmp_path / "0.2.0.tar"
    huge = tarfile.TarInfo("idlebrush-0.2.0/code/zeros")
    huge.size = MOST_UNPACKED + 1
    archive.write_bytes(huge.tobuf() + bytes(10_240))
    with pytest.raises(BrokenVersion, match="larger than is accepted"):
        laid_out(trees, archive)
    assert names(trees) == ["0.1.0", LINK]


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    trees = tiny_trees(tmp_path / "app", "0.1.0")
    trees.prefix.rename(tmp_path / "moved")
    with pytest.raises(UpdateError, match="app cannot be used: No such file or directory"):
        laid_out(trees, packed(tmp_path))


def test_only_a_tarball_with_a_link_updates_itself(tmp_path: Path) -> None:
    trees = tiny_trees(tmp_path / "app", "0.1.0")
    tree = trees.tree("0.1.0")
    assert InstalledTrees.of(Installation(InstallChannel.DEB, "0.1.0", COMMIT, tree)) is None
    (trees.prefix / LINK).unlink()
    assert InstalledTrees.of(Installation(InstallChannel.TARBALL, "0.1.0", COMMIT, tree)) is None


def test_a_name_that_is_no_version_has_no_tree(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is no version"):
        InstalledTrees(tmp_path).tree("../etc")


def test_the_link_is_replaced_in_one_step(tmp_path: Path) -> None:
    trees = tiny_trees(tmp_path / "app", "0.1.0", "0.2.0")
    (trees.prefix / "current.new").symlink_to("0.1.0")  # of a process that was killed
    trees.use("0.2.0")
    assert trees.program.resolve() == trees.tree("0.2.0") / "bin" / "idlebrush"
    assert names(trees) == ["0.1.0", "0.2.0", LINK]
