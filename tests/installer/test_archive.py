"""Archives and listings do not depend on who builds, when, where, or in which order a disk lists files."""

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from installer.archive import compress_deb, listed, write_tar_xz
from installer.tree import settle

EPOCH = 1_700_000_000


def _lay(folder: Path, names: list[str], mask: int) -> None:
    """Write the same files in the order of ``names``, with modes that a user's ``mask`` leaves."""
    before = os.umask(mask)
    try:
        for name in names:
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(name)
        (folder / "bin" / "program").chmod(0o777 & ~mask)
        (folder / "bin" / "link").symlink_to("program")
    finally:
        os.umask(before)


def test_the_same_files_make_the_same_bytes(tmp_path: Path) -> None:
    names = ["bin/program", "a/b", "a.txt"]
    one, other = tmp_path / "one", tmp_path / "elsewhere" / "other"
    _lay(one, names, 0o022)
    _lay(other, names[::-1], 0o077)
    os.utime(other / "a.txt", (1, 1))
    for folder in (one, other):
        write_tar_xz(folder, folder.with_suffix(".tar.xz"), EPOCH, root="idlebrush")
    assert one.with_suffix(".tar.xz").read_bytes() == other.with_suffix(".tar.xz").read_bytes()
    assert [str(file) for file in listed(one)] == [str(file) for file in listed(other)]


def test_programs_links_and_times_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    _lay(folder, ["bin/program", "a"], 0o077)
    archive = tmp_path / "tree.tar.xz"
    write_tar_xz(folder, archive, EPOCH)
    with tarfile.open(archive) as packed:
        entries = {entry.name: entry for entry in packed}
    assert entries["tree/bin/program"].mode == 0o755
    assert entries["tree/a"].mode == 0o644
    assert entries["tree/bin/link"].linkname == "program"
    assert {entry.mtime for entry in entries.values()} == {EPOCH}
    assert {(entry.uid, entry.gid) for entry in entries.values()} == {(0, 0)}


def test_a_listing_names_each_file_by_its_digest(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to("file")
    # printf content | sha256sum
    digest = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"
    assert [str(file) for file in listed(tmp_path)] == [
        f"{digest}           7  file",
        "-> file           0  link",
    ]


def test_a_settled_tree_has_the_modes_of_programs_and_files_alone(tmp_path: Path) -> None:
    _lay(tmp_path, ["bin/program", "a"], 0o077)
    settle(tmp_path, EPOCH)
    modes = {path.name: path.lstat().st_mode & 0o777 for path in tmp_path.rglob("*") if not path.is_symlink()}
    assert modes == {"bin": 0o755, "program": 0o755, "a": 0o644}
    assert {path.lstat().st_mtime for path in tmp_path.rglob("*")} == {EPOCH}


@pytest.mark.skipif(not (shutil.which("dpkg-deb") and shutil.which("ar")), reason="needs dpkg-deb and ar")
def test_a_package_is_compressed_and_stays_what_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "package"
    _lay(folder, ["opt/idlebrush/odd", "bin/program"], 0o022)
    (folder / "opt" / "large").write_bytes(bytes(100_001))
    (folder / "DEBIAN").mkdir()
    fields = (
        "Package: idlebrush",
        "Version: 1",
        "Architecture: all",
        "Maintainer: a <a@localhost>",
        "Description: a",
    )
    (folder / "DEBIAN" / "control").write_text("".join(f"{field}\n" for field in fields))
    package = tmp_path / "idlebrush.deb"
    build: list[str | Path] = [
        "dpkg-deb",
        "--root-owner-group",
        "--uniform-compression",
        "-Znone",
        "--build",
        folder,
        package,
    ]
    subprocess.run(build, check=True, capture_output=True)
    # As nfpm writes it: the description compressed, the files not.
    subprocess.run(["ar", "x", package], cwd=tmp_path, check=True)
    subprocess.run(["gzip", "--no-name", "control.tar"], cwd=tmp_path, check=True)
    package.unlink()
    members = ["debian-binary", "control.tar.gz", "data.tar"]
    subprocess.run(["ar", "rcSD", package, *members], cwd=tmp_path, check=True)
    before = subprocess.run(["dpkg-deb", "--contents", package], check=True, capture_output=True).stdout
    size = package.stat().st_size
    compress_deb(package)
    assert package.stat().st_size < size / 10
    assert (
        subprocess.run(["dpkg-deb", "--contents", package], check=True, capture_output=True).stdout == before
    )
    with pytest.raises(ValueError, match="other members"):
        compress_deb(package)
    package.write_text("another file")
    with pytest.raises(ValueError, match="is no package"):
        compress_deb(package)
