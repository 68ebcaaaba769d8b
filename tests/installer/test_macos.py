"""The bundle for macOS has what macOS reads, as far as that can be seen on another system."""

import plistlib
import shutil
import stat
import struct
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from core.packages_manifest import PackageKind
from core.run.join_link import RUN_FILE_SUFFIX, JoinLink
from core.storage.files import sha256_of
from installer.commands import BuildError
from installer.macos.build import MacPython, MacTree, build_macos
from installer.macos.bundle import lay_bundle
from installer.release import BuildJob, Release

RELEASE = Release(Path(), "1.2.3", "c" * 40, 1_700_000_000)
_HERE = Path(__file__).parents[2] / "installer" / "macos"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    (tree / "python/bin").mkdir(parents=True)
    (tree / "code").mkdir()
    python = tree / "python/bin/python3"
    python.write_text('#!/bin/sh\necho "$@"\n')
    python.chmod(0o755)
    return lay_bundle(tree, tmp_path, RELEASE)


def test_it_opens_links_and_files_of_runs(bundle: Path) -> None:
    information = plistlib.loads((bundle / "Contents/Info.plist").read_bytes())
    (links,) = information["CFBundleURLTypes"]
    assert (
        str(JoinLink("https://example.org/run.toml", "ab")).partition(":")[0] in links["CFBundleURLSchemes"]
    )
    (declared,) = information["UTExportedTypeDeclarations"]
    (document,) = information["CFBundleDocumentTypes"]
    assert document["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    (extension,) = declared["UTTypeTagSpecification"]["public.filename-extension"]
    assert f".{extension}" == RUN_FILE_SUFFIX


def test_it_names_only_what_it_has(bundle: Path) -> None:
    information = plistlib.loads((bundle / "Contents/Info.plist").read_bytes())
    assert (bundle / "Contents/Resources" / information["CFBundleIconFile"]).is_file()
    program = bundle / "Contents/MacOS" / information["CFBundleExecutable"]
    assert program.stat().st_mode & 0o111
    assert information["CFBundleShortVersionString"] == "1.2.3"
    assert information["LSUIElement"] is True


def test_it_starts_its_own_python_wherever_it_lies(bundle: Path, tmp_path: Path) -> None:
    moved = tmp_path / "Moved here" / bundle.name
    moved.parent.mkdir()
    bundle.rename(moved)
    command = [str(moved / "Contents/MacOS/idlebrush"), "open", "a link"]
    started = subprocess.run(command, capture_output=True, text=True, check=True)
    assert started.stdout == "-P -m client.cli open a link\n"


def test_the_icon_has_the_sizes_that_macos_asks_for(bundle: Path) -> None:
    data = (bundle / "Contents/Resources/idlebrush.icns").read_bytes()
    assert data[:4] == b"icns"
    assert struct.unpack(">I", data[4:8]) == (len(data),)
    widths, at = {}, 8
    while at < len(data):
        kind, length = data[at : at + 4], struct.unpack(">I", data[at + 4 : at + 8])[0]
        assert data[at + 8 : at + 12] == b"\x89PNG"
        (widths[kind],) = struct.unpack(">I", data[at + 24 : at + 28])
        at += length
    assert widths[b"ic10" if b"ic10" in widths else b"ic09"] >= 512
    assert widths[b"ic07"] == 128
    assert widths[b"ic11"] == 2 * widths[b"icp4"]


def _python(folder: Path, *names: str) -> Path:
    """Write an archive with some files of a Python that cannot run."""
    (folder / "given").mkdir()
    file = folder / "given" / "python.tar.gz"
    with tarfile.open(file, "w:gz") as packed:
        for name in names:
            entry = tarfile.TarInfo(name)
            if name.endswith("/"):
                entry.type = tarfile.DIRTYPE
                entry.mode = 0o755
            elif name.endswith("python3"):
                entry.type, entry.linkname = tarfile.SYMTYPE, "python3.11"
            packed.addfile(entry)
    return file


PYTHON = ("python/bin/python3.11", "python/bin/python3", "python/lib/python3.11/site-packages/")


def test_it_is_built_on_another_system(tmp_path: Path) -> None:
    file = _python(tmp_path, *PYTHON)
    lock, source, output = tmp_path / "lock.txt", tmp_path / "environment.toml", tmp_path / "output"
    lock.touch()
    source.write_text("of the list")
    output.mkdir()
    release = Release.of_head()
    job = BuildJob(release, output, tmp_path / "work", tmp_path / "log", source)
    (built,) = build_macos(job, MacPython(file, sha256_of(file)), lock)
    assert (built.file, built.kind) == (f"idlebrush-{release.version}-macos-arm64.zip", PackageKind.BUNDLE)
    assert not built.tried
    with zipfile.ZipFile(output / built.file) as packed:
        entries = {entry.filename: entry for entry in packed.infolist()}
        tree = "Idlebrush.app/Contents/Resources/tree"
        assert packed.read(f"{tree}/environment.toml") == b"of the list"
        assert packed.read(f"{tree}/python/bin/python3") == b"python3.11"
    assert stat.S_ISLNK(entries[f"{tree}/python/bin/python3"].external_attr >> 16)
    assert entries["Idlebrush.app/Contents/MacOS/idlebrush"].external_attr >> 16 == stat.S_IFREG | 0o755
    assert {f"{tree}/code/client/cli.py", f"{tree}/python/lib/python3.11/site-packages/idlebrush.pth"} < set(
        entries
    )
    listing = (output / "contents-macos-arm64.txt").read_text().splitlines()
    assert sorted(f"Idlebrush.app/{line[78:]}" for line in listing if "->" not in line) == sorted(
        name for name, entry in entries.items() if stat.S_ISREG(entry.external_attr >> 16)
    )


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (PYTHON, "should have 000"),
        (
            ("python/bin/python3.12", "python/lib/python3.12/site-packages/"),
            r"no python/bin/python3 of version 3\.11",
        ),
    ],
)
def test_another_python_is_refused(names: tuple[str, ...], told: str, tmp_path: Path) -> None:
    file = _python(tmp_path, *names)
    digest = "0" * 64 if names == PYTHON else sha256_of(file)
    tree = MacTree(tmp_path / "tree", RELEASE, tmp_path / "log")
    with pytest.raises(BuildError, match=told):
        tree.lay(MacPython(file, digest), tmp_path / "lock")


def test_no_tree_and_a_bundle_that_is_there_are_refused(bundle: Path, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="no python and no code"):
        lay_bundle(bundle, tmp_path, RELEASE)
    with pytest.raises(BuildError, match="is there already"):
        lay_bundle(tmp_path / "tree", tmp_path, RELEASE)


def test_the_recipe_for_signing_is_sound_as_far_as_it_can_be_seen() -> None:
    plistlib.loads((_HERE / "entitlements.plist").read_bytes())
    shell = shutil.which("dash") or "sh"
    assert subprocess.run([shell, "-n", _HERE / "sign.sh"], check=False).returncode == 0
