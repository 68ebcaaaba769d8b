"""The build lists what it made with digests, in place of what was there, and refuses too large a download."""

from pathlib import Path

import pytest

from client.updates.offers import UpdateSource
from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine, PackagesManifest
from installer.build import BUILDERS, LARGEST, Builder, build, check_source, main, warnings_of
from installer.commands import BuildError
from installer.linux.repositories import PackageRepositories
from installer.release import BuildJob, Release

RELEASE = Release(Path("/nowhere"), "0.1.0", "ab" * 20, 1_700_000_000)
UPDATES = UpdateSource("https://updates.example", b"{}")
REPOSITORIES = PackageRepositories("https://packages.example", "key")


def _builder(size: int) -> Builder:
    def make(job: BuildJob) -> list[BuiltPackage]:
        file = job.output / "idlebrush_0.1.0_amd64.deb"
        with file.open("wb") as stream:
            stream.truncate(size)
        assert job.work.is_dir()
        return [BuiltPackage.of(file, PackageKind.DEB, PackageMachine.X86_64, tried=True)]

    return make


def test_packages_are_listed_and_nothing_else_is_left(tmp_path: Path) -> None:
    output, temporary = tmp_path / "dist" / "packages", tmp_path / "temporary"
    output.mkdir(parents=True)
    temporary.mkdir()
    (output / "idlebrush_0.0.9_amd64.deb").write_text("of an earlier build")
    built = build(RELEASE, output, {"linux": _builder(7)}, temporary)
    assert PackagesManifest.load(output) == built
    assert [file.size for file in built.files] == [7]
    assert built.commit == RELEASE.commit
    assert {file.name for file in output.iterdir()} == {"packages.json", "idlebrush_0.1.0_amd64.deb"}
    assert list(temporary.iterdir()) == []


def test_a_package_that_is_too_large_is_refused_and_an_earlier_build_stays(tmp_path: Path) -> None:
    output = tmp_path / "packages"
    earlier = build(RELEASE, output, {"linux": _builder(7)}, tmp_path)
    with pytest.raises(BuildError, match=r"idlebrush_0\.1\.0_amd64\.deb") as raised:
        build(RELEASE, output, {"linux": _builder(LARGEST + 1)}, tmp_path)
    assert "installer/left_out.py" in raised.value.remedy
    assert PackagesManifest.load(output) == earlier


def test_each_builder_learns_where_updates_come_from(tmp_path: Path) -> None:
    make, seen = _builder(7), []

    def builder(job: BuildJob) -> list[BuiltPackage]:
        seen.append(job.updates)
        return make(job)

    build(RELEASE, tmp_path / "packages", {"linux": builder}, tmp_path, updates=UPDATES)
    assert seen == [UPDATES]


@pytest.mark.parametrize(
    ("systems", "told"),
    [
        (["linux", "windows"], "The packages for Linux and Windows cannot train"),
        (["linux", "wsl"], "The packages for Linux cannot train"),
        (["wsl"], None),
        ([], None),
    ],
)
def test_packages_whose_users_could_not_train_are_told(systems: list[str], told: str | None) -> None:
    found = warnings_of(systems, None, UPDATES, REPOSITORIES)
    assert [warning for warning in found if told and warning.startswith(told)] == found
    assert bool(found) == (told is not None)
    assert warnings_of(systems, Path("environment.toml"), UPDATES, REPOSITORIES) == []


def test_packages_without_updates_are_told() -> None:
    (told,) = warnings_of(["linux"], Path("environment.toml"), None, REPOSITORIES)
    assert told.startswith("The packages will look for no updates")


def test_packages_for_linux_without_repositories_are_told() -> None:
    (told,) = warnings_of(["linux", "wsl"], Path("environment.toml"), UPDATES, None)
    assert told.startswith("The .deb and the .rpm will bring no repository")
    assert warnings_of(["wsl"], Path("environment.toml"), UPDATES, None) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "No such file"),
        (b"", "address is missing"),
        (b'address = "list.json"\nkey = "' + b"ab" * 32 + b'"\n', "address"),
        (b'address = "https://example.org/list.json"\nkey = "KEY"\n', "key"),
        (b"address =", "Invalid value"),
    ],
)
def test_a_file_that_names_no_usable_list_is_refused_before_anything_is_built(
    text: bytes | None, why: str, tmp_path: Path
) -> None:
    file, output = tmp_path / "environment.toml", tmp_path / "packages"
    if text is not None:
        file.write_bytes(text)
    with pytest.raises(SystemExit) as ended:
        main(["linux", "--source", str(file), "--output", str(output)])
    assert why in str(ended.value)
    assert "Give --source a file with the address and the key of the list" in str(ended.value)
    assert [each for each in tmp_path.iterdir() if each != file] == []


def test_a_file_that_names_a_list_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "environment.toml"
    file.write_text(f'address = "https://example.org/environment.json"\nkey = "{"ab" * 32}"\n')
    check_source(file)


def test_each_builder_learns_of_the_repositories(tmp_path: Path) -> None:
    repositories, make, seen = PackageRepositories("https://packages.example", "key"), _builder(7), []

    def builder(job: BuildJob) -> list[BuiltPackage]:
        seen.append(job.repositories)
        return make(job)

    build(RELEASE, tmp_path / "packages", {"linux": builder}, tmp_path, repositories=repositories)
    assert seen == [repositories]


def test_linux_is_built() -> None:
    assert "linux" in BUILDERS


def test_what_is_built_is_the_commit_and_not_the_folder(tmp_path: Path) -> None:
    release = Release.of_head()
    release.export(["installer/idlebrush.sh"], tmp_path)
    exported = tmp_path / "installer" / "idlebrush.sh"
    assert exported.read_text().startswith("#!/bin/sh")
    assert len(release.commit) == 40
    assert release.version[0].isdigit()
    with pytest.raises(BuildError, match="cannot be exported"):
        release.export(["no/such/file"], tmp_path)
