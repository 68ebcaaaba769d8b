"""The list of the trainer's wheels: files are chosen by platform, sizes read in ranges, sources made into wheels."""

import io
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Literal
from urllib.parse import quote

import pytest
import requests

from client.environment.lock_file import EnvironmentLock, sign_lock
from client.environment.machine_facts import GpuFacts, MachineFacts
from client.environment.variants import choose
from client.machine.readings import Known, Reading, Unknown
from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine, PackagesManifest
from core.signing import SigningKey
from core.storage.files import sha256_of
from installer.commands import BuildError
from installer.environment import resolve, wheels
from installer.environment.make_list import ListMaker, options
from installer.environment.resolve import ResolvedFile, least_glibc
from installer.environment.serve import served
from installer.environment.variants import VARIANTS, remark_on, wanted_variants

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


def test_a_file_without_a_digest_is_refused() -> None:
    wheel = {"url": "https://example.org/a-1-py3-none-any.whl", "hashes": {"md5": "0"}}
    with pytest.raises(BuildError, match="does not tell the SHA-256 of a 1"):
        resolve.chosen({"name": "a", "version": "1", "wheels": [wheel]})


def test_builds_of_a_variant_come_from_its_own_index_and_all_else_from_the_common_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, common, own = (tmp_path / name for name in ("project", "common", "own"))
    project.mkdir()
    (project / "pyproject.toml").write_text(
        '[project]\nname = "p"\nversion = "1"\n[project.optional-dependencies]\n'
        'trainer = ["torch>=2"]\ncoordinator = ["numpy"]\n'
    )
    (project / "constraints.txt").write_text("torch==2.13.0\n")
    for index, files in (
        (common, ("torch-2.13.0", "numpy-2.3.5", "triton-3.6", "taming_transformers_rom1504-0.0.6")),
        (own, ("torch-2.12.0+cu126", "torch-2.13.0+cu126", "numpy-1.26.4", "triton-3.6")),
    ):
        for file in files:
            _published(index, file, "triton" if file.startswith("torch") else None)
    with index_at(common) as first, index_at(own) as second:
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"{first}/")
        found = resolve.resolve([], tmp_path / "log", project, f"{second}/")
        without = resolve.resolve([], tmp_path / "log", project)
    assert {file.name for file in found} == {
        "torch-2.13.0+cu126-py3-none-any.whl",
        "numpy-2.3.5-py3-none-any.whl",
        "triton-3.6-py3-none-any.whl",
        "taming_transformers_rom1504-0.0.6-py3-none-any.whl",
    }
    assert found[-2].address.startswith(second)
    assert "torch-2.13.0-py3-none-any.whl" in {file.name for file in without}


@contextmanager
def index_at(folder: Path) -> Iterator[str]:
    """Serve a folder as an index of packages, at the address that it yields."""
    handler = partial(QuietHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        pass


def _published(index: Path, release: str, needed: str | None = None) -> None:
    """Put a wheel for all systems into an index, on the page of its package (PEP 503)."""
    name, _, version = release.partition("-")
    page = index / name.replace("_", "-")
    page.mkdir(parents=True, exist_ok=True)
    wheel = page / f"{release}-py3-none-any.whl"
    described = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(
            f"{release}.dist-info/METADATA", described + (f"Requires-Dist: {needed}\n" if needed else "")
        )
        archive.writestr(f"{release}.dist-info/WHEEL", "Wheel-Version: 1.0\n")
        archive.writestr(f"{release}.dist-info/RECORD", "")
    with (page / "index.html").open("a") as listing:
        listing.write(f'<a href="{quote(wheel.name)}#sha256={sha256_of(wheel)}">{wheel.name}</a>\n')


@pytest.mark.parametrize(
    ("words", "made"),
    [
        ((), ["cu13", "cpu"]),
        (("--variant", "cpu"), ["cpu"]),
        (("--index", "cpu=https://example.org/cpu"), ["cu13", "cpu"]),
        (("--index", "rocm=https://example.org/rocm"), ["cu13", "rocm", "cpu"]),
        (("--variant", "cpu", "--variant", "cu126", "--index", "cu126=https://a.org/b"), ["cu126", "cpu"]),
    ],
)
def test_variants_are_made_in_the_order_of_preference(words: tuple[str, ...], made: list[str]) -> None:
    given = options(["folder", "--key", "key", "--serial", "1", *words])
    assert [each.name for each in given.variants] == made


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--variant", "cu126"), "name its own by --index cu126=URL"),
        (
            ("--variant", "cpu", "--index", "cu126=https://example.org"),
            "an index for cu126, which is not made",
        ),
        (("--index", "x=https://example.org"), "invalid _index value"),
        (("--index", "cu126"), "invalid _index value: 'cu126'"),
    ],
)
def test_wrong_indexes_are_refused(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        options(["folder", "--key", "key", "--serial", "1", *words])
    assert told in capsys.readouterr().err


def test_the_remark_names_the_computers_that_have_no_packages() -> None:
    assert remark_on(list(VARIANTS)) is None
    remark = remark_on(["cu13", "cpu"]) or ""
    assert "older than 580 (CUDA 12.6) and for AMD GPUs (ROCm) are missing" in remark


@pytest.mark.parametrize(
    ("vendor", "driver", "capability", "name", "words"),
    [
        ("nvidia", "580.65", "8.9", "cu13", "GPU trains"),
        ("nvidia", "550.90", "8.9", "cu126", "GPU trains"),
        ("nvidia", "580.65", "6.1", "cu126", "GPU trains"),
        ("nvidia", "580.65", "12.0", "cu13", "GPU trains"),
        ("nvidia", "575.10", "12.0", "cpu", "update it to 580"),
        ("nvidia", "515.10", "8.6", "cpu", "update it to 525"),
        ("amd", None, "gfx1100", "rocm", "GPU trains"),
        ("amd", None, "gfx803", "cpu", "PyTorch has no code for GPU (gfx803)"),
    ],
)
def test_a_client_chooses_of_a_list_with_all_variants_by_gpu_and_driver(
    vendor: Literal["nvidia", "amd"],
    driver: str | None,
    capability: str,
    name: str,
    words: str,
    tmp_path: Path,
) -> None:
    file = _wheel(tmp_path / "index", "torch-2.13.0-py3-none-any.whl", 512)
    (tmp_path / "list").mkdir()
    maker = ListMaker(tmp_path / "list", BASE, tmp_path / "log", requests.Session())
    indexes = {"cu126": "https://example.org/a", "rocm": "https://example.org/b"}
    made = [maker.variant(each, [_resolved(file)], download=False) for each in wanted_variants(None, indexes)]
    reading: Reading[str] = Known(driver, "test") if driver else Unknown("Linux does not report its version.")
    gpu = GpuFacts(vendor, "GPU", reading, Known(capability, "test"))
    choice = choose(made, MachineFacts("linux", "x86_64", "3.11", "2.36", (gpu,)))
    assert choice.variant.name == name
    assert words in choice.text


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
