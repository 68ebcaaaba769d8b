"""The build lists what it made with digests, in place of what was there, and refuses too large a download."""

from pathlib import Path

import pytest

from client.updates.offers import UpdateSource
from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine, PackagesManifest
from installer.build import BUILDERS, LARGEST, Builder, build
from installer.commands import BuildError
from installer.linux.repositories import PackageRepositories
from installer.release import BuildJob, Release

RELEASE = Release(Path("/nowhere"), "0.1.0", "ab" * 20, 1_700_000_000)


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
    updates, make, seen = UpdateSource("https://updates.example", b"{}"), _builder(7), []

    def builder(job: BuildJob) -> list[BuiltPackage]:
        seen.append(job.updates)
        return make(job)

    build(RELEASE, tmp_path / "packages", {"linux": builder}, tmp_path, updates=updates)
    assert seen == [updates]


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
