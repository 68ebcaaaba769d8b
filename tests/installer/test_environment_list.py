"""The list of the trainer's wheels: files are chosen by platform, sizes read in ranges, sources made into wheels."""

import io
import tarfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import pytest
import requests

from client.environment.lock_file import EnvironmentLock, sign_lock
from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine, PackagesManifest
from core.signing import SigningKey
from core.storage.files import sha256_of
from installer.commands import BuildError
from installer.environment import resolve, wheels
from installer.environment.make_list import VARIANTS, ListMaker
from installer.environment.resolve import ResolvedFile, least_glibc
from installer.environment.serve import served

BASE = "http://127.0.0.1:1/wheels"


def _wheel(folder: Path, name: str, size: int = 300_000) -> Path:
    """Write a wheel whose table of contents is not all that is in it."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("module.py", bytes(range(256)) * (size // 256))
        archive.writestr("empty.py", b"")
    return file


def _resolved(file: Path, address: str = "") -> ResolvedFile:
    package, version = file.name.split("-")[:2]
    return ResolvedFile(package, version, address or file.as_uri(), sha256_of(file), None)


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (["a-1-py3-none-any.whl", "a-1-cp311-cp311-manylinux_2_17_x86_64.whl"], 1),
        (["a-1-cp311-cp311-manylinux_2_28_x86_64.whl", "a-1-cp311-cp311-manylinux_2_17_x86_64.whl"], 0),
        (["a-1-cp312-cp312-manylinux_2_17_x86_64.whl", "a-1-cp39-abi3-manylinux2014_x86_64.whl"], 1),
        (["a-1-cp311-cp311-manylinux_2_39_x86_64.whl", "a-1-py3-none-any.whl"], 1),
        (["a-1-cp311-cp311-win_amd64.whl", "a-1-cp311-cp311-macosx_11_0_arm64.whl"], None),
        (["a-1-cp311-cp311-musllinux_1_2_x86_64.whl"], None),
    ],
)
def test_the_wheel_is_chosen_that_an_installer_would_take(names: list[str], chosen: int | None) -> None:
    package = {
        "name": "a",
        "version": "1",
        "wheels": [{"url": f"https://example.org/{name}", "hashes": {"sha256": "0" * 64}} for name in names],
    }
    if chosen is None:
        with pytest.raises(BuildError, match="no file for this platform"):
            resolve.chosen(package)
        source = {"url": "https://example.org/a-1.tar.gz", "hashes": {"sha256": "1" * 64}, "size": 9}
        found = resolve.chosen({**package, "sdist": source})
        assert (found.name, found.is_wheel, found.size) == ("a-1.tar.gz", False, 9)
    else:
        assert resolve.chosen(package).name == names[chosen]


def test_a_plus_sign_of_a_version_is_read_from_an_address() -> None:
    found = ResolvedFile("a", "1+cpu", "https://example.org/a-1%2Bcpu-py3-none-any.whl", "0" * 64, None)
    assert found.name == "a-1+cpu-py3-none-any.whl"


@pytest.mark.parametrize(
    ("names", "least"),
    [
        (["a-1-py3-none-any.whl"], "2.5"),
        (["a-1-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.whl"], "2.17"),
        (["a-1-cp311-cp311-manylinux2014_x86_64.whl", "b-1-py3-none-any.whl"], "2.17"),
        (["a-1-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl"], "2.27"),
        (["a-1-py3-none-manylinux_2_28_x86_64.whl", "b-1-cp39-abi3-manylinux_2_34_x86_64.whl"], "2.34"),
    ],
)
def test_the_glibc_is_the_oldest_that_all_wheels_run_with(names: list[str], least: str) -> None:
    assert least_glibc(names) == least


def test_sizes_are_read_from_the_end_of_a_file_on_a_server(tmp_path: Path) -> None:
    file = _wheel(tmp_path, "a-1+cpu-py3-none-any.whl", 600_064)
    with served(tmp_path) as address, requests.Session() as session:
        there = f"{address}/{quote(file.name)}"
        assert wheels.sizes(_resolved(file, there), session) == (file.stat().st_size, 600_064)
        remote = io.BufferedReader(wheels.RangedFile(session, there))
        remote.seek(-22, io.SEEK_END)
        assert remote.read() == file.read_bytes()[-22:]
        remote.seek(1_000)
        assert remote.read(5) == file.read_bytes()[1_000:1_005]
        with pytest.raises(BuildError, match="status 404"):
            wheels.RangedFile(session, f"{address}/none.whl")
    assert wheels.sizes(_resolved(file), requests.Session()) == (file.stat().st_size, 600_064)


def test_files_are_fetched_whole_and_checked(tmp_path: Path) -> None:
    file = _wheel(tmp_path / "index", "a-1-py3-none-any.whl")
    target = tmp_path / "wheels"
    target.mkdir()
    with served(file.parent) as address, requests.Session() as session:
        wanted = _resolved(file, f"{address}/{file.name}")
        assert wheels.fetch(wanted, target, session).read_bytes() == file.read_bytes()
        (target / file.name).write_bytes(b"another")
        with pytest.raises(BuildError, match="does not have the digest"):
            wheels.fetch(wanted, target, session)


def test_a_wheel_is_made_of_a_source_with_the_same_bytes_each_time(tmp_path: Path) -> None:
    source = tmp_path / "index" / "tiny-1.tar.gz"
    source.parent.mkdir()
    _sdist(source)
    made = []
    for name in ("one", "other"):
        folder = tmp_path / name / "wheels"
        folder.mkdir(parents=True)
        resolved = ResolvedFile("tiny", "1", source.as_uri(), sha256_of(source), None)
        wheel = wheels.wheel_of_source(resolved, folder, requests.Session(), tmp_path / "log", 1_577_836_800)
        assert wheel.name == "tiny-1-py3-none-any.whl"
        made.append(wheel.sha256)
    assert made[0] == made[1]


def test_a_list_names_wheels_at_the_index_and_beside_it(tmp_path: Path) -> None:
    index = tmp_path / "index"
    common = _wheel(index, "common-2-py3-none-any.whl")
    torch = _wheel(tmp_path / "links", "torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl", 512)
    folder = tmp_path / "list"
    folder.mkdir()
    with served(index) as address, requests.Session() as session:
        files = [_resolved(common, f"{address}/{common.name}"), _resolved(torch)]
        maker = ListMaker(folder, BASE, tmp_path / "log", session)
        variant = maker.variant(VARIANTS["cpu"], files, download=False)
        with pytest.raises(BuildError, match="is served with the list"):
            ListMaker(folder, None, tmp_path / "log", session).variant(VARIANTS["cpu"], files, download=False)
        downloaded = maker.variant(VARIANTS["cu13"], files, download=True)
    assert [wheel.addresses for wheel in variant.wheels] == [
        (f"{address}/{common.name}",),
        (f"{BASE}/torch-2.13.0%2Bcpu-cp311-cp311-manylinux_2_28_x86_64.whl",),
    ]
    assert variant.needs.glibc == "2.28"
    assert [wheel.unpacked for wheel in variant.wheels] == [299_776, 512]
    assert downloaded.wheels[0].addresses == (f"{BASE}/{common.name}",)
    assert (folder / "wheels" / common.name).read_bytes() == common.read_bytes()
    lock = EnvironmentLock(
        serial=1,
        issued_at=datetime(2026, 1, 1, tzinfo=UTC),
        expires_at=datetime(2026, 4, 1, tzinfo=UTC),
        variants=(downloaded, variant),
    )
    assert sign_lock(lock, SigningKey.generate())


def test_a_list_names_a_distribution_that_was_built(tmp_path: Path) -> None:
    build, folder = tmp_path / "packages", tmp_path / "list"
    build.mkdir()
    folder.mkdir()
    archive = build / "idlebrush-0.1.0-wsl-x86_64.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        entry = tarfile.TarInfo("etc/os-release")
        entry.size = 1_000
        packed.addfile(entry, io.BytesIO(bytes(1_000)))
    built = BuiltPackage.of(archive, PackageKind.DISTRIBUTION, PackageMachine.X86_64, tried=False)
    PackagesManifest(version="0.1.0", commit="ab" * 20, files=(built,)).save(build)
    maker = ListMaker(folder, BASE, tmp_path / "log", requests.Session())
    found = maker.distribution(archive)
    assert (found.version, found.size, found.sha256) == ("0.1.0", built.size, built.sha256)
    assert (found.unpacked, found.python, found.glibc) == (1_000, "3.11", "2.39")
    assert found.addresses == (f"{BASE}/{archive.name}",)
    assert (folder / "wheels" / archive.name).read_bytes() == archive.read_bytes()
    archive.write_bytes(b"another")
    with pytest.raises(BuildError, match="is no distribution of that build"):
        maker.distribution(archive)


def _sdist(target: Path) -> None:
    files = {
        "tiny-1/pyproject.toml": '[project]\nname = "tiny"\nversion = "1"\n',
        "tiny-1/tiny.py": "",
        "tiny-1/PKG-INFO": "Metadata-Version: 2.1\nName: tiny\nVersion: 1\n",
    }
    with tarfile.open(target, "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
